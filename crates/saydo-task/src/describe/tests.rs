use super::*;
use crate::dataset::LocatedTask;
use crate::{Example, Instance};
use std::path::PathBuf;

fn describe_task(task: Task) -> Description {
    let located = LocatedTask { path: PathBuf::from("x"), line: 1, task };
    describe(&Dataset { tasks: vec![located], skipped: Vec::new() })
}

#[test]
fn a_mean_over_nothing_is_absent() {
    let Description { overall, by_category, .. } = describe_task(Task::default());
    assert_eq!((overall.tasks, overall.instances), (1, 0));
    assert_eq!((overall.na_share, overall.classification_share, overall.words.input), (None, None, None));
    assert_eq!((overall.positive_examples, overall.words.description), (Some(0.0), Some(0.0)));
    assert!(by_category.is_empty());
    let nothing = describe(&Dataset::default()).overall;
    assert_eq!((nothing.tasks, nothing.positive_examples), (0, None));
}

#[test]
fn words_are_counted_by_element() {
    let instance = |outputs: &[&str]| Instance {
        input: " a\tb\u{a0}c\n".into(),
        outputs: outputs.iter().map(|output| (*output).to_owned()).collect(),
        ..Instance::default()
    };
    let Group { labelled, na_share, words, .. } = describe_task(Task {
        definition: Some("one two".into()),
        positive: vec![Example { input: "x".into(), output: "y".into(), reason: Some("z z".into()), suggestion: None }],
        instances: vec![instance(&["n/a", "long answer"]), instance(&["yes"]), instance(&[])],
        ..Task::default()
    })
    .overall;
    assert_eq!((labelled, na_share), (2, Some(0.5)));
    assert_eq!((words.input, words.output, words.definition), (Some(3.0), Some(4.0 / 3.0), Some(2.0)));
    assert_eq!((words.reason, words.suggestion, words.description), (Some(2.0), None, Some(6.0)));
}
