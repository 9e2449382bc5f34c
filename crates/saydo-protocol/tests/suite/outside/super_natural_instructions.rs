//! Sets with published references, and the references of the benchmark made from its tasks.

use crate::super_natural_instructions::{check_instances, check_result, json};
use saydo_conformance::outside;
use saydo_protocol::super_natural_instructions::{Track, references_from_tasks};
use saydo_task::dataset::Dataset;
use std::path::PathBuf;

const SETS: [&str; 3] = ["set1_plain", "set2_missing", "set3_edge"];

fn folder(set: &str) -> PathBuf {
    outside(&format!("vectors/superni/{set}"))
}

#[test]
#[ignore = "needs ../shared: references of Super-NaturalInstructions"]
fn published_sets_score_as_the_reference_evaluator_says() {
    for folder in SETS.map(folder) {
        check_result(&folder, &json(&folder.join("expected_with_rouge1.json"))["overall"]["rouge1"]);
    }
}

#[test]
#[ignore = "needs ../shared: references of Super-NaturalInstructions"]
fn every_published_instance_scores_as_the_reference_evaluator_says() {
    SETS.map(folder).iter().for_each(|folder| check_instances(folder));
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn test_tasks_give_the_references_of_the_benchmark() {
    let data = outside("data/super-natural-instructions");
    let list = std::fs::read_to_string(data.join("splits/default/test_tasks.txt")).unwrap();
    let names: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    let dataset = Dataset::load(&data.join("test_tasks")).unwrap();
    let found = references_from_tasks(&dataset, &names, Track::Default);
    assert_eq!((names.len(), found.absent.len(), dataset.tasks.len()), (119, 39, 80));
    let published = dataset.tasks.iter().map(|located| located.task.instances.len().min(100)).sum::<usize>();
    assert_eq!(found.references.instances.len() + found.without_output + found.references.repeated, published);
    assert!(found.references.instances.iter().all(|reference| reference.category.is_some()));
}
