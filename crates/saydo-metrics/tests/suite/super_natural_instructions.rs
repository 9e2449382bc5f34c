//! Instances of the Super-NaturalInstructions evaluator, scored one by one.

use crate::{assert_near, list, number, text, texts};
use saydo_conformance::{find, read_json_lines};
use saydo_metrics::exact::exact_match;
use saydo_metrics::rouge::{RougeScorer, rouge_l, rouge_tokens};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// What the evaluator gave for an instance, the prediction (empty if missing) and the references.
pub struct Instance {
    row: Value,
    prediction: String,
    references: Vec<String>,
}

/// The instances of a set; where an id repeats, its last line counts.
pub fn instances(folder: &Path) -> Vec<Instance> {
    let by_id = |name: &str, field: &str| -> HashMap<String, Value> {
        let entry = |row: Value| (text(&row["id"]).to_owned(), row[field].clone());
        read_json_lines(&find(folder, name)).into_iter().map(entry).collect()
    };
    let predictions = by_id("predictions.jsonl", "prediction");
    let references = by_id("references.jsonl", "references");
    let join = |row: Value| {
        let id = text(&row["id"]);
        let prediction = predictions.get(id).map_or("", text).to_owned();
        let references = texts(&references[id]).into_iter().map(str::to_owned).collect();
        Instance { row, prediction, references }
    };
    let rows = read_json_lines(&find(folder, "expected_instances.jsonl"));
    let instances: Vec<_> = rows.into_iter().map(join).collect();
    assert!(!instances.is_empty(), "{} holds no instances", folder.display());
    instances
}

pub fn check_exact_match(Instance { row, prediction, references }: &Instance) {
    let expected = row["exact_match"].as_bool().expect("a truth value");
    assert_eq!(exact_match(prediction, references), expected, "{row}");
}

/// The best ROUGE-L over the references; of the cross-lingual track from the evaluator's own tokens.
pub fn check_rouge_l(scorer: &mut RougeScorer, Instance { row, prediction, references }: &Instance) {
    let found = match row.get("prediction_tokens") {
        Some(tokens) => {
            let prediction = texts(tokens);
            let scores = list(&row["reference_tokens"]).iter().map(|tokens| rouge_l(&prediction, &texts(tokens)));
            scores.map(|score| score.f_measure).fold(0.0, f64::max)
        }
        None => {
            let encoded = scorer.encode(prediction);
            let scores = references.iter().map(|text| rouge_l(&encoded, &scorer.encode(text)));
            let best = scores.map(|score| score.f_measure).fold(0.0, f64::max);
            let plain = references.iter().map(|text| rouge_l(&rouge_tokens(prediction), &rouge_tokens(text)));
            assert_eq!(plain.map(|score| score.f_measure).fold(0.0, f64::max), best);
            best
        }
    };
    assert_near(found, number(&row["rougeL"]), 1e-12, &row.to_string());
}
