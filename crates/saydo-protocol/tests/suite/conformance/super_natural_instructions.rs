//! The made-up sets, scored by the released evaluator.

use crate::super_natural_instructions::{check_instances, check_result, json};
use saydo_conformance::path;
use std::path::PathBuf;

const SETS: [&str; 2] = ["plain", "odd"];

fn folder(set: &str) -> PathBuf {
    path(&format!("super-natural-instructions/{set}"))
}

#[test]
fn the_sets_score_as_the_reference_evaluator_says() {
    for folder in SETS.map(folder) {
        check_result(&folder, &json(&folder.join("expected_rouge1.json"))["rouge1"]);
    }
}

#[test]
fn every_instance_scores_as_the_reference_evaluator_says() {
    SETS.map(folder).iter().for_each(|folder| check_instances(folder));
}
