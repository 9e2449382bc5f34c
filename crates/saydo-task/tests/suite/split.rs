//! Splits of our own tasks.

use saydo_task::dataset::Dataset;
use saydo_task::split::{LeakCheck, SharedTexts, Split, TaskLists, TaskRef, check_leaks, verify};
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tasks");

fn own(name: &str) -> Dataset {
    Dataset::load(&Path::new(FIXTURES).join(name)).expect("tasks load")
}

fn ids(tasks: &[TaskRef]) -> Vec<&str> {
    tasks.iter().map(|task| task.id.as_str()).collect()
}

#[test]
fn a_split_file_looks_like_this() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("split.json");
    Split::random(&own("natural-instructions"), 1, 0).unwrap().save(&path, false).unwrap();
    insta::assert_snapshot!(std::fs::read_to_string(&path).unwrap());
    assert!(verify(&Split::load(&path).unwrap(), &own("natural-instructions")).is_empty());
}

#[test]
fn the_paper_preset_holds_out_its_evaluation_tasks() {
    let split = Split::natural_instructions(&own("natural-instructions")).unwrap();
    assert_eq!(
        ids(&split.unseen),
        ["subtask003_mctaco_question_generation_event_duration", "subtask039_qasc_find_overlapping_words"]
    );
    assert_eq!((split.seen.len(), split.absent.len()), (2, 57));
    let LeakCheck { leaks, shared_texts } = check_leaks(&split, &own("natural-instructions"));
    assert_eq!((leaks.len(), shared_texts), (1, SharedTexts { instances: 1, with_output: 0 }));
}

#[test]
fn published_lists_keep_their_order_and_say_what_is_missing() {
    let lists = TaskLists::load(&Path::new(FIXTURES).join("super-natural-instructions/splits"), "default").unwrap();
    let split = Split::by_lists(&own("super-natural-instructions"), &lists).unwrap();
    assert_eq!(ids(&split.seen), ["task9002_rules_question", "task9001_rules_classification"]);
    assert_eq!(ids(&split.unseen), ["task9004_birds_title"]);
    assert_eq!(
        (split.absent, split.left_out),
        (vec!["task9010_not_here".into()], vec!["task9003_birds_categorization".into()])
    );
}

#[test]
fn zest_families_stay_together() {
    let split = Split::zest(&own("zest"), 0).unwrap();
    let sides: Vec<_> = split.sides().map(|(side, tasks)| (side.to_string(), ids(tasks).join(" "))).collect();
    insta::assert_debug_snapshot!(sides);
}

#[test]
fn a_fingerprint_does_not_depend_on_the_format() {
    use saydo_task::{convert::convert_dataset, format::Format};
    let folder = tempfile::tempdir().unwrap();
    let dataset = own("natural-instructions");
    let split = Split::natural_instructions(&dataset).unwrap();
    convert_dataset(&dataset, Format::Toml, &folder.path().join("toml"), false).unwrap();
    assert!(verify(&split, &Dataset::load(&folder.path().join("toml")).unwrap()).is_empty());
}
