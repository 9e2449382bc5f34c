//! The linter on files with deliberate faults and on sound ones.

use saydo_task::lint::{Options, Report, lint_paths};
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tasks");

fn lint(folder: &str) -> Report {
    lint_paths(&[Path::new(FIXTURES).join(folder)], &Options::default())
}

/// A text without the part of its paths that depends on the machine.
fn portable(text: &str) -> String {
    text.replace(&format!("{FIXTURES}/"), "")
}

#[test]
fn sound_files_have_no_problems() {
    for folder in ["toml", "natural-instructions", "super-natural-instructions", "zest"] {
        let report = lint(folder);
        assert!(report.problems.is_empty(), "{report}");
    }
}

#[test]
fn every_fault_is_found_and_placed() {
    insta::assert_snapshot!(portable(&lint("broken").to_string()));
}

#[test]
fn the_json_form_has_every_field() {
    let json = lint("broken").to_json();
    let text = portable(&serde_json::to_string(&json["problems"][0]).unwrap());
    insta::assert_snapshot!(text, @r#"{"file":"broken/answers.toml","line":8,"column":16,"code":"T013","severity":"warning","element":"origin.derives-from","found":"`no-such-task`","expected":"tasks that are here","hint":"its score cannot be paired with its base task"}"#);
    assert_eq!(json["counts"]["T001"], 2);
    assert_eq!(json["files"], 8);
}
