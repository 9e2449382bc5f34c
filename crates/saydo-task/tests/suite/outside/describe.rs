//! Statistics of the published tasks against what the papers print.

use super::load_data;
use saydo_task::describe::{describe, published};

fn near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 0.005)
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn published_natural_instructions() {
    let description = describe(&load_data("natural-instructions-v1"));
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
#[ignore = "needs ../shared: the sample of ZEST"]
fn published_zest_sample() {
    let description = describe(&load_data("zest/sample/train.jsonl"));
    let overall = &description.overall;
    assert_eq!((overall.tasks, overall.instances), (5, 101));
    assert!(near(overall.na_share, 0.693) && near(overall.words.definition, 10.0));
    assert_eq!(overall.classification_share, Some(1.0));
    assert_eq!(description.by_domain["national_parks"].tasks, 3);
    assert_eq!(description.by_generalization["composition"].tasks, 3);
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn published_super_natural_instructions() {
    let description = describe(&load_data("super-natural-instructions"));
    assert_eq!((description.overall.tasks, description.overall.instances), (759, 36_208));
    assert_eq!(description.by_category.len(), 73);
    assert!(near(description.overall.positive_examples, 2.79));
}
