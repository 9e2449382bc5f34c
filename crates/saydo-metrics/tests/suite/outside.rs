//! Vectors that hold published text and so stay outside the repository.

use crate::super_natural_instructions::{Instance, check_exact_match, check_rouge_l, instances};
use crate::{assert_near, check_rouge_pair, list, number, text, texts};
use saydo_conformance::{Protocol, compare, json_lines, outside, read, read_json_lines};
use saydo_metrics::mean::sequential_sum;
use saydo_metrics::rouge::{RougeScorer, rouge_l};
use serde_json::Value;
use std::collections::HashMap;

fn sets() -> Vec<Instance> {
    let folder = outside("vectors/superni");
    ["set1_plain", "set2_missing", "set3_edge"].iter().flat_map(|set| instances(&folder.join(set))).collect()
}

#[test]
#[ignore = "needs ../shared: references of Super-NaturalInstructions"]
fn exact_match_of_every_published_instance_equals_the_reference() {
    compare(Protocol::SuperNaturalInstructions, sets(), |instance| check_exact_match(&instance));
}

#[test]
#[ignore = "needs ../shared: references of Super-NaturalInstructions"]
fn rouge_l_of_every_published_instance_equals_the_reference() {
    let mut scorer = RougeScorer::new();
    compare(Protocol::SuperNaturalInstructions, sets(), |instance| check_rouge_l(&mut scorer, &instance));
}

#[test]
#[ignore = "needs ../shared: predictions of GPT-3 with their references"]
fn tokens_and_scores_of_published_pairs_equal_the_reference() {
    let rows = read_json_lines(&outside("vectors/rouge/pairs.jsonl"));
    compare(Protocol::NaturalInstructions, rows, |row| check_rouge_pair(&row));
}

/// The score of each prediction by file: the best over the references of its instance.
fn gpt3_scores() -> HashMap<String, Vec<f64>> {
    let references: Value =
        serde_json::from_str(&read(&outside("vectors/rouge/gpt3_references.json"))).expect("the references are JSON");
    let mut scorer = RougeScorer::new();
    let mut scores = HashMap::new();
    for file in read_json_lines(&outside("vectors/rouge/gpt3_predictions.jsonl")) {
        let task = &references[text(&file["task"])];
        let mut best = |prediction: &Value| {
            let encoded = scorer.encode(text(&prediction[1]));
            let targets = texts(&task[prediction[0].to_string()]);
            targets.iter().map(|target| rouge_l(&encoded, &scorer.encode(target)).f_measure).fold(0.0, f64::max)
        };
        scores.insert(text(&file["file"]).to_owned(), list(&file["predictions"]).iter().map(&mut best).collect());
    }
    scores
}

#[test]
#[ignore = "needs ../shared: predictions of GPT-3 with their references"]
fn gpt3_predictions_score_as_published() {
    let scores = gpt3_scores();
    compare(Protocol::NaturalInstructions, json_lines("natural-instructions/gpt3_files.jsonl"), |row| {
        let scores = &scores[text(&row["file"])];
        assert_eq!(scores.len() as u64, row["n"].as_u64().expect("a count"));
        let mean = sequential_sum(scores) / scores.len() as f64;
        assert_near(mean, number(&row["rougeL_full"]), 1e-9, text(&row["file"]));
    });
    compare(Protocol::NaturalInstructions, json_lines("natural-instructions/gpt3_item_scores.jsonl"), |row| {
        let scores = &scores[text(&row["file"])];
        assert_eq!(scores.len(), list(&row["scores"]).len());
        for (&found, expected) in scores.iter().zip(list(&row["scores"])) {
            assert_near(found, number(expected), 1e-9, text(&row["file"]));
        }
    });
}
