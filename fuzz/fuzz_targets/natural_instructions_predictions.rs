//! Natural Instructions prediction files, read and scored in both modes against one task.
#![no_main]

use saydo_protocol::Mode;
use saydo_protocol::natural_instructions::{Options, score};
use std::path::PathBuf;
use std::sync::OnceLock;

const TASK: &str = r#"{"Title": "t", "Prompt": "p", "Definition": "d", "Things to Avoid": "-", "Emphasis & Caution": "-",
    "Examples": {"Positive Examples": [], "Negative Examples": ["-"]},
    "Instances": [{"input": "a", "output": ["the cat sat"]}, {"input": "b", "output": ["x", "y"]}]}"#;

static FILES: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();

fn files() -> (PathBuf, PathBuf) {
    let folder = std::env::temp_dir();
    let task = folder.join(format!("saydo-fuzz-task-{}.json", std::process::id()));
    std::fs::write(&task, TASK).expect("the folder for temporary files is writable");
    (task, folder.join(format!("saydo-fuzz-predictions-{}.json", std::process::id())))
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (task, predictions) = FILES.get_or_init(files);
    std::fs::write(predictions, bytes).expect("the folder for temporary files is writable");
    for mode in [Mode::Strict, Mode::Fixed] {
        let _ = score(task, predictions, &Options { mode, seed: 0 });
    }
});
