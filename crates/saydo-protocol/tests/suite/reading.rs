//! Scores of reading against those of the reference programs, stored in `fixtures/reading`.

use saydo_protocol::reading::{calibration, ranking, set, squad};
use saydo_task::everyday;
use saydo_task::gold::Gold;
use saydo_task::source::load_bytes;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json(path: &str) -> Value {
    let bytes = load_bytes(&root().join(path)).expect("the fixture is there");
    serde_json::from_slice(&bytes).expect("the fixture is JSON")
}

/// The F1 of each task of a domain with the answers of a file.
fn domain_f1(domain: &str, answers: &str) -> Vec<(String, f64)> {
    let given = json(answers);
    let f1 = |task: &saydo_task::Task| {
        let (_, id) = task.id.split_once('/').expect("the domain stands before the id");
        let kind = &task.answer.as_ref().expect("everyday states its kinds").kind;
        let row = |instance: &saydo_task::Instance| {
            let given = &given[id][instance.id.as_ref().expect("everyday's documents have ids")];
            (Gold::from_json(given), Gold::parse(&instance.outputs[0], kind))
        };
        let rows: Vec<(Gold, Gold)> = task.instances.iter().map(row).collect();
        (id.to_owned(), set::task_f1(kind, rows.iter().map(|(given, gold)| (Some(given), gold))))
    };
    let tasks = everyday::load(&format!("everyday/{domain}")).expect("the domain is inside");
    tasks.iter().map(|located| f1(&located.task)).collect()
}

#[test]
fn everyday_scores_equal_those_of_its_own_program() {
    let expected = json("fixtures/reading/everyday/expected.json");
    let (mut second, mut compared) = (Vec::new(), 0);
    for (name, tasks) in expected.as_object().unwrap() {
        let (domain, answers) = match name.strip_prefix("second/") {
            Some(domain) => (domain, format!("data/everyday/second/{domain}.answers.json.gz")),
            None => (name.as_str(), format!("fixtures/reading/everyday/{name}.answers.json.gz")),
        };
        for (id, f1) in domain_f1(domain, &answers) {
            assert!((f1 - tasks[&id].as_f64().unwrap()).abs() < 1e-9, "{name} {id}: {f1} against {}", tasks[&id]);
            compared += 1;
            second.extend(name.starts_with("second").then_some(f1));
        }
    }
    assert_eq!((compared, second.len()), (133, 68));
    let mean = 100.0 * second.iter().sum::<f64>() / second.len() as f64;
    assert!((mean - 98.9).abs() < 0.05, "{mean}");
    let at = |threshold: f64| second.iter().filter(|f1| **f1 >= threshold).count();
    assert_eq!((at(0.75), at(0.9)), (68, 66));
}

#[test]
fn squad_scores_equal_those_of_the_official_rules() {
    let fixture = json("fixtures/reading/squad.json");
    let row = |row: &Value| squad::Row {
        gold: row["gold"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect(),
        prediction: Some(row["prediction"].as_str().unwrap().to_owned()),
        na_probability: row["na_probability"].as_f64(),
    };
    let rows: Vec<squad::ScoredRow> = fixture["rows"].as_array().unwrap().iter().map(|one| row(one).scored()).collect();
    let scores = squad::scores(&rows).unwrap();
    let (has, no, best) = (scores.has_answer.unwrap(), scores.no_answer.unwrap(), scores.best.unwrap());
    let expected = &fixture["expected"];
    for (name, value) in [
        ("exact", 100.0 * scores.all.exact),
        ("f1", 100.0 * scores.all.f1),
        ("total", scores.all.total as f64),
        ("HasAns_exact", 100.0 * has.exact),
        ("HasAns_f1", 100.0 * has.f1),
        ("HasAns_total", has.total as f64),
        ("NoAns_exact", 100.0 * no.exact),
        ("NoAns_f1", 100.0 * no.f1),
        ("NoAns_total", no.total as f64),
        ("best_exact", 100.0 * best.exact),
        ("best_exact_thresh", best.exact_threshold),
        ("best_f1", 100.0 * best.f1),
        ("best_f1_thresh", best.f1_threshold),
    ] {
        assert!((value - expected[name].as_f64().unwrap()).abs() < 1e-9, "{name}: {value} against {}", expected[name]);
    }
}

#[test]
fn ranking_and_calibration_equal_their_definitions() {
    let fixture = json("fixtures/reading/ranking.json");
    let row = |row: &Value| (row[0].as_f64().unwrap(), row[1].as_bool().unwrap());
    let rows: Vec<(f64, bool)> = fixture["rows"].as_array().unwrap().iter().map(row).collect();
    let near = |value: f64, name: &str| (value - fixture[name].as_f64().unwrap()).abs() < 1e-9;
    assert!(near(ranking::area_under_curve(&rows).unwrap(), "auc"));
    assert!(near(calibration::calibration(&rows).unwrap().error, "calibration_error"));
}
