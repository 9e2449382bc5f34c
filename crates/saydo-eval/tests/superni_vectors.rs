//! Super-NaturalInstructions scores against hand-made golden files and against the reference evaluator's own numbers.

use saydo_eval::super_natural_instructions::{Metric, Options, Report, Track, references_from_tasks, score};
use saydo_task::dataset::Dataset;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/super-natural-instructions");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
const SETS: [&str; 3] = ["set1_plain", "set2_missing", "set3_edge"];

/// A path under the shared data, or a note that it is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(SHARED).join(path);
    if !path.exists() {
        eprintln!("skipped: ../shared is not here");
        return None;
    }
    Some(path)
}

fn score_folder(folder: &Path) -> Report {
    score(&folder.join("references.jsonl"), &folder.join("predictions.jsonl"), &Options::default())
        .expect("the files are sound")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("the file is there")).expect("the file is JSON")
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

#[test]
fn the_three_sets_score_as_the_reference_evaluator_says() {
    for set in SETS {
        let Some(folder) = shared(&format!("vectors/superni/{set}")) else { return };
        let report = score_folder(&folder);
        assert_flat(&report.scores, &json(&folder.join("expected.json")));
        let variant = json(&folder.join("expected_with_rouge1.json"));
        let rouge_1 = format!("{:.4}", report.details.tracks[0].rouge_1.mean).parse::<f64>().unwrap();
        assert_eq!(Some(rouge_1), variant["overall"]["rouge1"].as_f64(), "{set}");
    }
}

/// Instance by instance; the cross-lingual track from raw text, through the tokenizer.
#[test]
fn every_instance_scores_as_the_reference_evaluator_says() {
    for set in SETS {
        let Some(folder) = shared(&format!("vectors/superni/{set}")) else { return };
        let report = score_folder(&folder);
        let text = std::fs::read_to_string(folder.join("expected_instances.jsonl")).unwrap();
        let mut compared = 0;
        for expected in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let id = expected["id"].as_str().unwrap();
            let found = report.instances.iter().find(|instance| instance.id == id).unwrap();
            assert_eq!(expected["track"].as_str(), Some(found.track.name()), "{set} {id}");
            assert_eq!(expected["missing"].as_bool(), Some(found.missing), "{set} {id}");
            assert_eq!(expected["exact_match"].as_bool(), Some(found.exact_match), "{set} {id}");
            assert!((expected["rougeL"].as_f64().unwrap() - found.rouge_l).abs() <= 1e-12, "{set} {id}");
            compared += 1;
        }
        assert_eq!(compared, report.instances.len());
    }
}

#[test]
fn test_tasks_give_the_references_of_the_benchmark() {
    let Some(data) = shared("data/super-natural-instructions") else { return };
    let list = std::fs::read_to_string(data.join("splits/default/test_tasks.txt")).unwrap();
    let names: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    let dataset = Dataset::load(&data.join("test_tasks")).unwrap();
    let found = references_from_tasks(&dataset, &names, Track::Default);
    assert_eq!((names.len(), found.absent.len(), dataset.tasks.len()), (119, 39, 80));
    let published = dataset.tasks.iter().map(|located| located.task.instances.len().min(100)).sum::<usize>();
    assert_eq!(found.references.instances.len() + found.without_output + found.references.repeated, published);
    assert!(found.references.instances.iter().all(|reference| reference.category.is_some()));
}
