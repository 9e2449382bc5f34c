use super::super::prediction::{PredictionFormat, read_predictions};
use super::*;
use saydo_task::format::zest::read_records;
use saydo_task::node::{Node, Value};
use saydo_task::source::Source;
use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/zest").join(name)
}

pub(in crate::zest) fn fixture(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

pub(in crate::zest) fn fixture_records() -> Vec<Record> {
    read_records(&Source::load(&path("dev.jsonl")).unwrap()).unwrap()
}

fn run(predictions: &str, repairs: Repairs) -> Result<ZestScores, Error> {
    let predictions = read_predictions(predictions, PredictionFormat::Text, repairs)?;
    score(&fixture_records(), &predictions, &Options { repairs, ..Options::default() })
}

/// Read with our own parser, whose floats are exact to the last bit.
fn parsed(text: &str) -> Value {
    strip_offsets(saydo_task::json::parse(text).unwrap().root).value
}

fn strip_offsets(node: Node) -> Node {
    let value = match node.value {
        Value::Array(items) => Value::Array(items.into_iter().map(strip_offsets).collect()),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(key, node)| (key, strip_offsets(node))).collect())
        }
        scalar => scalar,
    };
    Node { offset: 0, value }
}

#[test]
fn strict_scores_of_the_fixture_are_those_of_the_reference() {
    let scores = run(&fixture("predictions.txt"), Repairs::NONE).unwrap();
    let found = parsed(&serde_json::to_string(&scores).unwrap());
    let entry = |value: &Value, key: &str| match value {
        Value::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node.clone()),
        _ => None,
    };
    let expected = parsed(&fixture("expected.json"));
    for key in ["official", "standard", "table_csv", "n_tasks", "n_predictions_needed", "n_prediction_lines"] {
        assert!(entry(&expected, key).is_some());
        assert_eq!(entry(&found, key), entry(&expected, key), "{key}");
    }
    for (task, expected) in scores.tasks.iter().zip(fixture("expected_tasks.jsonl").lines()) {
        assert_eq!(parsed(&serde_json::to_string(task).unwrap()), parsed(expected));
    }
}

