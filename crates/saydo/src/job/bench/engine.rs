//! Engines and their figures. Those of others are taken by a Python script in a process of its own.

use crate::Error;
use serde_json::Value;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// An engine and its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Engine {
    /// What it is called.
    pub name: String,
    /// Its version; empty if it is not there.
    pub version: String,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Why there are none, or not all.
    pub trouble: Vec<String>,
}

/// A figure, taken several times.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What is measured.
    pub measure: String,
    /// What was measured each time.
    pub values: Vec<f64>,
}

impl Engine {
    /// An engine without figures.
    pub fn new(name: &str, version: &str) -> Self {
        Self { name: name.to_owned(), version: version.to_owned(), figures: Vec::new(), trouble: Vec::new() }
    }

    /// The median of a figure.
    pub fn median(&self, measure: &str) -> Option<f64> {
        let mut values = self.figures.iter().find(|figure| figure.measure == measure)?.values.clone();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }
}

impl Figure {
    /// A figure with its values.
    pub fn new(measure: &str, values: Vec<f64>) -> Self {
        Self { measure: measure.to_owned(), values }
    }
}

/// Keeps Python from importing what lies in the folder the user stands in, which may be anyone's. `PYTHONSAFEPATH` says the
/// same, but Python before 3.11 does not know it.
const WITHOUT_CURRENT_FOLDER: &str = "import sys; sys.path = [folder for folder in sys.path if folder]\n";

/// Runs a script with what it is asked for as JSON. A peer that is not there is no failure: the engine then says so.
pub(super) fn by_script(name: &str, script: &str, request: &Value, python: &Path) -> Result<Engine, Error> {
    let failed = |doing: &'static str| move |source| Error::Script { doing, source };
    let mut engine = Engine::new(name, "");
    let child = Command::new(python)
        .args(["-c", &format!("{WITHOUT_CURRENT_FOLDER}{script}")])
        .env("PYTHONSAFEPATH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            engine.trouble.push(format!("{} was not found; --python names another", python.display()));
            return Ok(engine);
        }
        Err(error) => return Err(failed("run")(error)),
    };
    let mut stdin = child.stdin.take().expect("its input was piped");
    stdin.write_all(request.to_string().as_bytes()).map_err(failed("write to"))?;
    drop(stdin);
    let output = child.wait_with_output().map_err(failed("read from"))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        read_line(&mut engine, line);
    }
    if !output.status.success() {
        engine.trouble.push(format!("the script ended with {}", output.status));
    }
    Ok(engine)
}

fn read_line(engine: &mut Engine, line: &str) {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return };
    if let Some(version) = line["version"].as_str() {
        engine.version = version.to_owned();
    }
    let measure = line["measure"].as_str();
    if let Some(why) = line["missing"].as_str().or(line["failed"].as_str()) {
        engine.trouble.push(measure.map_or_else(|| why.to_owned(), |measure| format!("{measure}: {why}")));
    } else if let (Some(measure), Some(values)) = (measure, line["values"].as_array()) {
        engine.figures.push(Figure::new(measure, values.iter().filter_map(Value::as_f64).collect()));
    }
}

/// The most memory this process had, in bytes, where the system says so.
pub(super) fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024.0 * kilobytes)
}
