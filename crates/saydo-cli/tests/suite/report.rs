//! `saydo report`: pages, Markdown and JSON of runs by baselines.

use crate::run::{Outcome, fixtures, saydo_in};
use std::path::Path;
use tempfile::TempDir;

/// A scratch folder with runs of baselines on the repository's small ZEST set, a folder for each.
fn runs(models: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let data = fixtures().join("../examples/zest/dev.jsonl");
    let data = data.to_str().expect("the repository's path is UTF-8");
    for model in models {
        let baseline = format!("baseline:{model}");
        let outcome = saydo_in(
            folder.path(),
            &["eval", "zest", "--data", data, "--limit", "2", "--model", &baseline, "-o", model, "--quiet"],
        );
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    folder
}

fn report(folder: &Path, arguments: &[&str]) -> Outcome {
    let all: Vec<&str> = ["report"].iter().chain(arguments).copied().collect();
    saydo_in(folder, &all)
}

#[test]
fn a_page_is_put_beside_the_run() {
    let folder = runs(&["majority"]);
    let outcome = report(folder.path(), &["majority"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("the report is in majority/report.html"), "{}", outcome.stderr);
    let page = std::fs::read_to_string(folder.path().join("majority/report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"), "{}", &page[..200]);
}

#[test]
fn markdown_and_json_go_to_standard_output() {
    let folder = runs(&["always-na", "majority"]);
    let outcome = report(folder.path(), &["always-na", "majority", "--format", "markdown"]);
    assert!(outcome.stdout.starts_with("# ZEST: baseline:always-na, baseline:majority\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("## Difference"), "{}", outcome.stdout);
    let outcome = report(folder.path(), &["always-na", "majority", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(value["runs"][1]["record"]["model"], "baseline:majority");
    assert_eq!(value["comparison"][0]["samples"], 120);
}

#[test]
fn the_ending_of_the_file_says_what_to_write() {
    let folder = runs(&["majority"]);
    let outcome = report(folder.path(), &["majority", "-o", "report.md"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(std::fs::read_to_string(folder.path().join("report.md")).unwrap().starts_with("# ZEST"));
}

#[test]
fn a_folder_without_a_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let outcome = report(folder.path(), &["empty"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: cannot report on empty
      because: empty holds no evaluation, expected an eval.json in it
    ");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let folder = runs(&["majority"]);
    let outcome = report(folder.path(), &["majority", "-o", "nowhere/report.html"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("nowhere"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("the report is in"), "{}", outcome.stderr);
}

#[test]
fn runs_of_two_protocols_are_an_error() {
    let folder = runs(&["majority"]);
    let data = fixtures().join("turking/sentences.tsv");
    let data = data.to_str().expect("the repository's path is UTF-8");
    let other = ["eval", "turking", "--data", data, "--model", "baseline:the", "-o", "the", "--quiet"];
    let outcome = saydo_in(folder.path(), &other);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let outcome = report(folder.path(), &["majority", "the"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr.trim_end(), @"error: majority is a run of zest and the one of turking, expected runs of one protocol");
}
