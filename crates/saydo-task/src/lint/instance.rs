//! Checks of a task's instances: one pass each, with hashing, so that a file of 100,000 instances takes no longer than
//! reading it.

use super::answer;
use super::file::Inspected;
use super::findings::Findings;
use crate::excerpt::{around, quoted};
use crate::format::{Format, Part};
use crate::problem::Code;
use crate::{AnswerKind, AnswerSpec, Generalization, Instance};
use std::collections::HashMap;

/// With fewer instances than this it is no surprise that all have the same output.
const MIN_FOR_ONE_OUTPUT: usize = 10;

pub(super) fn check(inspected: &Inspected<'_>, findings: &mut Findings) {
    check_ids(inspected, findings);
    check_missing(inspected, findings);
    check_repeated(inspected, findings);
    check_contradictions(inspected, findings);
    check_examples(inspected, findings);
    check_kinds(inspected, findings);
    check_one_output(inspected, findings);
}

/// Reports a problem of one instance.
fn report(
    inspected: &Inspected<'_>,
    findings: &mut Findings,
    code: Code,
    position: usize,
    describe: impl FnOnce() -> (String, String),
) {
    let offset = inspected.offset(Part::Instance, position);
    findings.report(inspected.source, code, offset, || {
        let (found, expected) = describe();
        (inspected.element(Part::Instance, position), found, expected)
    });
}

fn check_ids(inspected: &Inspected<'_>, findings: &mut Findings) {
    let instances = &inspected.task.instances;
    let mut first = HashMap::new();
    let mut without = Vec::new();
    for (position, instance) in instances.iter().enumerate() {
        let Some(id) = &instance.id else {
            without.push(position);
            continue;
        };
        if let Some(earlier) = first.insert(id.as_str(), position) {
            report(inspected, findings, Code::RepeatedId, position, || {
                let expected = format!("each id once; {} has it already", inspected.element(Part::Instance, earlier));
                (format!("id `{id}` again"), expected)
            });
        }
    }
    // Files written by hand need no ids, but ids on some instances only are a slip.
    let asks_for_ids = inspected.format == Format::SuperNaturalInstructions || !first.is_empty();
    if asks_for_ids && let Some(&position) = without.first() {
        report(inspected, findings, Code::NoInstanceId, position, || {
            let found = format!("no id, as in {} of {} instances", without.len(), instances.len());
            (found, "an id for each".to_owned())
        });
    }
}

fn check_missing(inspected: &Inspected<'_>, findings: &mut Findings) {
    let instances = &inspected.task.instances;
    let has_output = |instance: &Instance| instance.outputs.iter().any(|output| !output.trim().is_empty());
    let others_have = instances.iter().any(has_output);
    for (position, instance) in instances.iter().enumerate() {
        if instance.input.trim().is_empty() {
            let describe = || ("an empty input".to_owned(), "some text".to_owned());
            report(inspected, findings, Code::EmptyInput, position, describe);
        }
        if others_have && !has_output(instance) && !inspected.is_spoiled(Part::Instance, position) {
            let found = if instance.outputs.is_empty() { "no output" } else { "an empty output" };
            let describe = || (found.to_owned(), "an output, as other instances have".to_owned());
            report(inspected, findings, Code::NoOutput, position, describe);
        }
        let mut texts = std::iter::once(&instance.input).chain(&instance.outputs);
        if let Some(text) = texts.find(|text| text.contains('\u{fffd}')) {
            report(inspected, findings, Code::DamagedText, position, || {
                let at = text.find('\u{fffd}').unwrap_or_default();
                (format!("U+FFFD in {}", around(text, at)), "the text as it was".to_owned())
            });
        }
    }
}

