use super::*;
use crate::record::{Folder, Keys, Ledger, Record, TaskRecord};
use saydo_corpus::{Cell, Column, Document, Meta, Output, Row, Shard, Status};
use saydo_task::{AnswerKind, AnswerSpec};
use serde_json::{Value, json};
use tempfile::TempDir;

fn cell(number: u64) -> Cell {
    let answer = Value::from(format!("answer {number}, \"quoted\"\nand more"));
    Cell {
        status: Status::Ok,
        answer,
        spans: Vec::new(),
        confidence: Some(0.5),
        windows: 1,
        ms: 1,
        ungrounded: 0,
        na_log_odds: None,
        error: None,
    }
}

/// Writes the rows of some documents out of `count`.
fn write(path: &Path, numbers: impl Iterator<Item = u64>) {
    let columns = [Column { name: "a".to_owned(), spec: AnswerSpec { kind: AnswerKind::Text, na: None } }];
    let mut output = Output::create(path, &columns, &Meta::default()).expect("the folder is ours");
    for number in numbers {
        let (id, source) = (Value::from(format!("id {number}")), format!("docs.jsonl:{}", number + 1));
        let document = Document { id: id.clone(), source: source.clone(), text: String::new(), question: None };
        let row = Row { id, source, model: "m".to_owned(), cells: vec![cell(number)] };
        output.write(&document, &row).expect("there is space");
    }
    output.finish().expect("there is space");
}

/// Outputs of shards of `count` documents, and what they must give together.
fn shards(extension: &str, of: u64, count: u64) -> (TempDir, Vec<PathBuf>, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let whole = folder.path().join(format!("whole.{extension}"));
    write(&whole, 0..count);
    let part = |index: u64| {
        let path = folder.path().join(format!("{index}.{extension}"));
        let shard = Shard::new(index, of).expect("there is such a part");
        write(&path, (0..count).filter(|number| shard.has(*number)));
        path
    };
    let parts = (1..=of).map(part).collect();
    (folder, parts, whole)
}

#[test]
fn shards_together_are_what_one_run_would_have_written() {
    for extension in ["jsonl", "csv", "tsv"] {
        for count in [0, 1, 5, 7, 9, 300] {
            let (folder, parts, whole) = shards(extension, 3, count);
            let out = folder.path().join(format!("out.{extension}"));
            assert_eq!(merge_outputs(&parts, &out).unwrap(), count);
            assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&whole).unwrap(), "{extension} {count}");
        }
    }
}

#[test]
fn shards_of_parquet_come_together_row_by_row() {
    for count in [0, 5, 20_000] {
        let (folder, parts, whole) = shards("parquet", 3, count);
        let out = folder.path().join("out.parquet");
        assert_eq!(merge_outputs(&parts, &out).unwrap(), count);
        assert_eq!(rows_of(&out), rows_of(&whole));
    }
}

fn rows_of(path: &Path) -> Vec<String> {
    let options = saydo_corpus::Options { column: Some("source".to_owned()), ..Default::default() };
    let corpus = saydo_corpus::Corpus::open(&[path.display().to_string()], &options).expect("it is Parquet");
    corpus.map(|document| document.expect("every row has a source").text).collect()
}

fn refusal(parts: &[&PathBuf], extension: &str) -> String {
    let folder = parts[0].parent().expect("it lies in a folder");
    let parts: Vec<PathBuf> = parts.iter().map(|part| (*part).clone()).collect();
    let out = folder.join(format!("out.{extension}"));
    let error = merge_outputs(&parts, &out).expect_err("it must be refused").to_string();
    assert!(!out.exists() && !out.with_added_extension("partial").exists(), "nothing is left");
    error.replace(&format!("{}/", folder.display()), "")
}

#[test]
fn parts_in_the_wrong_order_missing_or_twice_are_refused() {
    let (_folder, parts, _) = shards("jsonl", 3, 10);
    let [a, b, c] = &parts[..] else { panic!("three parts were made") };
    insta::assert_snapshot!(refusal(&[b, a, c], "jsonl"), @"the parts have 3, 4, 3 rows or more, which are not those of all shards in their order");
    insta::assert_snapshot!(refusal(&[a, b], "jsonl"), @"2 parts were given, but their rows stand 3 apart in the input, expected 3 parts");
    insta::assert_snapshot!(refusal(&[a, a, c], "jsonl"), @"1.jsonl holds a row for docs.jsonl:1 again, expected each document once");
    insta::assert_snapshot!(refusal(&[a, b, c], "csv"), @"1.jsonl has another format than out.csv, expected the same");
    insta::assert_snapshot!(refusal(&[a, b, c], "html"), @"out.html cannot be joined, expected .jsonl, .csv, .tsv, .parquet or the folder of a run");
}

