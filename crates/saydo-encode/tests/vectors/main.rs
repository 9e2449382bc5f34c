//! Prompts and training files compared byte for byte with those of the papers' released code.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod natural_instructions;
mod packing;
mod tk_instruct;
mod zest;

use saydo_task::Task;
use saydo_task::source::Source;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A path among the reference data, or none (and a note) where the data is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    if !path.exists() {
        eprintln!("skipped: ../shared is not here");
        return None;
    }
    Some(path)
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn natural_instructions_task(source: &Source) -> Task {
    let (_, task) = saydo_task::format::natural_instructions::read(source).tasks.pop().unwrap();
    task
}
