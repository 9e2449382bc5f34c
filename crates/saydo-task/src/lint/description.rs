//! Checks of a task's description: that there is one, and that its examples agree with each other.

use super::answer;
use super::file::Inspected;
use super::findings::Findings;
use crate::format::{Format, Part};
use crate::problem::Code;
use crate::{Example, Task};
use std::collections::HashMap;

/// `is_described` is false when the reader has reported that a description is missing.
pub(super) fn check(inspected: &Inspected<'_>, is_described: bool, findings: &mut Findings) {
    let Inspected { source, format, task, places, .. } = inspected;
    let report = |findings: &mut Findings, code, found: &str, expected: &str| {
        findings.report(source, code, places.start, || (String::new(), found.to_owned(), expected.to_owned()));
    };
    if is_described && is_blank(task) {
        report(findings, Code::NoDescription, "no description", "a definition or a prompt");
    }
    // A ZEST file has no place for examples.
    if task.positive.is_empty() && !matches!(format, Format::Zest | Format::Everyday) {
        report(findings, Code::NoPositiveExample, "no positive example", "at least one");
    }
    check_contradictions(inspected, findings);
    for (part, examples) in [(Part::Positive, &task.positive), (Part::Negative, &task.negative)] {
        for (position, example) in examples.iter().enumerate() {
            check_example(inspected, part, position, example, findings);
        }
    }
}

fn is_blank(task: &Task) -> bool {
    [&task.definition, &task.prompt].into_iter().flatten().all(|text| text.trim().is_empty())
}

fn check_contradictions(inspected: &Inspected<'_>, findings: &mut Findings) {
    let task = inspected.task;
    let pair = |example: &'_ Example| (example.input.clone(), example.output.clone());
    let good: HashMap<_, usize> = task.positive.iter().enumerate().map(|(i, example)| (pair(example), i)).collect();
    for (position, example) in task.negative.iter().enumerate() {
        if let Some(&positive) = good.get(&pair(example)) {
            let offset = inspected.offset(Part::Negative, position);
            findings.report(inspected.source, Code::ContradictingExamples, offset, || {
                let found = format!("the input and output of {}", inspected.element(Part::Positive, positive));
                (inspected.element(Part::Negative, position), found, "a pair that is not good as well".to_owned())
            });
        }
    }
}

fn check_example(inspected: &Inspected<'_>, part: Part, position: usize, example: &Example, findings: &mut Findings) {
    let source = inspected.source;
    let offset = inspected.offset(part, position);
    let element = || inspected.element(part, position);
    if example.input.trim().is_empty() {
        findings.report(source, Code::EmptyInput, offset, || (element(), "an empty input".into(), "some text".into()));
    }
    if part == Part::Positive
        && let Some(spec) = &inspected.task.answer
        && let Some((found, expected)) = answer::mismatch(spec, &example.input, &example.output)
    {
        findings.report(source, Code::OutputOfOtherKind, offset, || (element() + ".output", found, expected));
    }
}
