//! `saydo lint`.

use crate::run::{saydo, saydo_in};

#[test]
fn a_typo_is_named_with_its_place_and_the_exit_code_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = "definition = \"Is it wet?\"\nemphasys = \"Only rain counts.\"\n\n[[positive]]\ninput = \"a\"\noutput = \"yes\"\n";
    std::fs::write(folder.path().join("wet.toml"), text).unwrap();
    let outcome = saydo_in(folder.path(), &["lint", "wet.toml"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.contains("wet.toml:2:12: F004 unknown field `emphasys`, expected one of"),
        "{}",
        outcome.stdout
    );
    let outcome = saydo_in(folder.path(), &["lint", "wet.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["problems"][0]["line"], 2);
    assert_eq!(report["problems"][0]["code"], "F004");
}

#[test]
fn the_bundled_example_is_clean_of_errors() {
    let outcome = saydo(&["lint", "zest/dev.jsonl"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
}