#[test]
fn fixed_mode_repairs_na_and_key_order_and_reports_more() {
    let scores = run(&fixture("predictions.txt"), Mode::Fixed.into()).unwrap();
    insta::assert_snapshot!(scores.table_csv, @r"
    ,mean,75,90
    paraphrase,72,50,0
    target_semantics,86,100,0
    combination,67,0,0
    structure,85,100,0
    normal,97,100,75
    average,81,70,15
    ");
    assert_eq!(scores.mode, Some(Mode::Fixed));
    let instances = scores.instances.unwrap();
    assert_eq!((instances.rows.0.len(), instances.n), (5, 36));
}

#[test]
fn the_gold_answers_are_perfect_in_fixed_mode() {
    let first = |answer: &Option<Value>| match answer {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => items[0].as_str().unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    let records = fixture_records();
    let lines: Vec<String> = records
        .iter()
        .flat_map(|record| &record.examples)
        .map(|example| serde_json::to_string(&first(&example.answer)).unwrap())
        .collect();
    let scores = run(&lines.join("\n"), Mode::Fixed.into()).unwrap();
    assert_eq!((scores.official.average.cells(), scores.official.overall), ([1.0; 3], 100));
}

#[test]
fn intervals_hold_the_official_numbers() {
    let scores = run(&fixture("predictions.txt"), Repairs::NONE).unwrap();
    let intervals = scores.intervals.unwrap();
    assert_eq!(intervals.0.len(), 6);
    for (name, row) in &scores.official.rows.0 {
        let [low, high] = intervals.get(name).unwrap().mean;
        assert!(low <= row.mean + 1e-9 && row.mean <= high + 1e-9, "{name}");
    }
    let [low, high] = intervals.get("average").unwrap().mean;
    assert!(low < scores.official.average.mean && scores.official.average.mean < high);
}

#[test]
fn the_skipped_question_uses_up_its_predictions_and_counts_nowhere() {
    let mut records = fixture_records();
    records[7].question = super::super::task_score::SKIPPED_QUESTION.to_owned();
    let predictions = read_predictions(&fixture("predictions.txt"), PredictionFormat::Text, Repairs::NONE).unwrap();
    let scores = score(&records, &predictions, &Options::default()).unwrap();
    assert_eq!(serde_json::to_string(&scores.tasks[7]).unwrap(), r#"{"id":"presidents-1","skipped":true}"#);
    assert_eq!(scores.tasks[8].scored().unwrap().official, None, "its base is not there");
    let repaired = Options { repairs: Repairs::NONE.with(quirk::SKIPPED), ..Options::default() };
    assert!(score(&records, &predictions, &repaired).unwrap().tasks[7].scored().is_some());
    // A skipped task at the end needs no predictions.
    records.swap(7, 8);
    assert!(score(&records, &predictions[..32], &Options::default()).is_ok());
}

#[test]
fn errors_say_where() {
    let fixture = fixture("predictions.txt");
    let number = fixture.replace("[\\\"boulders\\\", \\\"a half-mile walk\\\"]", "5");
    insta::assert_snapshot!(run(&number, Repairs::NONE).unwrap_err(), @"task parks-2, example 3, prediction line 28: the prediction holds a number, expected text");
    let fixed = run(&number, Mode::Fixed.into()).unwrap();
    assert_eq!(fixed.n_unscored, 1);
    insta::assert_snapshot!(run(&(fixture.clone() + "x\n"), Mode::Fixed.into()).unwrap_err(), @"found 37 predictions, expected 36");
    assert!(run(&(fixture + "x\n"), Repairs::NONE).is_ok());
}

#[test]
fn unknown_first_words_and_missing_types_stop_the_run_unless_repaired() {
    let mut records = fixture_records();
    records[0].question = "Name the falls".to_owned();
    records[1].domain = None;
    let predictions = read_predictions(&fixture("predictions.txt"), PredictionFormat::Text, Repairs::NONE).unwrap();
    let error = score(&records, &predictions, &Options::default()).unwrap_err();
    insta::assert_snapshot!(error, @"task parks-1: found a question that starts with `name`, expected a known first word");
    let first_word = Repairs::NONE.with(quirk::FIRST_WORD);
    let error = score(&records, &predictions, &Options { repairs: first_word, ..Options::default() }).unwrap_err();
    insta::assert_snapshot!(error, @"task parks-1-p: found no `domain` in its type");
    let repairs = first_word.with(quirk::NO_BASE);
    let scores = score(&records, &predictions, &Options { repairs, ..Options::default() }).unwrap();
    assert!(scores.standard.format.get("unknown").is_some() && scores.standard.domain.get("unknown").is_some());
}

#[test]
fn a_prediction_for_another_task_is_refused() {
    let mut predictions = read_predictions(&fixture("predictions.txt"), PredictionFormat::Text, Repairs::NONE).unwrap();
    predictions[0].task = Some("parks-1".to_owned());
    predictions[4].task = Some("parks-1".to_owned());
    let error = score(&fixture_records(), &predictions, &Options::default()).unwrap_err();
    insta::assert_snapshot!(error, @"task parks-1-p, example 0, prediction line 5: found a prediction for task parks-1");
}

#[test]
fn missing_answers_and_no_tasks_are_errors() {
    let mut records = fixture_records();
    records[2].examples[1].answer = None;
    let predictions = read_predictions(&fixture("predictions.txt"), PredictionFormat::Text, Repairs::NONE).unwrap();
    for mode in [Mode::Strict, Mode::Fixed] {
        let error = score(&records, &predictions, &mode.into()).unwrap_err();
        assert_eq!(error.to_string(), "task dogs-1, example 1, prediction line 10: the gold answer is missing");
    }
    assert!(matches!(score(&[], &predictions, &Options::default()), Err(Error::NoBaseTask)));
    assert!(matches!(score(&[], &[], &Mode::Fixed.into()), Err(Error::NoTask)));
}
