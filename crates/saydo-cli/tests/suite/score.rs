//! `saydo score`.

use crate::run::{json, saydo, saydo_in};

const ZEST: [&str; 6] = ["score", "zest", "--gold", "zest/dev.jsonl", "--predictions", "zest/predictions.txt"];

#[test]
fn zest_prints_the_keys_of_the_reference() {
    let result = json(&[&ZEST[..], &["--json"]].concat());
    assert!(result["official"]["overall"].is_i64());
    assert!(result["official"]["normal"]["mean"].is_f64());
    assert!(result["table_csv"].as_str().unwrap().starts_with(",mean,75,90\n"));
    assert_eq!(result["mode"], "strict");
    assert!(result["intervals"]["average"]["90"].is_array());
}

#[test]
fn zest_prints_the_table_that_the_guide_shows() {
    let guide = std::fs::read_to_string(crate::run::fixtures().join("../docs/scoring.md")).unwrap();
    let shown = guide.split("$ saydo score zest").nth(1).unwrap();
    let shown = shown.split_once('\n').unwrap().1.split("```").next().unwrap();
    assert_eq!(saydo(&ZEST).stdout, shown);
}

#[test]
fn fixed_mode_says_what_each_quirk_moved() {
    let outcome = saydo(&[&ZEST[..], &["--mode", "fixed"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("what each quirk of the reference moves"), "{}", outcome.stdout);
}

#[test]
fn too_few_predictions_are_an_error_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("few.txt"), "yes\n").unwrap();
    let gold = crate::run::fixtures().join("zest/dev.jsonl");
    let gold = gold.to_str().unwrap();
    let outcome = saydo_in(folder.path(), &["score", "zest", "--gold", gold, "--predictions", "few.txt"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("few.txt"), "{}", outcome.stderr);
}

#[test]
fn anyones_rows_get_three_measures() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "{\"prediction\": \"the cat sat\", \"references\": [\"The cat sat.\", \"a dog\"]}\n\
                {\"prediction\": \"a dog\", \"references\": \"the bird\"}\n";
    std::fs::write(folder.path().join("p.jsonl"), rows).unwrap();
    let outcome = saydo_in(folder.path(), &["score", "text", "--predictions", "p.jsonl", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(result["n"], 2);
    assert_eq!(result["exact_match"]["mean"], 0.5);
    assert_eq!(result["rougeL"]["mean"], 0.5);
}
