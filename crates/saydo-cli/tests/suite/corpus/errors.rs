//! Every mistake gives one clear message with what to do, exit code 2, and no row.

use super::{QUESTION, Scratch};

/// What is said about a mistake.
fn said(scratch: &Scratch, arguments: &[&str]) -> String {
    let outcome = scratch.saydo(arguments);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    outcome.stderr.replace(&format!("{}/", scratch.path().display()), "")
}

#[test]
fn an_input_that_is_not_there() {
    let scratch = Scratch::new(1);
    insta::assert_snapshot!(said(&scratch, &["run", QUESTION, "doc.jsonl", "-m", "scripted"]), @r"
    error: doc.jsonl does not exist, expected a file, a folder or a pattern
      hint: did you mean docs.jsonl?
    ");
    insta::assert_snapshot!(said(&scratch, &["run", QUESTION]), @"error: no input was named after the task `Are dogs allowed on this trail?`; give files, folders, patterns, or `-` for standard input");
}

#[test]
fn a_folder_without_texts() {
    let scratch = Scratch::new(1);
    std::fs::create_dir(scratch.at("empty")).unwrap();
    scratch.write("empty/image.png", "x");
    let said = said(&scratch, &["run", QUESTION, "empty", "-m", "scripted"]);
    assert!(said.starts_with("error: empty holds no text we read (other files: 1), expected at least one\n"), "{said}");
    assert!(said.contains("  hint: these are read: .txt"), "{said}");
}

#[test]
fn a_column_that_is_not_there() {
    let scratch = Scratch::new(1);
    insta::assert_snapshot!(said(&scratch, &["run", QUESTION, "docs.jsonl", "--column", "txt", "-m", "scripted"]), @r"
    error: docs.jsonl has no column `txt`, expected one of: id, text
      hint: did you mean --column text?
    ");
}

#[test]
fn a_model_that_is_not_there_or_is_none() {
    let scratch = Scratch::new(1);
    let missing = said(&scratch, &["run", QUESTION, "docs.jsonl"]);
    assert!(missing.contains("saydo models pull qwen2.5-coder-1.5b"), "{missing}");
    scratch.write("broken.gguf", "this is no model");
    let broken = said(&scratch, &["run", QUESTION, "docs.jsonl", "-m", "./broken.gguf"]);
    assert!(broken.starts_with("error: cannot load the model ./broken.gguf\n  because: "), "{broken}");
    let unknown = said(&scratch, &["run", QUESTION, "docs.jsonl", "-m", "smolm2"]);
    assert!(unknown.starts_with("error: no model is named `smolm2`, expected smollm2-135m"), "{unknown}");
    insta::assert_snapshot!(said(&scratch, &["run", QUESTION, "docs.jsonl", "-m", "openai:tiny"]), @"error: openai:tiny needs the address of its server; give --base-url http://127.0.0.1:8080 or set OPENAI_BASE_URL (or OPENAI_API_KEY for OpenAI itself)");
}

#[test]
fn a_task_that_is_none() {
    let scratch = Scratch::new(1);
    insta::assert_snapshot!(said(&scratch, &["run", " ", "docs.jsonl", "-m", "scripted"]), @r#"error: the description is empty; say what to do, as in: saydo run "Are dogs allowed?" trails/"#);
    insta::assert_snapshot!(said(&scratch, &["run", "trail.toml", "docs.jsonl", "-m", "scripted"]), @"error: trail.toml does not exist, expected a task file; a description in plain words needs no file");
    scratch.write("empty.toml", "definition = \" \"\n");
    let empty = said(&scratch, &["run", "empty.toml", "docs.jsonl", "-m", "scripted"]);
    assert!(empty.contains("empty"), "{empty}");
    insta::assert_snapshot!(said(&scratch, &["run", QUESTION, "docs.jsonl", "--kind", "label", "-m", "scripted"]), @"error: --kind label with 0 labels, expected at least two: --label A --label B");
}

#[test]
fn an_output_that_cannot_be_written() {
    let scratch = Scratch::new(1);
    let unknown = said(&scratch, &["run", QUESTION, "docs.jsonl", "-m", "scripted", "-o", "out.xyz"]);
    assert!(unknown.starts_with("error: cannot tell the format of the output out.xyz"), "{unknown}");
    let missing = said(&scratch, &["run", QUESTION, "docs.jsonl", "-m", "scripted", "-o", "no/folder/out.jsonl"]);
    assert!(missing.contains("error: cannot write no/folder/out.jsonl\n"), "{missing}");
}

#[test]
fn a_folder_of_another_run() {
    let scratch = Scratch::new(1);
    scratch.rows(&["--run", "mine"]);
    let said = said(&scratch, &["run", "Is it wet?", "docs.jsonl", "-m", "scripted", "--run", "mine"]);
    assert!(said.contains("error: mine holds a run of `Are dogs allowed on this trail?` on scripted ("), "{said}");
    assert!(said.contains("  hint: choose another folder with --run DIR, or leave --run out\n"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_keeps_what_was_done() {
    let scratch = Scratch::new(300);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = scratch.command(&["run", QUESTION, "docs.jsonl", "-m", "scripted"]);
    let output = command.stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("error: cannot write standard output\n  because: No space left on device"), "{stderr}");
    let ledger = std::fs::read_to_string(scratch.in_run("ledger.jsonl")).unwrap();
    assert!(ledger.lines().count() >= 64, "answers are recorded before rows are written");
    assert_eq!(scratch.rows(&[]).len(), 300, "and it goes on from there");
}
