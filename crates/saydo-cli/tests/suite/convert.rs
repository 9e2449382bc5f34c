//! `saydo convert` and `saydo export`.

use crate::run::{fixtures, saydo_in};

#[test]
fn there_and_back_gives_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let dev = fixtures().join("zest/dev.jsonl");
    let dev = dev.to_str().unwrap();
    for arguments in [
        &["convert", dev, "--to", "zest", "-o", "first.jsonl"][..],
        &["convert", "first.jsonl", "--to", "toml", "-o", "tasks"],
        &["convert", "tasks", "--to", "zest", "-o", "second.jsonl"],
    ] {
        let outcome = saydo_in(folder.path(), arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("cannot hold"), "{}", outcome.stderr);
    }
    let lines = |name: &str| {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines("first.jsonl"), lines("second.jsonl"));
}

#[test]
fn what_a_format_cannot_hold_is_said_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let task = "definition = \"Is it wet?\"\nemphasis = \"Only rain counts.\"\n";
    std::fs::write(folder.path().join("wet.toml"), task).unwrap();
    let arguments = ["convert", "wet.toml", "--to", "zest", "-o", "wet.jsonl"];
    let outcome = saydo_in(folder.path(), &arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("wet: zest cannot hold emphasis\n"), "{}", outcome.stderr);
    assert_eq!(saydo_in(folder.path(), &arguments).code, 2);
}

#[test]
fn training_files_are_written_for_both_models() {
    let folder = tempfile::tempdir().unwrap();
    let dev = fixtures().join("zest/dev.jsonl");
    let dev = dev.to_str().unwrap();
    for model in ["t5", "bart"] {
        let outcome = saydo_in(folder.path(), &["export", "--for", model, "--train", dev, "--test", dev, "-o", "out"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert!(read("train.zest.csv").starts_with("\"inputs\",\"targets\"\n\"zest question: "));
    assert_eq!(read("train.source").lines().count(), read("train.target").lines().count());
    assert!(read("test.target").lines().all(|line| line == "TEST SET NO ANSWER"));
}