fn check_repeated(inspected: &Inspected<'_>, findings: &mut Findings) {
    let mut first: HashMap<(&str, &[String]), usize> = HashMap::with_capacity(inspected.task.instances.len());
    for (position, instance) in inspected.task.instances.iter().enumerate() {
        let earlier = *first.entry((&instance.input, &instance.outputs)).or_insert(position);
        // Nothing but white space is reported as such.
        if earlier != position && !instance.input.trim().is_empty() {
            report(inspected, findings, Code::RepeatedInstance, position, || {
                let earlier = inspected.element(Part::Instance, earlier);
                (format!("the input and outputs of {earlier}"), "another instance".to_owned())
            });
        }
    }
}

/// Where the answers form a closed set, one input cannot have two of them.
fn check_contradictions(inspected: &Inspected<'_>, findings: &mut Findings) {
    let kind = inspected.task.answer.as_ref().map(|spec| &spec.kind);
    if !matches!(kind, Some(AnswerKind::YesNo | AnswerKind::Label(_))) {
        return;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    let labelled = inspected.task.instances.iter().enumerate().filter(|(_, instance)| !instance.outputs.is_empty());
    for (position, instance) in labelled {
        let earlier = *first.entry(&instance.input).or_insert(position);
        let other = &inspected.task.instances[earlier];
        if instance.outputs.iter().all(|output| !other.outputs.contains(output)) {
            report(inspected, findings, Code::ContradictingInstances, position, || {
                let expected = format!(
                    "{}, as {} has for the same input",
                    quoted(&other.outputs[0]),
                    inspected.element(Part::Instance, earlier)
                );
                (quoted(&instance.outputs[0]), expected)
            });
        }
    }
}

fn check_examples(inspected: &Inspected<'_>, findings: &mut Findings) {
    let mut examples: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, example) in inspected.task.positive.iter().enumerate() {
        examples.entry(&example.input).or_default().push(position);
    }
    for (position, instance) in inspected.task.instances.iter().enumerate() {
        let same_input = examples.get(instance.input.as_str()).map(Vec::as_slice).unwrap_or_default();
        let is_same = |example: &&usize| instance.outputs.contains(&inspected.task.positive[**example].output);
        if let Some(&example) = same_input.iter().find(is_same) {
            report(inspected, findings, Code::ExampleIsInstance, position, || {
                let example = inspected.element(Part::Positive, example);
                (format!("the input and output of {example}"), "an instance that is no example".to_owned())
            });
        }
    }
}

fn check_kinds(inspected: &Inspected<'_>, findings: &mut Findings) {
    // The published files state no kind, but an output-structure task of ZEST has records of any fields.
    let is_structure = inspected.task.origin.generalization == Some(Generalization::OutputStructure);
    let any_records = AnswerSpec { kind: AnswerKind::Records(Vec::new()), na: None };
    let spec = inspected.task.answer.as_ref().or(is_structure.then_some(&any_records));
    let Some(spec) = spec else { return };
    for (position, instance) in inspected.task.instances.iter().enumerate() {
        if inspected.is_spoiled(Part::Instance, position) {
            continue;
        }
        let mismatch = |output: &String| answer::mismatch(spec, &instance.input, output);
        if let Some(describe) = instance.outputs.iter().find_map(mismatch) {
            report(inspected, findings, Code::OutputOfOtherKind, position, || describe);
        }
    }
}

fn check_one_output(inspected: &Inspected<'_>, findings: &mut Findings) {
    let outputs = inspected.task.instances.iter().map(|instance| &instance.outputs).enumerate();
    let mut labelled = outputs.filter(|(_, outputs)| !outputs.is_empty());
    let Some((position, first)) = labelled.next() else { return };
    let mut same = 1;
    for (_, other) in labelled {
        if other != first {
            return;
        }
        same += 1;
    }
    if same >= MIN_FOR_ONE_OUTPUT {
        report(inspected, findings, Code::OneOutput, position, || {
            let found = format!("{}, as in all {same} instances with an output", quoted(&first[0]));
            (found, "different outputs".to_owned())
        });
    }
}
