//! What comes out, and what is not computed again.

use super::{QUESTION, Scratch, parse};
use serde_json::Value;

#[test]
fn every_document_has_a_row_in_order() {
    let scratch = Scratch::new(100);
    let rows = scratch.rows(&[]);
    assert_eq!(rows.len(), 100);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["id"], format!("t{number}"));
        assert!(["ok", "na"].iter().any(|status| row["status"] == *status), "{row}");
        assert_eq!(row["model"], "scripted");
    }
    let answers = |answer: &str| rows.iter().filter(|row| row["answer"] == answer).count();
    assert!(answers("yes") > 5 && answers("no") > 5, "the scripted model says both");
}

#[test]
fn a_second_run_reads_back_and_says_so() {
    let scratch = Scratch::new(30);
    let first = scratch.rows(&[]);
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted:5"]);
    // A delay changes the model's name, not its answers.
    let answers = |rows: &[Value]| rows.iter().map(|row| row["answer"].clone()).collect::<Vec<_>>();
    assert_eq!(answers(&parse(&outcome.stdout)), answers(&first));
    assert!(outcome.stderr.contains("30 answers not computed anew"), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("answers: yes-no; change with --kind or `saydo new`\n"), "{}", outcome.stderr);
    let ledger = std::fs::read_to_string(scratch.in_run("ledger.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 30);
}

#[test]
fn starting_anew_keeps_the_old_ledger() {
    let scratch = Scratch::new(5);
    let first = scratch.rows(&[]);
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted", "--no-resume"]);
    assert_eq!(parse(&outcome.stdout), first);
    assert!(outcome.stderr.contains("started anew; what was recorded before is in"), "{}", outcome.stderr);
    assert!(scratch.in_run("ledger.jsonl.1").exists());
}

#[test]
fn several_tasks_have_a_column_each() {
    let scratch = Scratch::new(20);
    scratch.write("length.toml", "title = \"Length\"\ndefinition = \"How long is it?\"\n[answer]\nkind = \"spans\"\n");
    let arguments = ["run", "-t", QUESTION, "-t", "length.toml", "docs.jsonl", "-m", "scripted"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    assert_eq!(rows.len(), 20);
    let alone = Scratch::new(20).rows(&[]);
    for (row, alone) in rows.iter().zip(&alone) {
        let answers = &row["answers"];
        assert_eq!(answers[QUESTION]["answer"], alone["answer"]);
        assert!(answers["Length"]["status"].is_string(), "{row}");
    }
    assert!(outcome.stderr.contains("answers to `Length`: spans\n"), "{}", outcome.stderr);
}

#[test]
fn spans_point_at_their_text() {
    let scratch = Scratch::new(40);
    scratch.write("texts.jsonl", "{\"text\": \"Zürich 🚲 and 東京 are cities.\"}\n{\"text\": \"naïve café\"}\n");
    let arguments = ["run", "Which cities?", "docs.jsonl", "texts.jsonl", "-m", "scripted", "--kind", "spans"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let texts = format!("{}{}", scratch.read("docs.jsonl"), scratch.read("texts.jsonl"));
    let mut spans = 0;
    for (row, line) in parse(&outcome.stdout).iter().zip(texts.lines()) {
        let document: Value = serde_json::from_str(line).unwrap();
        let characters: Vec<char> = document["text"].as_str().unwrap().chars().collect();
        for span in row["spans"].as_array().unwrap() {
            let (start, end) = (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
            assert_eq!(characters[start..end].iter().collect::<String>(), span["text"].as_str().unwrap());
            spans += 1;
        }
    }
    assert!(spans > 10, "{spans}");
}

#[test]
fn standard_input_and_labels_by_flag() {
    let scratch = Scratch::new(8);
    let file = std::fs::File::open(scratch.at("docs.jsonl")).unwrap();
    let arguments = ["run", "How long?", "-", "--field", "text", "--label", "long", "--label", "short", "--json"];
    let mut command = scratch.command(&[&arguments[..], &["-m", "scripted", "--quiet"]].concat());
    let outcome = crate::run::outcome_of(command.stdin(file));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let rows = parse(&outcome.stdout);
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| row["answer"].is_null() || row["answer"] == "long" || row["answer"] == "short"));
}

#[test]
fn a_bad_document_is_a_failed_row_and_exit_code_1() {
    let scratch = Scratch::new(3);
    scratch.write("bad.jsonl", "{\"text\": \"fine\"}\n{\"text\": \n{\"text\": \"fine too\"}\n");
    let outcome = scratch.saydo(&["run", QUESTION, "bad.jsonl", "-m", "scripted"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    assert_eq!((rows.len(), &rows[1]["status"]), (3, &Value::from("failed")));
    assert!(outcome.stderr.contains("1 failed"), "{}", outcome.stderr);
}

#[test]
fn rows_go_to_a_file_of_any_format() {
    let scratch = Scratch::new(4);
    for extension in ["jsonl", "csv", "tsv", "parquet", "md", "html"] {
        let name = format!("out.{extension}");
        let arguments = ["run", QUESTION, "docs.jsonl", "-m", "scripted", "-o", &name];
        let outcome = scratch.saydo(&arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{}", outcome.stderr);
        assert!(std::fs::metadata(scratch.at(&name)).unwrap().len() > 100);
        assert!(outcome.stderr.contains(&format!("output: {name}\n")), "{}", outcome.stderr);
    }
}

#[test]
fn it_gives_up_when_too_many_rows_fail() {
    let scratch = Scratch::new(0);
    let lines: String = (0..60).map(|number| format!("{{\"text\": {number}\n")).collect();
    scratch.write("bad.jsonl", &format!("{{\"text\": \"fine\"}}\n{lines}"));
    let arguments = ["run", QUESTION, "bad.jsonl", "-m", "scripted", "-o", "out.jsonl", "--fail-on-error", "0.5"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("error: 19 of 20 rows failed, expected at most 0.5\n"), "{}", outcome.stderr);
    assert_eq!(parse(&scratch.read("out.jsonl")).len(), 20, "the rows say what went wrong");
}

/// Once, one stray quote in row 10 of 10,000 gave 10 rows and exit code 0.
#[test]
fn a_stray_quote_in_a_table_fails_its_row_and_is_counted() {
    let scratch = Scratch::new(0);
    let row = |number: usize| format!("{number},{}Trail {number}\n", if number == 10 { "\"" } else { "" });
    scratch.write("docs.csv", &(1..=1000).map(row).fold("id,text\n".to_owned(), |table, row| table + &row));
    let outcome = scratch.saydo(&["run", super::QUESTION, "docs.csv", "-m", "scripted"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    let failed: Vec<&Value> = rows.iter().filter(|row| row["status"] == "failed").collect();
    assert_eq!((rows.len(), failed.len()), (1000, 1));
    assert!(
        failed[0]["error"].as_str().is_some_and(|error| error.contains("line 11: unclosed quote")),
        "{}",
        failed[0]
    );
}
