//! Bad input of every kind gives one clear error with the place, exit code 2, and never a panic.

use crate::run::{fixtures, saydo_in};
use std::path::Path;

/// Every way a command takes a file: `BAD` stands for the bad file, `GOOD:` for a path under the fixtures.
const COMMANDS: &[(&str, &[&str])] = &[
    ("jsonl", &["score", "zest", "--gold", "BAD", "--predictions", "GOOD:zest/predictions.txt"]),
    ("json", &["score", "natural-instructions", "--tasks", "BAD", "--predictions", "GOOD:zest/predictions.txt"]),
    ("json", &["score", "natural-instructions", "--tasks", "GOOD:tasks", "--predictions", "BAD"]),
    ("jsonl", &["score", "super-natural-instructions", "--references", "BAD", "--predictions", "BAD"]),
    ("jsonl", &["score", "text", "--predictions", "BAD"]),
    ("jsonl", &["score", "turking", "--gold", "BAD", "--predictions", "BAD"]),
    ("json", &["encode", "--task", "BAD"]),
    ("jsonl", &["encode", "--task", "BAD"]),
    ("toml", &["encode", "--task", "BAD"]),
    ("json", &["convert", "BAD", "--to", "toml", "-o", "out"]),
    ("json", &["describe", "BAD"]),
    ("jsonl", &["release", "BAD", "-o", "out"]),
    ("csv", &["convert", "--from", "table", "BAD", "--input", "{a}", "--output", "{b}", "--to", "toml", "-o", "out"]),
    ("json", &["split", "BAD", "--random", "1"]),
    ("json", &["split", "GOOD:zest/dev.jsonl", "--verify", "BAD"]),
    ("jsonl", &["export", "--for", "t5", "--train", "BAD", "-o", "out"]),
    ("jsonl", &["convert", "--from", "turking", "BAD", "--to", "toml", "-o", "out"]),
    ("tsv", &["convert", "--from", "turking", "BAD", "--to", "toml", "-o", "out"]),
];

fn check(kind: &str, content: Option<&[u8]>) {
    for (extension, arguments) in COMMANDS {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let name = format!("bad.{extension}");
        if let Some(content) = content {
            std::fs::write(folder.path().join(&name), content).expect("the scratch folder is writable");
        }
        let arguments: Vec<String> = arguments.iter().map(|argument| resolve(argument, &name)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let outcome = saydo_in(folder.path(), &arguments);
        assert_eq!(outcome.code, 2, "{kind}: {arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stderr.starts_with("error: "), "{kind}: {arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(&name), "{kind}: {arguments:?} names no file: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty(), "{kind}: {arguments:?}: {}", outcome.stdout);
        assert!(!folder.path().join("out").exists(), "{kind}: {arguments:?} left something behind");
    }
}

fn resolve(argument: &str, bad: &str) -> String {
    match argument.strip_prefix("GOOD:") {
        Some(path) => Path::new(&fixtures()).join(path).to_string_lossy().into_owned(),
        None => argument.replace("BAD", bad),
    }
}

#[test]
fn a_missing_file() {
    check("missing", None);
}

#[test]
fn an_empty_file() {
    check("empty", Some(b""));
    check("blank", Some(b"\n \n"));
}

#[test]
fn a_file_that_was_cut_off() {
    check("truncated", Some(b"{\"id\": 1, \"question\": \"Is it"));
}

#[test]
fn a_file_of_another_type() {
    check("a number", Some(b"5\n"));
    check("a list", Some(b"[1, 2]\n"));
    check("wrong types", Some(b"{\"id\": {}, \"question\": 5, \"Examples\": 3, \"Instances\": 1, \"examples\": 4}\n"));
}

#[test]
fn a_file_that_is_not_utf8() {
    check("invalid UTF-8", Some(b"{\"id\": \"\xFF\"}\n"));
}

#[test]
fn a_file_nested_too_deep() {
    check("deep", Some("[".repeat(100_000).as_bytes()));
}

#[test]
fn a_line_of_a_hundred_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut line = b"{\"id\": \"".to_vec();
    line.resize(100_000_000, b'x');
    line.extend_from_slice(b"\"}\n");
    std::fs::write(folder.path().join("long.jsonl"), line).unwrap();
    let gold = fixtures().join("zest/dev.jsonl");
    let gold = gold.to_str().unwrap();
    for arguments in [
        &["score", "text", "--predictions", "long.jsonl"][..],
        &["score", "zest", "--gold", "long.jsonl", "--predictions", "long.jsonl"],
        &["score", "zest", "--gold", gold, "--predictions", "long.jsonl"],
        &["score", "super-natural-instructions", "--references", "long.jsonl", "--predictions", "long.jsonl"],
        &["encode", "--task", "long.jsonl"],
    ] {
        let outcome = saydo_in(folder.path(), arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        assert!(outcome.stderr.contains("long.jsonl"), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.len() < 2_000, "{arguments:?} prints the line itself");
    }
}

#[test]
fn the_same_id_twice() {
    let folder = tempfile::tempdir().unwrap();
    let row = "{\"id\": \"a\", \"question\": \"Is it?\", \"examples\": []}\n";
    std::fs::write(folder.path().join("twice.jsonl"), row.repeat(2)).unwrap();
    let outcome = saydo_in(folder.path(), &["describe", "twice.jsonl"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: twice.jsonl:2:1: task `a` again, expected each id once; it stands in twice.jsonl:1 already
      hint: give each its own id
    ");
}

#[test]
fn commands_of_another_program_say_which() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let commands: [&[&str]; 4] = [
        &["sql", "select 1", "--json"],
        &["cluster", "scheduler"],
        &["cluster", "--help"],
        &["run", "Are dogs allowed?", "trails.jsonl", "--cluster", "127.0.0.1:50050"],
    ];
    for arguments in commands {
        let outcome = saydo_in(folder.path(), arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("saydo-cluster has it"), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("cargo install --locked --path cluster"), "{arguments:?}: {}", outcome.stderr);
    }
}
