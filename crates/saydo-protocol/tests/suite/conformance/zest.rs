//! The ZEST evaluator: rows for each of its steps, and three whole runs.

#![expect(clippy::unwrap_used, reason = "a vector that does not read must fail the test")]

use saydo_conformance::{Protocol, compare};
use saydo_metrics::python::{Random, round2};
use saydo_protocol::zest::{
    Bag, Options, PredictionFormat, Repairs, Scorer, Side, aligned_mean, answer_sets, exact_match, is_na, normalize,
    percent, question_format, read_predictions, score, span_f1,
};
use saydo_task::format::zest::read_records;
use saydo_task::json;
use saydo_task::node::{Node, Value};
use saydo_task::source::Source;

const TOLERANCE: f64 = 1e-12;

/// The rows of a file, read as Python reads JSON.
fn rows(name: &str) -> Vec<Node> {
    let text = saydo_conformance::text(&format!("zest/{name}"));
    text.lines().map(|line| json::parse(line).unwrap().root).collect()
}

fn text<'a>(row: &'a Node, key: &str) -> &'a str {
    row.get(key).and_then(Node::as_str).unwrap_or_else(|| panic!("{key} in {row:?}"))
}

fn texts(node: &Node) -> Vec<&str> {
    node.as_array().unwrap().iter().map(|node| node.as_str().unwrap()).collect()
}

fn number(node: &Node) -> f64 {
    match &node.value {
        Value::Float(number) => *number,
        Value::Integer(digits) => digits.parse().unwrap(),
        Value::Bool(flag) => f64::from(u8::from(*flag)),
        other => panic!("{other:?}"),
    }
}

fn numbers(node: &Node) -> Vec<f64> {
    node.as_array().unwrap().iter().map(number).collect()
}

fn assert_close(found: f64, expected: f64, what: &dyn std::fmt::Debug) {
    let close = (found - expected).abs() <= TOLERANCE || (found.is_nan() && expected.is_nan());
    assert!(close, "found {found}, expected {expected}: {what:?}");
}

#[test]
fn normalized_texts_and_bags_agree() {
    compare(Protocol::Zest, rows("normalize_rows.jsonl"), |row| {
        let span = text(&row, "text");
        assert_eq!(normalize(span, Repairs::NONE), text(&row, "normalized"), "{span:?}");
        let mut bag = texts(row.get("bag").unwrap());
        bag.sort_unstable();
        assert_eq!(Bag::new(span, Repairs::NONE).words(), bag, "{span:?}");
    });
}

#[test]
fn span_scores_agree() {
    compare(Protocol::Zest, rows("span_rows.jsonl"), |row| {
        let (predicted, gold) = (texts(row.get("predicted").unwrap()), texts(row.get("gold").unwrap()));
        let bags = |spans: &[&str]| spans.iter().map(|span| Bag::new(span, Repairs::NONE)).collect::<Vec<_>>();
        let (predicted_bags, gold_bags) = (bags(&predicted), bags(&gold));
        let found = exact_match(&predicted, &gold, Repairs::NONE);
        assert_eq!(f64::from(u8::from(found)), number(row.get("exact_match").unwrap()), "{row:?}");
        let mean = aligned_mean(&predicted_bags, &gold_bags).unwrap_or(f64::NAN);
        assert_close(mean, number(row.get("aligned_mean_unrounded").unwrap()), &row);
        let f1 = span_f1(&predicted_bags, &gold_bags, Repairs::NONE).unwrap_or(f64::NAN);
        assert_close(f1, number(row.get("f1").unwrap()), &row);
    });
}

#[test]
fn answer_sets_agree() {
    compare(Protocol::Zest, rows("key_value_rows.jsonl"), |row| {
        let object = row.get("object").unwrap().as_object().unwrap();
        let found = answer_sets(object, Side::Gold, Repairs::NONE);
        match row.get("answer_sets") {
            Some(expected) => {
                let expected: Vec<Vec<&str>> = expected.as_array().unwrap().iter().map(texts).collect();
                assert_eq!(found.unwrap(), expected);
            }
            None => assert!(found.is_err(), "{row:?}"),
        }
    });
}

#[test]
fn na_tests_agree() {
    compare(Protocol::Zest, rows("is_na_rows.jsonl"), |row| {
        let found = is_na(&row.get("value").unwrap().value, Side::Predicted, Repairs::NONE);
        match row.get("is_na") {
            Some(expected) => assert_eq!(Value::Bool(found.unwrap()), expected.value, "{row:?}"),
            None => assert!(found.is_err(), "{row:?}"),
        }
    });
}

#[test]
fn prediction_lines_agree() {
    compare(Protocol::Zest, rows("prediction_line_rows.jsonl"), |row| {
        let found = read_predictions(text(&row, "line"), PredictionFormat::Text, Repairs::NONE);
        match row.get("prediction") {
            Some(expected) => {
                let found = found.unwrap();
                assert_eq!((found.len(), found[0].text.as_deref()), (1, Ok(expected.as_str().unwrap())));
            }
            None => assert!(found.is_err(), "{row:?}"),
        }
    });
}

