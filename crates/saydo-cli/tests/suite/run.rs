//! Running `saydo` and looking at what it did.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run of the binary left behind.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `saydo` with these arguments in a folder.
pub fn saydo_in(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
    command.args(arguments).current_dir(folder);
    outcome_of(&mut command)
}

/// Runs a command that calls `saydo` to its end.
pub fn outcome_of(command: &mut Command) -> Outcome {
    let output = command.output().expect("the binary was built with the tests");
    let outcome = Outcome {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    };
    assert!(!outcome.stderr.contains("panicked"), "{command:?}: {}", outcome.stderr);
    outcome
}

/// Runs `saydo` in the folder of fixtures.
pub fn saydo(arguments: &[&str]) -> Outcome {
    saydo_in(&fixtures(), arguments)
}

/// Runs `saydo`, which must end well, and parses what it printed.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    let outcome = saydo(arguments);
    assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).expect("--json prints JSON")
}

pub fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))
}
