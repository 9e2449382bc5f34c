//! Super-NaturalInstructions scores against golden files made by hand, and how a folder of vectors is scored.

use saydo_conformance::{Protocol, compare, find, read, read_json_lines};
use saydo_protocol::super_natural_instructions::{Metric, Options, Report, score};
use serde_json::{Map, Value};
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/super-natural-instructions");

fn score_folder(folder: &Path) -> Report {
    score(&find(folder, "references.jsonl"), &find(folder, "predictions.jsonl"), &Options::default())
        .expect("the files are sound")
}

pub fn json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).expect("the file is JSON")
}

/// The same keys in the same order with the same numbers.
fn assert_flat(found: &Map<String, Value>, expected: &Value) {
    let expected = expected.as_object().expect("the result is an object");
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (key, value) in expected {
        assert_eq!(found[key].as_f64(), value.as_f64(), "{key}");
    }
}

#[test]
fn the_fixtures_score_as_worked_out_by_hand() {
    let folder = Path::new(FIXTURES);
    let report = score_folder(folder);
    assert_flat(&report.scores, &json(&folder.join("expected.json")));
    let details = &report.details;
    let counts = (details.unknown_ids, details.repeated_predictions, details.repeated_references, details.other_tracks);
    assert_eq!(counts, (1, 1, 1, 1));
    assert_eq!((details.tracks[0].n, details.tracks[0].missing), (5, 1));
    let headline: Vec<_> = details.headline.iter().map(|row| (row.category.as_str(), row.metric, row.n)).collect();
    let expected = [
        ("textual_entailment", Metric::ExactMatch, 2),
        ("title_generation", Metric::RougeL, 3),
        ("cause_effect_classification", Metric::ExactMatch, 3),
    ];
    assert_eq!(headline, expected);
}

#[test]
fn the_flat_keys_stand_before_the_details() {
    let json = serde_json::to_value(score_folder(Path::new(FIXTURES))).unwrap();
    let mut object = json.as_object().unwrap().clone();
    assert_eq!(object.keys().next_back().unwrap(), "details");
    object.shift_remove("details");
    assert_flat(&object, &self::json(&Path::new(FIXTURES).join("expected.json")));
}

/// Compares the result of a set, key by key, and ROUGE-1, which only a variant of the evaluator reports.
pub fn check_result(folder: &Path, rouge_1: &Value) {
    let report = score_folder(folder);
    let expected = json(&folder.join("expected.json"));
    assert_flat(&report.scores, &expected);
    compare(Protocol::SuperNaturalInstructions, expected.as_object().expect("an object"), |(key, value)| {
        assert_eq!(report.scores[key].as_f64(), value.as_f64(), "{key}");
    });
    let found = format!("{:.4}", report.details.tracks[0].rouge_1.mean).parse::<f64>().expect("a number");
    assert_eq!(Some(found), rouge_1.as_f64(), "{}", folder.display());
}

/// Compares a set instance by instance; the cross-lingual track from raw text, through the tokenizer.
pub fn check_instances(folder: &Path) {
    let report = score_folder(folder);
    let rows = read_json_lines(&find(folder, "expected_instances.jsonl"));
    assert_eq!(rows.len(), report.instances.len());
    compare(Protocol::SuperNaturalInstructions, rows, |expected| {
        let id = expected["id"].as_str().expect("an id");
        let found = report.instances.iter().find(|instance| instance.id == id).expect("the instance was scored");
        assert_eq!(expected["track"].as_str(), Some(found.track.name()), "{id}");
        assert_eq!(expected["missing"].as_bool(), Some(found.missing), "{id}");
        assert_eq!(expected["exact_match"].as_bool(), Some(found.exact_match), "{id}");
        assert!((expected["rougeL"].as_f64().expect("a number") - found.rouge_l).abs() <= 1e-12, "{id}");
    });
}