#[test]
fn question_formats_agree() {
    compare(Protocol::Zest, rows("question_format_rows.jsonl"), |row| {
        let found = question_format(text(&row, "question"));
        match row.get("format") {
            Some(expected) => assert_eq!(found, Ok(expected.as_str().unwrap())),
            None => assert!(found.is_err(), "{row:?}"),
        }
    });
}

#[test]
fn rounding_agrees() {
    compare(Protocol::Zest, rows("rounding_rows.jsonl"), |row| {
        let x = number(row.get("x").unwrap());
        assert_eq!(round2(x), number(row.get("rounded2").unwrap()), "{x}");
        assert_eq!(percent(x, Repairs::NONE) as f64, number(row.get("table_percent").unwrap()), "{x}");
    });
}

#[test]
fn random_choices_agree() {
    let root = json::parse(&saydo_conformance::text("zest/random_choice.json")).unwrap().root;
    let mut random = Random::seeded(0);
    compare(Protocol::Zest, root.get("choices").unwrap().as_array().unwrap(), |pair| {
        let pair = numbers(pair);
        assert_eq!(random.choice_index(pair[0] as usize), Some(pair[1] as usize));
    });
}

#[test]
fn instance_scores_and_buckets_agree() {
    compare(Protocol::Zest, rows("instance_rows.jsonl"), |row| {
        let expected = row.get("expected").unwrap();
        // The generator is seeded anew before every row.
        let found = Scorer::new(Repairs::NONE).score(&row.get("answer").unwrap().value, Some(text(&row, "prediction")));
        if expected.get("error").is_some() {
            assert!(found.is_err(), "{row:?}");
            return;
        }
        let found = found.unwrap();
        assert_close(found.score, number(expected.get("score").unwrap()), &row);
        assert_eq!(Value::Bool(found.is_structure), expected.get("structure").unwrap().value, "{row:?}");
        let buckets = expected.get("buckets").unwrap();
        let pairs = [
            (&found.buckets.tp, "tp"),
            (&found.buckets.fp, "fp"),
            (&found.buckets.fn_, "fn"),
            (&found.buckets.tn, "tn"),
        ];
        for (scores, name) in pairs {
            let expected = numbers(buckets.get(name).unwrap());
            assert_eq!(scores.len(), expected.len(), "{name} of {row:?}");
            scores.iter().zip(expected).for_each(|(found, expected)| assert_close(*found, expected, &row));
        }
        assert_eq!(found.buckets.gold_positive() as f64, number(expected.get("gold_positive").unwrap()));
        assert_close(found.buckets.f1(), number(expected.get("task_f1").unwrap()), &row);
    });
}

/// Equal up to the tolerance, with keys in the same order.
fn assert_same(found: &serde_json::Value, expected: &serde_json::Value, at: &str) {
    use serde_json::Value::{Array, Number, Object};
    match (found, expected) {
        (Object(found), Object(expected)) => {
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{at}");
            expected.iter().for_each(|(key, value)| assert_same(&found[key], value, &format!("{at}.{key}")));
        }
        (Array(found), Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{at}");
            found.iter().zip(expected).for_each(|(found, expected)| assert_same(found, expected, at));
        }
        (Number(found), Number(expected)) if expected.is_f64() => {
            assert_close(found.as_f64().unwrap(), expected.as_f64().unwrap(), &at);
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

fn assert_case_agrees(name: &str) {
    let read = |file: &str| saydo_conformance::text(&format!("zest/{name}/{file}"));
    let dev = saydo_conformance::path(&format!("zest/{name}/dev.jsonl"));
    let records = read_records(&Source::load(&dev).unwrap()).unwrap();
    let predictions = read_predictions(&read("predictions.txt"), PredictionFormat::Text, Repairs::NONE).unwrap();
    let scores = score(&records, &predictions, &Options::default()).unwrap();
    let found = serde_json::to_value(&scores).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&read("expected.json")).unwrap();
    compare(Protocol::Zest, expected.as_object().unwrap(), |(key, expected)| assert_same(&found[key], expected, key));
    let expected_tasks = read("expected_tasks.jsonl");
    assert_eq!(scores.tasks.len(), expected_tasks.lines().count());
    compare(Protocol::Zest, scores.tasks.iter().zip(expected_tasks.lines()), |(task, expected)| {
        let expected = serde_json::from_str(expected).unwrap();
        assert_same(&serde_json::to_value(task).unwrap(), &expected, &format!("task {}", task.id));
    });
}

#[test]
fn clean_case_agrees() {
    assert_case_agrees("case1_clean");
}

#[test]
fn noisy_case_agrees() {
    assert_case_agrees("case2_noisy");
}

#[test]
fn edge_case_agrees() {
    assert_case_agrees("case3_edge");
}
