//! Statistics of our own tasks, and of the published ones against what the papers print (skipped without ../shared).

use saydo_task::dataset::Dataset;
use saydo_task::describe::{Description, describe, published};
use std::path::Path;

fn own(name: &str) -> Description {
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tasks"));
    describe(&Dataset::load(&fixtures.join(name)).expect("tasks load"))
}

fn shared(name: &str) -> Option<Description> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")).join(name);
    if !path.exists() {
        eprintln!("skipped: ../shared is not here");
        return None;
    }
    Some(describe(&Dataset::load(&path).expect("tasks load")))
}

fn near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 0.005)
}

#[test]
fn zest_by_generalization_and_domain() {
    insta::assert_json_snapshot!(own("zest"));
}

#[test]
fn natural_instructions_by_category() {
    insta::assert_json_snapshot!(own("natural-instructions"));
}

#[test]
fn published_natural_instructions() {
    let Some(description) = shared("natural-instructions-v1") else { return };
    let overall = &description.overall;
    assert_eq!((overall.tasks, overall.instances, overall.labelled), (48, 123_635, 123_635));
    assert!(near(overall.positive_examples, 4.17) && near(overall.negative_examples, 1.96));
    assert!(near(overall.words.definition, 61.69) && near(overall.words.prompt, 12.375));
    assert!(near(overall.words.title, 8.44) && near(overall.words.input, 34.16));
    // 13 of the 61 files are not at hand, so the numbers only come near the paper's.
    let paper = published::NATURAL_INSTRUCTIONS;
    assert!((overall.words.definition.unwrap() - paper.definition_tokens).abs() < 5.0);
    let tasks: Vec<_> = description.by_category.iter().map(|(name, group)| (name.as_str(), group.tasks)).collect();
    let expected = [
        ("answer generation", 11),
        ("classification", 9),
        ("incorrect answer generation", 6),
        ("minimal text modification", 9),
        ("question generation", 11),
        ("verification", 2),
    ];
    assert_eq!(tasks, expected);
}

#[test]
fn published_zest_sample() {
    let Some(description) = shared("zest/sample/train.jsonl") else { return };
    let overall = &description.overall;
    assert_eq!((overall.tasks, overall.instances), (5, 101));
    assert!(near(overall.na_share, 0.693) && near(overall.words.definition, 10.0));
    assert_eq!(overall.classification_share, Some(1.0));
    assert_eq!(description.by_domain["national_parks"].tasks, 3);
    assert_eq!(description.by_generalization["composition"].tasks, 3);
}

#[test]
fn published_super_natural_instructions() {
    let Some(description) = shared("super-natural-instructions") else { return };
    assert_eq!((description.overall.tasks, description.overall.instances), (759, 36_208));
    assert_eq!(description.by_category.len(), 73);
    assert!(near(description.overall.positive_examples, 2.79));
}
