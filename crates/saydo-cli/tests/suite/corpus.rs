//! `saydo run` and `saydo merge` over documents, with the scripted model: rows, resuming, shards, batch files, servers.

mod batch;
mod check;
mod errors;
#[cfg(unix)]
mod interruption;
mod merge;
mod million;
mod model_server;
mod questions;
mod real_servers;
mod refine;
mod rows;
mod served;
#[cfg(unix)]
mod streams;
#[cfg(target_os = "linux")]
mod terminal;

use crate::run::{Outcome, outcome_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const QUESTION: &str = "Are dogs allowed on this trail?";

/// A folder to work in, with a home of its own.
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// A folder with `docs.jsonl`, which holds so many documents.
    pub fn new(documents: usize) -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a scratch folder") };
        scratch.write("docs.jsonl", &texts(documents));
        scratch
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).expect("the scratch folder is writable");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command with these arguments, before it is started. Nothing of the user's settings reaches it.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(arguments).current_dir(self.path()).env("SAYDO_HOME", self.at("home"));
        for name in ["OPENAI_API_KEY", "OPENAI_BASE_URL", "SAYDO_MODEL", "http_proxy", "all_proxy", "ALL_PROXY"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    pub fn saydo(&self, arguments: &[&str]) -> Outcome {
        outcome_of(&mut self.command(arguments))
    }

    /// Runs the question over the documents with the scripted model; it must end well.
    pub fn rows(&self, arguments: &[&str]) -> Vec<Value> {
        let all: Vec<&str> =
            ["run", QUESTION, "docs.jsonl", "-m", "scripted"].iter().chain(arguments).copied().collect();
        let outcome = self.saydo(&all);
        assert_eq!(outcome.code, 0, "{all:?}: {}", outcome.stderr);
        parse(&outcome.stdout)
    }

    /// The file in the home folder's only run.
    pub fn in_run(&self, name: &str) -> PathBuf {
        let mut runs = std::fs::read_dir(self.at("home/runs")).expect("there is a run");
        runs.next().expect("there is a run").expect("it can be listed").path().join(name)
    }
}

/// Documents as JSON lines.
pub fn texts(count: usize) -> String {
    let line = |number: usize| {
        let text = format!("Trail {number} is {} miles long. Dogs must be on a leash.", number * 7 % 13);
        format!("{}\n", json!({"id": format!("t{number}"), "text": text}))
    };
    (0..count).map(line).collect()
}

/// Rows without what differs from run to run.
pub fn parse(lines: &str) -> Vec<Value> {
    let row = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        forget_ms(&mut row);
        row
    };
    lines.lines().map(row).collect()
}

fn forget_ms(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.remove("ms");
        fields.values_mut().for_each(forget_ms);
    }
}
