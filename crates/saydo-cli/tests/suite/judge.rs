//! `saydo judge`: sheets out, judgements in, and a model beside them.

use crate::run::{Outcome, fixtures, outcome_of};
use std::process::Command;
use tempfile::TempDir;

struct Judged(TempDir);

impl Judged {
    /// A run of the crowd's caption task, answered by copying the input.
    fn new() -> Self {
        let judged = Self(tempfile::tempdir().expect("a scratch folder"));
        let outcome = judged.saydo(&[
            "eval",
            "turking",
            "--data",
            "turking/captions.jsonl",
            "--model",
            "baseline:copy-input",
            "-o",
            &judged.at("run"),
        ]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        judged
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("scratch folders have plain names").to_owned()
    }

    fn saydo(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(arguments).current_dir(fixtures()).env("SAYDO_HOME", self.at("home")).env_remove("SAYDO_MODEL");
        outcome_of(&mut command)
    }

    /// The sheets, in order of their names.
    fn sheets(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.at("sheets")).expect("sheets were written");
        let path = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").path().to_str().expect("a plain name").to_owned()
        };
        let mut sheets: Vec<String> = entries.map(path).collect();
        sheets.sort();
        sheets
    }
}

#[test]
fn sheets_go_out_and_come_back_with_agreement() {
    let judged = Judged::new();
    let folder = judged.at("sheets");
    let export =
        ["judge", &judged.at("run"), "--export", &folder, "--json-lines", "--per-judge", "3", "--overlap", "1"];
    let outcome = judged.saydo(&export);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let again = judged.saydo(&export);
    assert_eq!(again.code, 2, "sheets that may be filled in are not replaced");
    let sheets = judged.sheets();
    assert!(sheets.len() > 1, "{sheets:?}");
    for sheet in &sheets {
        let text = std::fs::read_to_string(sheet).expect("it was written");
        let filled = text.replace("\"accurate\":null", "\"accurate\":\"no\"");
        let filled = filled.replace("\"form_consistent\":null", "\"form_consistent\":\"no\"");
        assert_ne!(filled, text);
        std::fs::write(sheet, filled).expect("the scratch folder is writable");
    }
    let mut arguments = vec!["judge".to_owned(), judged.at("run")];
    arguments.extend(sheets);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = judged.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("agreement on accuracy 100.0 (published 98)"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("judgements.jsonl"), "{}", outcome.stderr);
    let report = judged.saydo(&["report", &judged.at("run"), "--format", "markdown"]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    for words in ["### what people say of the outputs", "### how far people agree", "| all | accurate |"] {
        assert!(report.stdout.contains(words), "{words}: {}", report.stdout);
    }
    let page = judged.saydo(&["report", &judged.at("run")]);
    assert_eq!(page.code, 0, "{}", page.stderr);
    let page = std::fs::read_to_string(judged.at("run/report.html")).expect("it was written");
    assert!(page.contains("what people say of the outputs"));
    let report = judged.saydo(&["report", &judged.at("run"), "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("it is JSON");
    assert_eq!(report["runs"][0]["judgements"]["accurate"]["observed"], 1.0, "{report}");
    let before = std::fs::read_to_string(judged.at("run/judgements.jsonl")).expect("it was written");
    assert_eq!(judged.saydo(&arguments).code, 0);
    let after = std::fs::read_to_string(judged.at("run/judgements.jsonl")).expect("it was written");
    assert_eq!(before, after, "the same sheets again change nothing");
    let both = judged.saydo(&[&arguments[..], &["--by-model", "--model", "scripted"]].concat());
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert!(both.stdout.contains("does not replace human judgement"), "{}", both.stdout);
}

#[test]
fn a_run_of_something_else_and_nothing_to_do_are_refused() {
    let judged = Judged::new();
    let idle = judged.saydo(&["judge", &judged.at("run")]);
    assert_eq!(idle.code, 2);
    assert!(idle.stderr.contains("expected filled-in sheets, --export FOLDER or --by-model"), "{}", idle.stderr);
    let zest = judged.at("zest");
    judged.saydo(&["eval", "zest", "--data", "zest/dev.jsonl", "--model", "baseline:always-na", "-o", &zest]);
    let other = judged.saydo(&["judge", &zest, "--by-model"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("is a run of zest, expected one of turking"), "{}", other.stderr);
}
