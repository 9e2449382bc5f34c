//! Natural Instructions scores against golden files made by hand.

use saydo_protocol::Mode;
use saydo_protocol::natural_instructions::{FileScore, Options, Report, score};
use serde_json::Value;
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/natural-instructions");

pub fn file<'r>(report: &'r Report, name: &str) -> &'r FileScore {
    report.files.iter().find(|file| file.file == name).unwrap_or_else(|| panic!("{name} was not scored"))
}

pub fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

fn fixtures(mode: Mode) -> Report {
    let folder = Path::new(FIXTURES);
    score(&folder.join("tasks"), &folder.join("predictions"), &Options { mode, seed: 0 })
        .expect("the fixtures are sound")
}

#[test]
fn the_fixtures_score_as_worked_out_by_hand() {
    let report = fixtures(Mode::Strict);
    let golden = [
        ("capitals@_Prompt@0_4.json", "capitals", 3, (1.0 + 1.0 + 0.5) / 3.0),
        ("rain@_Definition_Prompt@0_4.json", "rain", 2, (2.0 / 3.0 + 0.4) / 2.0),
        ("rain@_Positive Examples Full Only@2_4.json", "rain", 2, 0.2),
        ("rain@_Positive Examples Full Only@9_4.json", "rain", 2, (2.0 / 3.0 + 1.0) / 2.0),
        ("rain@_Prompt@0_4.json", "rain", 4, (1.0 + 0.75 + 1.0 / 3.0 + 0.0) / 4.0),
    ];
    assert_eq!(report.files.len(), golden.len());
    for (found, (name, task, n, rouge_l)) in report.files.iter().zip(golden) {
        assert_eq!((found.file.as_str(), found.task.as_str(), found.n), (name, task, n));
        assert_close(found.rouge_l, rouge_l, 1e-12, name);
    }
    assert_close(report.mean, golden.iter().map(|golden| golden.3).sum::<f64>() / 5.0, 1e-12, "mean");
    let capitals = &report.files[0];
    assert_eq!(
        (capitals.unscorable, capitals.repeated, capitals.scores.as_slice()),
        (1, 1, [1.0, 1.0, 0.5].as_slice())
    );
    let skipped: Vec<_> = report.skipped.iter().map(|skipped| skipped.file.as_str()).collect();
    assert_eq!(skipped, ["capitals@_Definition_Prompt@0_0.json", "rivers@_Prompt@0_1.json"]);
}

#[test]
fn fixed_scoring_cuts_continuations_and_says_what_it_moved() {
    let (strict, fixed) = (fixtures(Mode::Strict), fixtures(Mode::Fixed));
    let rain = file(&fixed, "rain@_Prompt@0_4.json");
    assert_close(rain.rouge_l, 2.75 / 4.0, 1e-12, "fixed");
    assert_eq!(rain.strict, Some(file(&strict, "rain@_Prompt@0_4.json").rouge_l));
    let moved = fixed.moved.unwrap();
    assert_eq!(moved.strict_mean, strict.mean);
    assert_close(moved.by, (2.75 / 4.0 - rain.strict.unwrap()) / 5.0, 1e-12, "moved");
    assert_eq!(strict.moved, None);
}

/// The result has exactly the keys that are promised, and no others where all is well.
#[test]
fn the_json_has_the_promised_keys() {
    let json = serde_json::to_value(fixtures(Mode::Strict)).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["files", "mean", "interval", "mode", "skipped", "by_encoding"]);
    assert_eq!(keys(&json["files"][1]), ["file", "task", "n", "rougeL", "interval"]);
    assert_eq!(json["by_encoding"][0]["small"]["tasks"], 2);
    assert_eq!(json["mode"], "strict");
}
