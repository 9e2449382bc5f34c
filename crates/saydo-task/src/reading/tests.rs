//! Rows as the published files have them.

use super::*;
use crate::AnswerKind;
use std::path::Path;

fn questions(name: &str, text: &str) -> Result<Questions, String> {
    let source = Source::from_bytes(Path::new(name), text.as_bytes().to_vec()).map_err(|error| error.to_string())?;
    read(&source).map_err(|error| error.to_string())
}

fn outputs(questions: &Questions) -> Vec<&str> {
    questions.rows.iter().map(|row| row.outputs[0].as_str()).collect()
}

const SQUAD: &str = r#"{"version": "v2.0", "data": [
  {"title": "Forts", "paragraphs": [{"context": "The fort was built in 1820 of stone.", "qas": [
    {"id": "q1", "question": "When was it built?", "answers": [{"text": "1820", "answer_start": 22}, {"text": "in 1820", "answer_start": 19}, {"text": "1820", "answer_start": 22}]},
    {"id": "q2", "question": "Who built it?", "answers": [], "is_impossible": true}]}]},
  {"title": "Ships", "paragraphs": [{"context": "She sank.", "qas": [{"id": "q3", "question": "What did she do?", "answers": [{"text": "sank", "answer_start": 4}]}]}]}]}"#;

#[test]
fn squad_has_questions_with_and_without_an_answer() {
    let read = questions("squad.json", SQUAD).unwrap();
    assert_eq!((read.style, read.rows.len()), (Style::Squad, 3));
    assert_eq!(read.spec, Some(AnswerSpec { kind: AnswerKind::Spans, na: None }));
    assert_eq!((read.rows[0].outputs.len(), read.rows[1].outputs[0].as_str()), (2, NA));
    let ships = read.clone().of_articles(&["Ships".to_owned()]);
    assert_eq!(ships.rows[0].id, "q3");
    let tasks = read.tasks("squad2");
    assert_eq!((tasks[2].id.as_str(), tasks[2].origin.dataset[0].as_str()), ("squad2/q3", "squad2"));
}

#[test]
fn answers_say_what_is_asked() {
    let read = |lines: &str| questions("rows.jsonl", lines).unwrap();
    let boolq = read(
        "{\"question\": \"is it wet\", \"passage\": \"p\", \"answer\": true}\n{\"question\": \"q\", \"passage\": \"p\", \"answer\": \"no\"}",
    );
    assert_eq!((boolq.style, outputs(&boolq)), (Style::Labels, vec!["yes", "no"]));
    assert_eq!(boolq.spec, Some(AnswerSpec { kind: AnswerKind::YesNo, na: Some(false) }));
    let privacy = read(
        "{\"question\": \"q\", \"context\": \"a\", \"answer\": \"True\"}\n{\"question\": \"q\", \"context\": \"b\", \"answer\": \"False\"}",
    );
    assert_eq!((privacy.style, outputs(&privacy), &privacy.spec), (Style::Answerable, vec![ANSWERED, NA], &None));
    let tasks = privacy.tasks("privacyqa");
    assert_eq!((tasks.len(), tasks[0].instances.len()), (1, 2), "one question, two texts");
    let claims = read(
        "{\"passage\": \"p\", \"claim\": \"It rained .\", \"label\": \"Neither\"}\n{\"premise\": \"p\", \"hypothesis\": \"h\", \"label\": \"contradiction\"}",
    );
    assert_eq!((claims.style, outputs(&claims)), (Style::Labels, vec![NA, "no"]));
    assert_eq!(claims.rows[0].question, "Is it true that It rained?");
    assert_eq!(claims.spec, Some(AnswerSpec { kind: AnswerKind::YesNo, na: None }));
    let pubmed = read("{\"question\": \"q\", \"passage\": \"p\", \"answer\": \"maybe\"}");
    assert_eq!(pubmed.spec.unwrap().kind.name(), "label");
    let spans = read(
        "{\"question\": \"q\", \"passage\": \"the red car\", \"answer\": [\"red car\", \"car\"]}\n{\"question\": \"r\", \"passage\": \"x\", \"answer\": null}",
    );
    assert_eq!((spans.style, outputs(&spans)), (Style::Squad, vec!["red car", NA]));
    let free = read("{\"question\": \"q\", \"passage\": \"the red car\", \"answer\": \"a vehicle\"}");
    assert_eq!(free.spec.unwrap().kind, AnswerKind::Text);
}

#[test]
fn what_is_wrong_is_named() {
    let wrong = |lines: &str| questions("rows.jsonl", lines).unwrap_err();
    insta::assert_snapshot!(wrong("{\"question\": \"q\", \"answer\": \"a\"}"), @"rows.jsonl:1:1: no such field, expected one of `passage`, `context`, `premise`, `text`, `document`");
    assert!(
        wrong("{\"claim\": \"c\", \"passage\": \"p\", \"label\": \"perhaps\"}")
            .contains("`perhaps`, expected a verdict")
    );
    assert!(questions("x.json", "{\"data\": []}").unwrap_err().contains("SQuAD's JSON"));
}

#[test]
fn draws_are_fixed_by_their_seed() {
    let line =
        |number: usize| format!("{{\"question\": \"q{}\", \"passage\": \"p\", \"answer\": \"yes\"}}\n", number / 2);
    let all = questions("rows.jsonl", &(0..40).map(line).collect::<String>()).unwrap();
    let ids = |questions: Questions| questions.rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    let drawn = ids(all.clone().drawn(5, 1, "x"));
    assert_eq!((drawn.len(), &drawn), (5, &ids(all.clone().drawn(5, 1, "x"))));
    assert_ne!(drawn, ids(all.clone().drawn(5, 2, "x")));
    assert_eq!(ids(all.clone().of_rows(38..99)), ["line 39", "line 40"]);
    assert_eq!(ids(all.of_questions(1..2)), ["line 3", "line 4"]);
}

#[test]
fn whole_tasks_of_every_kind_are_drawn() {
    let tasks: Vec<Task> =
        crate::everyday::load("everyday/plans").unwrap().into_iter().map(|located| located.task).collect();
    let all = tasks.len();
    let drawn = drawn_tasks(tasks.clone(), 200, 1, "plans");
    let kinds: std::collections::BTreeSet<&str> =
        drawn.iter().map(|task| task.answer.as_ref().unwrap().kind.name()).collect();
    assert_eq!((drawn.len(), kinds.len()), (8, 4));
    assert_eq!(drawn_tasks(tasks.clone(), 1, 1, "plans").len(), 1);
    assert_eq!(drawn_tasks(tasks, usize::MAX, 1, "plans").len(), all);
}
