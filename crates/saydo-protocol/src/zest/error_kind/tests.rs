use super::super::evaluation::tests::{fixture, fixture_records};
use super::super::prediction::{PredictionFormat, read_predictions};
use super::super::{Options, SKIPPED_QUESTION, score};
use super::*;
use crate::Mode;
use saydo_task::format::zest::RecordExample;

fn record(id: &str, question: &str, generalization: &str, answers: &[&str]) -> Record {
    let example =
        |answer: &&str| RecordExample { context: String::new(), answer: Some(Value::String((*answer).to_owned())) };
    Record {
        id: Value::Integer(id.to_owned()),
        question: question.to_owned(),
        generalization: Some(generalization.to_owned()),
        domain: Some("dogs".to_owned()),
        derives_from: Vec::new(),
        examples: answers.iter().map(example).collect(),
        line: 1,
    }
}

fn kinds_of(records: &[Record], predictions: &str, repairs: Repairs) -> ErrorKinds {
    let predictions = read_predictions(predictions, PredictionFormat::Text, repairs).unwrap();
    error_kinds(records, &predictions, repairs).unwrap()
}

/// The kind of a single instance of a question for spans.
fn kind_of(gold: &str, predicted: &str) -> Option<ErrorKind> {
    let record = record("1", "What is it?", "normal", &[gold]);
    kinds_of(&[record], predicted, Repairs::NONE).of_instance[0]
}

#[test]
fn each_kind_is_told_from_gold_and_prediction() {
    let cases = [
        ("elk", "n/a", Some(ErrorKind::Recall)),
        ("n/a", "elk", Some(ErrorKind::Precision)),
        ("n/a", "", Some(ErrorKind::Precision)),
        ("bears|elk", "elk", Some(ErrorKind::Partial)),
        ("elk", "bears|elk", Some(ErrorKind::Partial)),
        ("bears|elk", "The elk|foxes", Some(ErrorKind::Partial)),
        ("black bears|elk", "bears|foxes", Some(ErrorKind::Other)),
        ("about 5 miles", "5 miles", Some(ErrorKind::Other)),
        ("yes", "no", Some(ErrorKind::Other)),
        ("bears|elk", "elk|bears", None),
        ("n/a", "NA", None),
    ];
    for (gold, predicted, kind) in cases {
        let predicted = if predicted.is_empty() { "\"\"" } else { predicted };
        assert_eq!(kind_of(gold, predicted), kind, "{gold} / {predicted}");
    }
}

#[test]
fn structures_are_partial_by_their_fields() {
    let gold = r#"[{"fall": "Bridal", "open": "yes"}]"#;
    let of = |predicted: &str| kinds_of(&[record("1", "What is it?", "structure", &[gold])], predicted, Repairs::NONE);
    let kind = |predicted: &str| of(predicted).of_instance[0];
    assert_eq!(kind(gold), None);
    assert_eq!(kind(r#"[{"fall": "Bridal", "open": "no"}]"#), Some(ErrorKind::Partial));
    assert_eq!(kind(r#"[{"fall": "Vernal", "open": "no"}]"#), Some(ErrorKind::Other));
    assert_eq!(kind("n/a"), Some(ErrorKind::Recall));
    assert_eq!(kind(r#"[{"fall": "n/a", "open": "n/a"}]"#), Some(ErrorKind::Recall));
    assert_eq!(kind(r#"[{"fall": "Bridal", "open"#), Some(ErrorKind::Other));
    let rate = |predicted: &str| (of(predicted).unparsable_structures.count, of(predicted).needless_json.of);
    assert_eq!((rate(gold), rate("n/a"), rate(r#"[{"fall"#)), ((0, 0), (0, 0), (1, 0)));
}

#[test]
fn json_where_none_was_asked_for_is_counted() {
    let records = [record("1", "What is it?", "normal", &["elk", "elk", "5"])];
    let kinds = kinds_of(&records, "[\"elk\"]\nelk\n5", Repairs::from(Mode::Fixed));
    assert_eq!((kinds.needless_json.count, kinds.needless_json.of, kinds.unparsable_structures.share), (1, 3, None));
    assert_eq!((kinds.errors, kinds.kinds[0].share, kinds.kinds[0].interval), (0, None, None));
}

#[test]
fn skipped_tasks_keep_their_place() {
    let records =
        [record("1", SKIPPED_QUESTION, "normal", &["yes", "yes"]), record("2", "What is it?", "normal", &["a"])];
    let kinds = kinds_of(&records, "no\nno\nn/a", Repairs::NONE);
    assert_eq!(kinds.of_instance, [None, None, Some(ErrorKind::Recall)]);
    assert_eq!((kinds.instances, kinds.errors), (1, 1));
    let [skipped, asked] = records;
    let cut_off = kinds_of(&[asked, skipped], "a", Repairs::NONE);
    assert_eq!(cut_off.of_instance, [None; 3], "a skipped task needs no predictions");
}

#[test]
fn predictions_that_cannot_be_read_are_other_errors() {
    let records = [record("1", "What is it?", "normal", &["n/a"])];
    let kinds = kinds_of(&records, "\"a\" or \"b\"", Repairs::from(Mode::Fixed));
    assert_eq!(kinds.of_instance, [Some(ErrorKind::Other)]);
}

#[test]
fn errors_of_the_fixture_are_the_instances_below_one() {
    for mode in [Mode::Strict, Mode::Fixed] {
        let records = fixture_records();
        let predictions = read_predictions(&fixture("predictions.txt"), PredictionFormat::Text, mode.into()).unwrap();
        let kinds = error_kinds(&records, &predictions, mode.into()).unwrap();
        let scores = score(&records, &predictions, &Options::from(mode)).unwrap();
        let instances = scores.tasks.iter().filter_map(|task| task.scored()).flat_map(|task| &task.instances);
        let wrong = instances.filter(|instance| (0.0..1.0).contains(&instance.score)).count();
        assert_eq!(kinds.errors, wrong);
        assert_eq!(kinds.of_instance.len(), scores.n_predictions_needed);
        assert_eq!(kinds.kinds.iter().map(|kind| kind.count).sum::<usize>(), wrong);
        assert!((kinds.kinds.iter().filter_map(|kind| kind.share).sum::<f64>() - 1.0).abs() < 1e-12);
        if mode == Mode::Strict {
            let counts: Vec<_> = kinds.kinds.iter().map(|kind| (kind.kind.name(), kind.count)).collect();
            assert_eq!(counts, [("recall", 0), ("precision", 2), ("partial", 3), ("other", 1)]);
        }
    }
}
