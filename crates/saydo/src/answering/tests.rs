use super::*;
use crate::record::{Keys, Ledger};
use saydo_corpus::{Document, Row, Status, Unreadable};
use saydo_function::Outcome;
use saydo_task::Answer;
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

fn document(number: usize, text: &str) -> Result<Document, Unreadable> {
    Ok(Document {
        id: Value::from(number),
        source: format!("docs.jsonl:{number}"),
        text: text.to_owned(),
        question: None,
    })
}

fn numbered(count: usize) -> impl Iterator<Item = Result<Document, Unreadable>> {
    (0..count).map(|number| document(number, &format!("text {number}")))
}

/// Answers a text; one with `bad` in it cannot be answered.
fn answer(task: &str, text: &str) -> Result<Outcome, saydo_function::Error> {
    match text.contains("bad") {
        true => Err(saydo_function::Error::Unparsable {
            expected: "a label".to_owned(),
            reply: text.to_owned(),
            ungrounded: 2,
        }),
        false => Ok(Outcome {
            answer: Answer::Text(format!("{task}: {text}")),
            confidence: None,
            windows: 1,
            na_log_odds: None,
            ungrounded: 1,
            evidence: Vec::new(),
        }),
    }
}

/// Columns whose function keeps up to seven texts in flight and answers the last one first. It counts what it is asked.
fn columns<'a>(tasks: &'a [&'a str], asked: &'a Cell<usize>) -> Columns<'a, (usize, String)> {
    let keys = tasks.iter().map(|task| Keys::new(&json!(task), "model")).collect();
    let ask = |column, document: &Document| Ok((column, document.text.clone()));
    Columns::new(keys, ask, move |questions, done| {
        let mut flying: Vec<(usize, (usize, String))> = Vec::new();
        let mut taken = 0;
        loop {
            while flying.len() < 7
                && let Some(question) = questions.next()
            {
                flying.push((taken, question));
                taken += 1;
            }
            let Some((index, (column, text))) = flying.pop() else { return Ok(()) };
            asked.set(asked.get() + 1);
            done(index, answer(tasks[column], &text));
        }
    })
}

struct Scratch {
    _folder: TempDir,
    path: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("ledger.jsonl");
        Self { _folder: folder, path }
    }

    /// Runs the documents through the tasks and gives the rows, the summary and how much was computed.
    fn run_with(
        &self,
        tasks: &[&str],
        documents: impl Iterator<Item = Result<Document, Unreadable>>,
        (settings, retry_errors): (&Settings, bool),
        stop_after: Option<usize>,
    ) -> (Vec<Row>, Result<Summary, Error>, usize) {
        let asked = Cell::new(0);
        let columns = columns(tasks, &asked);
        let mut ledger = Ledger::open(&self.path, &[]).expect("nobody else has it");
        let mut memory = Memory::ledger(&mut ledger, retry_errors);
        let (mut rows, stop) = (Vec::new(), AtomicBool::new(false));
        let mut documents = documents;
        let result = rows_of(&columns, &mut documents, &mut memory, settings, &stop, &mut |finished| {
            rows.push(finished.row.clone());
            stop.store(stop_after.is_some_and(|count| rows.len() >= count), Ordering::Relaxed);
            Ok(())
        });
        (rows, result, asked.get())
    }

    fn run(&self, tasks: &[&str], count: usize) -> (Vec<Row>, Summary, usize) {
        let (rows, summary, asked) = self.run_with(tasks, numbered(count), (&Settings::new("m"), false), None);
        (rows, summary.expect("it runs to its end"), asked)
    }
}

fn ids(rows: &[Row]) -> Vec<u64> {
    rows.iter().filter_map(|row| row.id.as_u64()).collect()
}

#[test]
fn rows_come_in_the_order_of_the_documents() {
    for tasks in [&["a"][..], &["a", "b", "c"]] {
        for window in [1, 3, 100] {
            let settings = Settings { window, ..Settings::new("m") };
            let (rows, summary, asked) = Scratch::new().run_with(tasks, numbered(50), (&settings, false), None);
            let summary = summary.unwrap();
            assert_eq!(ids(&rows), (0..50).collect::<Vec<_>>());
            assert_eq!((asked, summary.rows, summary.interrupted), (50 * tasks.len(), 50, false));
            assert_eq!(rows[7].cells.last().unwrap().answer, format!("{}: text 7", tasks.last().unwrap()));
        }
    }
}

#[test]
fn what_is_recorded_is_not_computed_again() {
    let scratch = Scratch::new();
    let (first, _, asked) = scratch.run(&["a"], 20);
    assert_eq!(asked, 20);
    let (second, summary, asked) = scratch.run(&["a"], 30);
    assert_eq!((asked, summary.computed), (10, 10));
    assert_eq!(second[..20], first);
    let (_, _, asked) = scratch.run(&["a", "b"], 30);
    assert_eq!(asked, 30, "only the new task");
}

#[test]
fn equal_texts_are_computed_once() {
    let documents = (0..40).map(|number| document(number, if number % 2 == 0 { "even" } else { "odd" }));
    let (rows, summary, asked) = Scratch::new().run_with(&["a"], documents, (&Settings::new("m"), false), None);
    assert_eq!((rows.len(), asked, summary.unwrap().computed), (40, 2, 2));
    assert_eq!(rows[38].cells[0].answer, "a: even");
}

