//! Exact match of Super-NaturalInstructions, and ROUGE-L on the instances of its evaluator.

use std::collections::HashMap;

use crate::{assert_near, list, number, rows, text, texts};
use saydo_metrics::exact::{exact_match, normalize_exact};
use saydo_metrics::rouge::{RougeScorer, rouge_l, rouge_tokens};
use serde_json::Value;

const SETS: [&str; 3] = ["set1_plain", "set2_missing", "set3_edge"];

#[test]
fn normalization_equals_the_reference() {
    for row in rows("superni/normalize_rows.jsonl").unwrap_or_default() {
        assert_eq!(normalize_exact(text(&row["text"])), text(&row["normalized"]), "{row}");
    }
}

/// An instance of a set: the expected scores, the prediction (empty if missing) and the references.
type Instance = (Value, String, Vec<String>);

/// The instances of a set; where an id repeats, its last line counts.
fn instances(set: &str) -> Option<Vec<Instance>> {
    let by_id = |name: &str, field: &str| -> Option<HashMap<String, Value>> {
        let entry = |row: Value| (text(&row["id"]).to_owned(), row[field].clone());
        Some(rows(&format!("superni/{set}/{name}.jsonl"))?.into_iter().map(entry).collect())
    };
    let predictions = by_id("predictions", "prediction")?;
    let references = by_id("references", "references")?;
    let join = |row: Value| {
        let id = text(&row["id"]);
        let prediction = predictions.get(id).map_or("", text).to_owned();
        let references = texts(&references[id]).into_iter().map(str::to_owned).collect();
        (row, prediction, references)
    };
    Some(rows(&format!("superni/{set}/expected_instances.jsonl"))?.into_iter().map(join).collect())
}

#[test]
fn exact_match_of_every_instance_equals_the_reference() {
    for set in SETS {
        for (row, prediction, references) in instances(set).unwrap_or_default() {
            let expected = row["exact_match"].as_bool().expect("a truth value");
            assert_eq!(exact_match(&prediction, &references), expected, "{set}: {row}");
        }
    }
}

#[test]
fn rouge_l_of_every_instance_equals_the_reference() {
    let mut scorer = RougeScorer::new();
    for set in SETS {
        for (row, prediction, references) in instances(set).unwrap_or_default() {
            let found = match row.get("prediction_tokens") {
                Some(tokens) => {
                    let prediction = texts(tokens);
                    let scores =
                        list(&row["reference_tokens"]).iter().map(|tokens| rouge_l(&prediction, &texts(tokens)));
                    scores.map(|score| score.f_measure).fold(0.0, f64::max)
                }
                None => {
                    let encoded = scorer.encode(&prediction);
                    let scores = references.iter().map(|text| rouge_l(&encoded, &scorer.encode(text)));
                    let best = scores.map(|score| score.f_measure).fold(0.0, f64::max);
                    let plain = references.iter().map(|text| rouge_l(&rouge_tokens(&prediction), &rouge_tokens(text)));
                    assert_eq!(plain.map(|score| score.f_measure).fold(0.0, f64::max), best);
                    best
                }
            };
            assert_near(found, number(&row["rougeL"]), 1e-12, &format!("{set}: {row}"));
        }
    }
}
