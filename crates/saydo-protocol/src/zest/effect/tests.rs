use super::super::evaluation::tests::{fixture, fixture_records};
use super::*;

fn effect(report: &QuirkReport, quirk: Quirk) -> &EffectResult {
    &report.effects.iter().find(|effect| effect.quirk == quirk).unwrap().result
}

#[test]
fn each_quirk_is_repaired_alone() {
    let report = quirk_report(&fixture_records(), &fixture("predictions.txt"), PredictionFormat::Text).unwrap();
    assert_eq!((report.strict_error.as_deref(), report.effects.len()), (None, quirk::ALL.len()));
    assert_eq!(report.baseline.overall, 10);
    // `N.A.` becomes NA in one instance of `dogs-2`, which is then perfect.
    let EffectResult::Repaired { overall, instances, tasks } = effect(&report, quirk::NOT_APPLICABLE) else {
        panic!("scored")
    };
    assert_eq!((*instances, *tasks, overall.at_90), (1, 1, 15.0));
    let EffectResult::Repaired { overall, instances, tasks } = effect(&report, quirk::KEY_ORDER) else {
        panic!("scored")
    };
    assert_eq!((*instances, *tasks), (1, 1));
    assert!(overall.mean > report.baseline.mean);
}

#[test]
fn surplus_lines_are_refused_by_their_repair() {
    let predictions = fixture("predictions.txt") + "one more\n";
    let report = quirk_report(&fixture_records(), &predictions, PredictionFormat::Text).unwrap();
    let expected = EffectResult::Refused("found 37 predictions, expected 36".to_owned());
    assert_eq!(effect(&report, quirk::SURPLUS), &expected);
}

#[test]
fn where_the_reference_aborts_the_comparison_starts_from_the_aborts_repaired() {
    let predictions = fixture("predictions.txt").replacen("n/a", "", 1);
    let report = quirk_report(&fixture_records(), &predictions, PredictionFormat::Text).unwrap();
    let error = "prediction line 2: found an empty line, expected a prediction (an empty one is written \"\")";
    assert_eq!(report.strict_error.as_deref(), Some(error));
    assert_eq!(report.baseline_repaired, ABORTING);
    assert_eq!(report.effects.len(), quirk::ALL.len() - ABORTING.len());
}

#[test]
fn a_run_that_cannot_be_scored_at_all_is_an_error() {
    let error = quirk_report(&fixture_records(), "yes\n", PredictionFormat::Text).unwrap_err();
    insta::assert_snapshot!(error, @"found 1 predictions, expected 36: the first without one is task parks-1, example 1");
}

#[test]
fn the_report_serializes_with_flat_entries() {
    let report = quirk_report(&fixture_records(), &fixture("predictions.txt"), PredictionFormat::Text).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    let keys: Vec<&String> = json["effects"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["quirk", "summary", "repaired"]);
    assert_eq!(json["effects"][0]["quirk"], "Q1");
}
