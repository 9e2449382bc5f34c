//! `--question-column`: tables with a question in each row.

use super::{Scratch, parse};
use serde_json::{Value, json};

const QUESTIONS: [&str; 3] =
    ["Are dogs allowed on this trail?", "Is the trail long?", "What is the name of the trail?"];

/// A table with three questions in turn.
fn table(scratch: &Scratch, rows: usize) {
    let row = |number: usize| {
        let text = format!("Trail {number} is {} miles long. Dogs must be on a leash.", number * 7 % 13);
        format!("{}\n", json!({"id": number, "q": QUESTIONS[number % 3], "passage": text}))
    };
    scratch.write("table.jsonl", &(0..rows).map(row).collect::<String>());
}

fn run(scratch: &Scratch, more: &[&str]) -> Vec<Value> {
    let outcome = scratch.saydo(&[&["run", "table.jsonl", "--question-column", "q", "-m", "scripted"], more].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    parse(&outcome.stdout)
}

#[test]
fn each_row_is_answered_as_its_question_alone_would_be() {
    let scratch = Scratch::new(0);
    table(&scratch, 150);
    let rows = run(&scratch, &[]);
    assert_eq!(
        rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>(),
        (0..150).map(Value::from).collect::<Vec<_>>()
    );
    for (place, question) in QUESTIONS.into_iter().enumerate() {
        let alone = scratch.saydo(&["run", question, "table.jsonl", "--column", "passage", "-m", "scripted"]);
        for (row, expected) in rows.iter().zip(parse(&alone.stdout)).skip(place).step_by(3) {
            assert_eq!(
                (&row["answer"], &row["spans"], &row["confidence"]),
                (&expected["answer"], &expected["spans"], &expected["confidence"]),
                "{question}"
            );
        }
    }
    let spans = rows.iter().skip(2).step_by(3).filter(|row| row["answer"].is_array()).count();
    assert!(spans > 0, "the kind of an answer is that of its question");
}

#[test]
fn a_second_run_reads_back_and_a_new_question_is_asked() {
    let scratch = Scratch::new(0);
    table(&scratch, 30);
    let first = run(&scratch, &[]);
    scratch.write("table.jsonl", &scratch.read("table.jsonl").replacen(QUESTIONS[1], "Is the trail short?", 1));
    let outcome = scratch.saydo(&["run", "table.jsonl", "--question-column", "q", "-m", "scripted"]);
    assert!(outcome.stderr.contains("29 answers not computed anew"), "{}", outcome.stderr);
    let second = parse(&outcome.stdout);
    assert_eq!((&second[0], &second[2..]), (&first[0], &first[2..]));
}

#[test]
fn every_kind_of_table_has_questions() {
    let scratch = Scratch::new(0);
    scratch.write("a.csv", "id,question,text\n1,Is it wet?,It rains.\n2,,It rains.\n");
    scratch.write("b.tsv", "question\ttext\nIs it dry?\tIt rains.\n");
    scratch.write("c.json", r#"[{"question": "Is it wet?", "text": "It rains."}, {"text": "It rains."}, "It rains."]"#);
    let arguments = ["run", "a.csv", "b.tsv", "c.json", "--question-column", "question", "-m", "scripted"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    let errors: Vec<&str> = rows.iter().map(|row| row["error"].as_str().unwrap_or_default()).collect();
    assert_eq!(
        errors.iter().map(|error| !error.is_empty()).collect::<Vec<_>>(),
        [false, true, false, false, true, true]
    );
    assert!(errors[1].contains("its question is empty") && errors[4].contains("no column `question`"), "{errors:?}");
    for output in ["out.csv", "out.md", "out.html"] {
        assert_eq!(scratch.saydo(&[&arguments[..], &["-o", output]].concat()).code, 1);
    }
    let kind = ["--kind", "yes-no", "-o", "out.parquet"];
    assert_eq!(scratch.saydo(&[&arguments[..], &kind].concat()).code, 1);
}

#[test]
fn what_does_not_go_with_questions_is_said() {
    let scratch = Scratch::new(3);
    scratch.write("one.txt", "It rains.");
    let said = |arguments: &[&str]| {
        let outcome = scratch.saydo(&[&["run"], arguments, &["-m", "scripted"]].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
        outcome.stderr
    };
    let none = said(&["docs.jsonl", "--question-column", "txt"]);
    assert!(none.contains("docs.jsonl has no column `txt`, expected one of: id, text"), "{none}");
    let text = said(&["one.txt", "--question-column", "q"]);
    assert!(text.contains("one.txt is one text without columns, expected a table with a column `q`"), "{text}");
    let both = said(&["docs.jsonl", "--question-column", "id", "--task", "Is it wet?"]);
    assert!(both.contains("cannot be used with"), "{both}");
    table(&scratch, 3);
    let parquet = said(&["table.jsonl", "--question-column", "q", "-o", "out.parquet"]);
    assert!(parquet.contains("say --kind, or write .jsonl"), "{parquet}");
}
