//! Scores against values that the reference programs computed.

mod conformance;
mod outside;
mod super_natural_instructions;

use saydo_metrics::rouge::{rouge_1, rouge_l, rouge_tokens};
use serde_json::Value;

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn texts(value: &Value) -> Vec<&str> {
    list(value).iter().map(text).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}

/// Tokens and scores of a prediction and its target, against those of `rouge-score`.
fn check_rouge_pair(row: &Value) {
    let (prediction, target) = (rouge_tokens(text(&row["prediction"])), rouge_tokens(text(&row["target"])));
    assert_eq!(prediction, texts(&row["prediction_tokens"]));
    assert_eq!(target, texts(&row["target_tokens"]));
    let score = rouge_l(&prediction, &target);
    let unigram = rouge_1(&prediction, &target);
    let found = [score.precision, score.recall, score.f_measure, unigram.f_measure];
    for (found, name) in found.into_iter().zip(["precision", "recall", "rougeL", "rouge1"]) {
        assert_near(found, number(&row[name]), 1e-12, &format!("{name} of {row}"));
    }
}
