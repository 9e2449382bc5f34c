//! Scores of small files, worked out by hand.

use super::*;

fn report(text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, text).unwrap();
    score(&path, 0).unwrap()
}

const ROWS: &str = r#"{"group": "b", "prediction": "The red car", "references": ["a red car", "blue"]}
{"group": "a", "prediction": "Yes!", "references": "yes"}
{"group": "b", "prediction": "", "references": ["nothing", "the"]}
{"prediction": "two cats", "references": ["cats ran"]}
"#;

#[test]
fn each_measure_takes_its_best_reference() {
    let report = report(ROWS);
    assert_eq!(report.scores.n, 4);
    // 2/3, 1, 0, 1/2; the cats share a stem.
    assert!((report.scores.rouge_l.mean - (2.0 / 3.0 + 1.0 + 0.0 + 0.5) / 4.0).abs() < 1e-12);
    assert_eq!(report.scores.exact_match.mean, 0.25);
    // Articles do not count: 1, 1, 1, 1/2.
    assert_eq!(report.scores.f1.mean, 3.5 / 4.0);
}

#[test]
fn groups_are_listed_by_name_and_only_named_ones() {
    let report = report(ROWS);
    let groups: Vec<_> = report.groups.iter().map(|group| (group.group.as_str(), group.scores.n)).collect();
    assert_eq!(groups, [("a", 1), ("b", 2)]);
    assert_eq!(report.groups[1].scores.exact_match.mean, 0.0);
}

#[test]
fn the_interval_holds_the_mean() {
    let measure = report(&ROWS.repeat(10)).scores.rouge_l;
    let [low, high] = measure.interval.unwrap();
    assert!(low < measure.mean && measure.mean < high);
}

#[test]
fn the_json_is_flat_for_all_rows_and_lists_groups() {
    let json = serde_json::to_value(report(ROWS)).unwrap();
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["n", "rougeL", "exact_match", "f1", "groups"]);
    assert_eq!(json["groups"][0]["group"], "a");
    let lone = serde_json::to_value(report("{\"prediction\": \"a\", \"references\": \"a\"}")).unwrap();
    assert!(lone.get("groups").is_none());
}

#[test]
fn a_file_without_rows_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, "\n\n").unwrap();
    assert!(score(&path, 0).unwrap_err().to_string().ends_with("nothing but white space, expected some content"));
}