#[test]
fn a_part_that_was_not_finished_is_refused() {
    let (_folder, parts, _) = shards("jsonl", 2, 10);
    let text = std::fs::read_to_string(&parts[1]).unwrap();
    std::fs::write(&parts[1], &text[..text.len() - 9]).unwrap();
    insta::assert_snapshot!(refusal(&[&parts[0], &parts[1]], "jsonl"), @"2.jsonl does not end with a whole row");
    let (_folder, parts, _) = shards("csv", 2, 10);
    write(&parts[0], (0..4).map(|number| 2 * number));
    insta::assert_snapshot!(refusal(&[&parts[0], &parts[1]], "csv"), @"the parts have 4, 5 rows or more, which are not those of all shards in their order");
}

fn record(task: &str) -> Record {
    let tasks = vec![TaskRecord { name: task.to_owned(), identity: json!(task) }];
    Record::new("m", "f", tasks, 0, json!({}))
}

/// A run folder with the ledgers of some shards of two, each with three entries of its own.
fn run(path: &Path, task: &str, indexes: &[u64]) {
    let folder = Folder::open(path, &record(task)).expect("the folder is ours");
    for index in indexes {
        let mut ledger = Ledger::open(&folder.ledger(Shard::new(*index, 2)), &[]).expect("nobody else has it");
        for number in 0..3 {
            let key = Keys::new(&json!(task), "f").of(&format!("{index} {number}"));
            ledger.record(key, &cell(number)).expect("there is space");
        }
    }
}

#[test]
fn ledgers_of_one_or_several_folders_come_together() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    run(&at("both"), "t", &[1, 2]);
    assert_eq!(merge_runs(&[at("both")], &at("both")).unwrap(), 6);
    assert_eq!(merge_runs(&[at("both")], &at("both")).unwrap(), 6, "again changes nothing");
    run(&at("one"), "t", &[1]);
    run(&at("two"), "t", &[2]);
    assert_eq!(merge_runs(&[at("one"), at("two")], &at("joined")).unwrap(), 6);
    let ledger = Ledger::open(&at("joined/ledger.jsonl"), &[]).unwrap();
    assert_eq!(ledger.status(Keys::new(&json!("t"), "f").of("2 1")), Some(Status::Ok));
}

#[test]
fn ledgers_that_are_missing_twice_or_of_another_run_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    run(&at("one"), "t", &[1]);
    run(&at("again"), "t", &[1, 2]);
    run(&at("other"), "u", &[2]);
    let refusal = |folders: &[&str]| {
        let folders: Vec<PathBuf> = folders.iter().map(|name| at(name)).collect();
        merge_runs(&folders, &at("out")).expect_err("it must be refused").to_string()
    };
    insta::assert_snapshot!(refusal(&["one"]), @"of 2 shards these are missing: 2");
    insta::assert_snapshot!(refusal(&["one", "again"]), @"shard 1/2 is there twice, expected each shard once");
    assert!(refusal(&["one", "other"]).contains("holds a run of `u` on m"));
    assert!(refusal(&["none"]).ends_with("holds no run, expected a run.json in it"));
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_the_old_or_the_new_file() {
    use saydo_file::fault::{Trial, at_every_step};
    for extension in ["jsonl", "csv", "parquet"] {
        let (folder, parts, _) = shards(extension, 2, 9);
        let name = format!("merged.{extension}");
        merge_outputs(&parts, &folder.path().join(&name)).unwrap();
        let new = std::fs::read(folder.path().join(&name)).unwrap();
        let merge = |folder: &Path| merge_outputs(&parts, &folder.join(&name)).map(|_| ());
        let after = |folder: &Path, trial: &Trial<Error>| {
            let found = std::fs::read(folder.join(&name)).unwrap();
            assert!(found == b"before" || found == new, "{name}: {trial}");
            assert!(trial.outcome.is_err() || found == new, "{name}: {trial}: it said that it had written");
        };
        let before = |folder: &Path| std::fs::write(folder.join(&name), "before").unwrap();
        assert!(at_every_step(&name, folder.path(), before, merge, after) >= 5);
    }
}
