//! ROUGE-L as the released evaluator computes it, a file for each task and encoding.

use crate::natural_instructions::{self, Given, score_given};
use crate::score::{Detail, Options, SampleScore, Scored, indicator};
use crate::{Error, Plan};
use saydo_encode::Layout;
use saydo_metrics::exact::exact_match;
use std::collections::BTreeMap;

pub(crate) fn score(plan: &Plan, samples: &mut [SampleScore], options: &Options) -> Result<Scored, Error> {
    let elements: Vec<Option<Vec<&'static str>>> = plan.layouts.iter().map(|layout| elements(layout)).collect();
    let mut files: BTreeMap<(usize, usize, usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, sample) in plan.samples.iter().enumerate() {
        files.entry((sample.decoding, sample.layout, sample.examples, sample.task)).or_default().push(number);
    }
    let gold = |number: usize| &plan.instance(&plan.samples[number]).gold[..];
    let said = |number: usize| samples[number].reply.as_deref();
    let given: Vec<Given<'_>> = files
        .iter()
        .map(|((_, layout, examples, task), numbers)| Given {
            task: &plan.tasks[*task].id,
            encoding: elements[*layout].clone().map(|elements| (elements, *examples)),
            predictions: numbers.iter().map(|number| (gold(*number), said(*number).unwrap_or_default())).collect(),
        })
        .collect();
    let settings = natural_instructions::Options { mode: options.mode, seed: options.seed };
    let (scored, report) = score_given(&given, &settings)?;
    let mut metrics = vec![Vec::new(); samples.len()];
    for (file, numbers) in scored.iter().zip(files.values()) {
        for (number, rouge_l) in numbers.iter().zip(&file.scores) {
            let exact = said(*number).is_some_and(|said| exact_match(first_line(said), gold(*number)));
            metrics[*number] = vec![Some(*rouge_l), Some(indicator(exact))];
        }
    }
    for (sample, metrics) in samples.iter_mut().zip(metrics) {
        sample.metrics = metrics;
    }
    Ok(Scored::new(Detail::NaturalInstructions(Box::new(report))))
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
