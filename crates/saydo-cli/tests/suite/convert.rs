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

const ANNOTATED: &str =
    "premise,hypothesis,label\nA dog runs.,An animal moves.,0\n\"A cat, black.\",A dog.,2\nRain.,,0\nSun.,Moon.,-1\n";

#[test]
fn an_annotation_table_becomes_a_task_with_a_preview_and_what_was_dropped() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("snli.csv"), ANNOTATED).unwrap();
    let rows = [("A dog runs.", "An animal moves.", 0), ("A cat, black.", "A dog.", 2), ("Sun.", "Moon.", -1)];
    let line = |(premise, hypothesis, label): &(&str, &str, i32)| {
        format!("{}\n", serde_json::json!({"premise": premise, "hypothesis": hypothesis, "label": label}))
    };
    std::fs::write(folder.path().join("snli.jsonl"), rows.iter().map(line).collect::<String>()).unwrap();
    let template = ["--input", "Premise: {premise}\\nHypothesis: {hypothesis}", "--output", "{label}"];
    let maps = ["--map", "0=entailment", "--map", "2=contradiction", "--only-mapped", "--labels"];
    let convert = |file: &str, more: &[&str]| {
        saydo_in(folder.path(), &[&["convert", "--from", "table", file], &template[..], &maps, more].concat())
    };
    let shown = convert("snli.csv", &["--preview", "1"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_eq!(
        shown.stdout,
        "=== instance 1\ninput: Premise: A dog runs.\nHypothesis: An animal moves.\noutput: entailment\n"
    );
    assert_eq!(
        shown.stderr,
        "2 instances from 4 rows, 2 dropped\n  1: an output that no --map names (first: snli.csv:4)\n  1: column `hypothesis` is \
         empty (first: snli.csv:3)\nthe task has no description; add one with --definition, or in the file\n"
    );
    let definition = ["--definition", "Does the premise entail the hypothesis?"];
    let mut written = Vec::new();
    for file in ["snli.csv", "snli.jsonl"] {
        let out = format!("out-{file}");
        let made = convert(file, &[&definition[..], &["--to", "natural-instructions", "-o", &out]].concat());
        assert_eq!(made.code, 0, "{}", made.stderr);
        written.push(std::fs::read_to_string(folder.path().join(out).join("snli.json")).unwrap());
    }
    assert_eq!(written[0], written[1]);
    assert!(written[0].contains("A cat, black.") && written[0].contains("contradiction"));
    let linted = saydo_in(folder.path(), &["lint", "out-snli.csv"]);
    assert_eq!(linted.code, 0, "{}{}", linted.stdout, linted.stderr);
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), ANNOTATED).unwrap();
    let refused = |arguments: &[&str]| {
        let outcome = saydo_in(folder.path(), &[&["convert"], arguments].concat());
        assert_eq!(outcome.code, 2, "{arguments:?}: {}", outcome.stderr);
        outcome.stderr
    };
    let table = ["--from", "table", "t.csv", "--to", "toml", "-o", "out"];
    let with = |more: &[&str]| refused(&[&table[..], more].concat());
    assert!(with(&[]).contains("--from table needs --input and --output"));
    let odd = with(&["--input", "{premises}", "--output", "{label}"]);
    assert!(odd.contains("has no column `premises`, expected one of premise, hypothesis, label"), "{odd}");
    assert!(with(&["--input", "{premise}", "--output", "x"]).contains("names no column"));
    assert!(with(&["--input", "{premise}", "--output", "{label}", "--map", "0"]).contains("expected FROM=TO"));
    let tasks = refused(&["x.toml", "--to", "toml", "-o", "out", "--labels"]);
    assert!(tasks.contains("go with --from table"), "{tasks}");
    assert!(!folder.path().join("out").exists());
}
