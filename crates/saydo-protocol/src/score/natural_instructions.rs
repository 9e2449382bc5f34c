//! ROUGE-L as the released evaluator computes it, a file for each task and encoding.

use super::{Detail, Options, SampleScore, Scored};
use crate::{Error, Plan};
use saydo_encode::Layout;
use saydo_eval::natural_instructions::{self, Given, score_given};
use saydo_metrics::exact::exact_match;
use std::collections::BTreeMap;

pub(super) fn score(plan: &Plan, mut samples: Vec<SampleScore>, options: &Options) -> Result<Scored, Error> {
    let elements: Vec<Option<Vec<&'static str>>> = plan.layouts.iter().map(|layout| elements(layout)).collect();
    let mut files: BTreeMap<(usize, usize, usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, sample) in plan.samples.iter().enumerate() {
        files.entry((sample.decoding, sample.layout, sample.examples, sample.task)).or_default().push(number);
    }
    let gold = |number: usize| {
        let sample = &plan.samples[number];
        &plan.tasks[sample.task].instances[sample.instance].gold[..]
    };
    let given: Vec<Given<'_>> = files
        .iter()
        .map(|((_, layout, examples, task), numbers)| Given {
            task: &plan.tasks[*task].id,
            encoding: elements[*layout].clone().map(|elements| (elements, *examples)),
            predictions: numbers.iter().map(|number| (gold(*number), samples[*number].text())).collect(),
        })
        .collect();
    let settings = natural_instructions::Options { mode: options.mode, seed: options.seed };
    let (scored, report) = score_given(&given, &settings)?;
    let mut metrics = vec![Vec::new(); samples.len()];
    for (file, numbers) in scored.iter().zip(files.values()) {
        for (number, rouge_l) in numbers.iter().zip(&file.scores) {
            let exact = exact_match(first_line(samples[*number].text()), gold(*number));
            metrics[*number] = vec![Some(*rouge_l), Some(f64::from(u8::from(exact)))];
        }
    }
    for (sample, metrics) in samples.iter_mut().zip(metrics) {
        sample.metrics = metrics;
    }
    let detail = Detail::NaturalInstructions(Box::new(report));
    Ok(Scored { samples, values: Vec::new(), detail, notes: Vec::new() })
}

/// Exact match asks about the answer, which is one line; ROUGE-L is given what the reference is given.
fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default()
}

fn elements(layout: &str) -> Option<Vec<&'static str>> {
    match Layout::named(layout) {
        Ok(Layout::NaturalInstructions(layout)) => Some(layout.elements.iter().map(|element| element.name()).collect()),
        _ => None,
    }
}