#[test]
fn what_cannot_be_read_is_a_failed_row_that_is_not_recorded() {
    let scratch = Scratch::new();
    let unreadable = || {
        let reason = "it is not UTF-8".to_owned();
        Err(Unreadable { id: json!("x"), source: "x.txt".to_owned(), reason })
    };
    let documents = [document(0, "a"), unreadable(), document(2, "b")];
    let (rows, summary, _) = scratch.run_with(&["a", "b"], documents.into_iter(), (&Settings::new("m"), false), None);
    let summary = summary.unwrap();
    assert_eq!((summary.rows, summary.rows_failed, summary.columns[1].failed), (3, 1, 1));
    assert_eq!(rows[1].cells[0].error.as_deref(), Some("it is not UTF-8"));
    assert_eq!(Ledger::open(&scratch.path, &[]).unwrap().len(), 4);
}

#[test]
fn errors_are_kept_until_they_are_asked_for_again() {
    let scratch = Scratch::new();
    let documents = || [document(0, "good"), document(1, "bad"), document(2, "bad")].into_iter();
    let (rows, _, asked) = scratch.run_with(&["a"], documents(), (&Settings::new("m"), false), None);
    assert_eq!((rows[1].cells[0].status, asked), (Status::Unparsable, 2));
    assert_eq!(rows[1].cells[0].error.as_deref(), Some("the reply is not a label: \"bad\""));
    let (_, _, asked) = scratch.run_with(&["a"], documents(), (&Settings::new("m"), false), None);
    assert_eq!(asked, 0);
    let retrying = Settings { window: 1, ..Settings::new("m") };
    let (_, summary, asked) = scratch.run_with(&["a"], documents(), (&retrying, true), None);
    assert_eq!((asked, summary.unwrap().rows_failed), (1, 2), "once, though two documents have the text");
}

#[test]
fn stopped_it_finishes_what_is_in_flight_and_goes_on_later() {
    for tasks in [&["a"][..], &["a", "b"]] {
        let scratch = Scratch::new();
        let settings = Settings { window: 16, ..Settings::new("m") };
        let (rows, summary, asked) = scratch.run_with(tasks, numbered(100), (&settings, false), Some(10));
        assert!(summary.unwrap().interrupted);
        assert_eq!(ids(&rows), (0..rows.len() as u64).collect::<Vec<_>>());
        assert!((10..40).contains(&rows.len()), "{}", rows.len());
        let (rows, summary, again) = scratch.run_with(tasks, numbered(100), (&settings, false), None);
        assert!(!summary.unwrap().interrupted);
        assert_eq!((rows.len(), asked + again), (100, 100 * tasks.len()), "nothing was computed twice");
    }
}

#[test]
fn it_gives_up_when_too_many_rows_failed() {
    let documents = (0..200).map(|number| document(number, &format!("{number} bad")));
    let settings = Settings { fail_on_error: Some(FailOnError::Share(0.1)), window: 8, ..Settings::new("m") };
    let scratch = Scratch::new();
    let (rows, result, _) = scratch.run_with(&["a"], documents, (&settings, false), None);
    assert_eq!(rows.len(), 20);
    insta::assert_snapshot!(result.unwrap_err(), @"20 of 20 rows failed, expected at most 0.1");
    assert!(Ledger::open(&scratch.path, &[]).unwrap().len() < 40);
}

#[test]
fn an_output_that_fails_stops_the_run_and_keeps_the_answers() {
    let scratch = Scratch::new();
    let asked = Cell::new(0);
    let mut ledger = Ledger::open(&scratch.path, &[]).unwrap();
    let (columns, stop) = (columns(&["a"], &asked), AtomicBool::new(false));
    let settings = Settings { window: 8, ..Settings::new("m") };
    let fail = &mut |_: Finished<'_>| Err("no space left".into());
    let result = rows_of(&columns, &mut numbered(100), &mut Memory::ledger(&mut ledger, false), &settings, &stop, fail);
    assert!(matches!(result, Err(Error::Row(error)) if error.to_string() == "no space left"));
    assert!(asked.get() < 20);
    assert_eq!(ledger.len(), asked.get());
}

#[test]
fn a_function_that_fails_as_a_whole_stops_the_run() {
    let scratch = Scratch::new();
    let mut ledger = Ledger::open(&scratch.path, &[]).unwrap();
    let keys = vec![Keys::new(&json!("a"), "model")];
    let ask = |_, document: &Document| Ok(document.text.clone());
    let columns = Columns::new(keys, ask, |questions, done| {
        questions.next();
        questions.next();
        done(1, answer("a", "text 1"));
        Err(saydo_function::Error::EmptyDescription)
    });
    let stop = AtomicBool::new(false);
    let result = rows_of(
        &columns,
        &mut numbered(9),
        &mut Memory::ledger(&mut ledger, false),
        &Settings::new("m"),
        &stop,
        &mut |_| Ok(()),
    );
    assert!(matches!(result, Err(Error::Function(_))));
    assert_eq!(ledger.len(), 1);
}

#[test]
fn no_documents_give_no_rows() {
    let (rows, summary, _) = Scratch::new().run(&["a", "b"], 0);
    assert_eq!((rows.len(), summary.rows, summary.interrupted), (0, 0, false));
}
