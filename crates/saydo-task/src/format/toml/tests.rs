use super::*;
use crate::source::Source;
use crate::{AnswerKind, Field, FieldKind};
use std::path::Path;

fn source(text: &str) -> Source {
    Source::from_bytes(Path::new("hikes.toml"), text.as_bytes().to_vec()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    read(&source(text)).problems.iter().map(|p| format!("{} {p}", p.code.id())).collect()
}

const HIKES: &str = r#"
title = "Waterfall hikes"
definition = "What waterfall hikes are there in this national park, and are they wheelchair accessible?"

[answer]
kind = "records"
[answer.fields]
"waterfall hike" = "span"
"wheelchair accessible" = "yes-no"

[[positive]]
input = "The Mist Falls trail is steep."
output = '[{"waterfall hike": "Mist Falls trail", "wheelchair accessible": "no"}]'

[[instance]]
input = "No falls here."
output = "n/a"
"#;

#[test]
fn reads_a_task_file_written_by_hand() {
    let reading = read(&source(HIKES));
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    let task = &reading.tasks[0].1;
    assert_eq!(task.id, "hikes");
    let fields = vec![
        Field { name: "waterfall hike".into(), kind: FieldKind::Span },
        Field { name: "wheelchair accessible".into(), kind: FieldKind::YesNo },
    ];
    assert_eq!(task.answer.as_ref().unwrap().kind, AnswerKind::Records(fields));
    assert_eq!(task.instances[0].outputs, ["n/a"]);
}

#[test]
fn what_is_written_reads_back_equal() {
    let task = read(&source(HIKES)).tasks.remove(0).1;
    let again = read(&source(&write(&task).text)).into_tasks().unwrap();
    assert_eq!(again, [task]);
}

#[test]
fn a_field_of_a_record_can_be_one_label_of_a_list() {
    let head = "definition = \"Which trails are there, and is a leash needed?\"\n[answer]\nkind = \"records\"\n[answer.fields]\n";
    let reading = read(&source(&format!("{head}trail = \"span\"\nleash = [\"required\", \"optional\"]\n")));
    let task = reading.into_tasks().unwrap().remove(0);
    let AnswerKind::Records(fields) = &task.answer.as_ref().unwrap().kind else { panic!("no records: {task:?}") };
    let leash = fields.iter().find(|field| field.name == "leash").unwrap();
    assert_eq!(leash.kind, FieldKind::Label(vec!["required".into(), "optional".into()]));
    assert_eq!(read(&source(&write(&task).text)).into_tasks().unwrap(), [task]);
    insta::assert_debug_snapshot!(problems(&format!("{head}leash = [\"required\"]\ntrail = \"label\"\n")), @r#"
    [
        "T010 hikes.toml:5:9: answer.fields.leash: 1 labels, 1 of them different, expected two or more different labels",
        "F005 hikes.toml:6:9: answer.fields.trail: `label`, expected span, yes-no, text or a list of labels",
    ]
    "#);
}

#[test]
fn a_typo_is_an_error_with_its_place() {
    insta::assert_debug_snapshot!(problems("definition = \"Is it?\"\n[answer]\nkind = \"yesno\"\ncolour = 1\n"), @r#"
    [
        "F004 hikes.toml:4:10: answer: unknown field `colour`, expected one of kind, labels, fields, na, metric, competent_at",
        "F005 hikes.toml:3:8: answer.kind: `yesno`, expected yes-no, label, spans, records or text",
    ]
    "#);
    insta::assert_debug_snapshot!(problems("definition = 5\n"), @r#"
    [
        "F001 hikes.toml:1:14: definition: a number, expected a string",
        "T002 hikes.toml:1:1: no description, expected a `definition` or a `prompt`",
    ]
    "#);
}

#[test]
fn broken_syntax_is_placed() {
    insta::assert_debug_snapshot!(problems("definition = \"abc\n"), @r#"
    [
        "S003 hikes.toml:1:18: invalid basic string, expected `\"`",
    ]
    "#);
}

#[test]
fn a_task_states_its_metric_and_level() {
    let head = "definition = \"Are dogs allowed?\"\n[answer]\n";
    let stated = read(&source(&format!("{head}kind = \"yes-no\"\nmetric = \"accuracy\"\ncompetent_at = 0.8\n")));
    let task = stated.into_tasks().unwrap().remove(0);
    let criterion = crate::Criterion { metric: Some(crate::Metric::Accuracy), competent_at: Some(0.8) };
    assert_eq!((task.criterion, &task.answer.as_ref().unwrap().kind), (criterion, &AnswerKind::YesNo));
    assert_eq!(read(&source(&write(&task).text)).into_tasks().unwrap(), [task]);
    // The kind can still be inferred.
    let level = read(&source(&format!("{head}competent_at = 1\n"))).into_tasks().unwrap().remove(0);
    assert_eq!((level.criterion.competent_at, level.answer), (Some(1.0), None));
}

#[test]
fn a_metric_or_level_that_does_not_exist_is_refused() {
    let head = "definition = \"Are dogs allowed?\"\n[answer]\n";
    let found = problems(&format!("{head}metric = \"bleu\"\ncompetent_at = 80\nna = true\n")).join("\n");
    for part in [
        "answer.metric: `bleu`, expected one of f1, accuracy, balanced-accuracy, rouge-l",
        "answer.competent_at: 80, expected a number from 0 to 1",
        "answer.kind: `na` without a kind, expected a kind",
    ] {
        assert!(found.contains(part), "{part} is not in {found}");
    }
}

#[test]
fn raw_instructions_are_kept() {
    let text = "definition = \"Name it.\"\nraw = \"\"\"\nWelcome, worker!\nName it.\n\"\"\"\n";
    let task = read(&source(text)).into_tasks().unwrap().remove(0);
    assert_eq!(task.raw.as_deref(), Some("Welcome, worker!\nName it.\n"));
    assert_eq!(read(&source(&write(&task).text)).into_tasks().unwrap(), [task]);
}
