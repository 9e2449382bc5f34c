//! The Turking Test's rules: right or wrong where there is gold, the form of the crowd's tasks.

use crate::score::{Detail, Options, SampleScore, Scored, TurkingResult, indicator};
use crate::turking::{self, Gold, Item, Output, Outputs, judge};
use crate::{Error, Plan};
use saydo_task::{Instance, Task};
use std::collections::BTreeMap;

pub(crate) fn score(plan: &Plan, samples: &mut [SampleScore], options: &Options) -> Result<Scored, Error> {
    let mut detail = BTreeMap::new();
    for (layout, name) in plan.layouts.iter().enumerate() {
        let (gold, outputs) = gold_and_outputs(plan, layout, |number| samples[number].reply.clone())?;
        let firsts = firsts(plan);
        for (number, sample) in plan.samples.iter().enumerate().filter(|(_, sample)| sample.layout == layout) {
            judge_sample(&mut samples[number], &gold.items()[firsts[sample.task] + sample.instance]);
        }
        let report = turking::score(&gold, &outputs, options.seed)?;
        let lengths = turking::length::by_length(&gold, &outputs, options.seed);
        detail.insert(name.clone(), TurkingResult { report, lengths });
    }
    Ok(Scored::new(Detail::Turking(detail)))
}

/// The tasks of a plan and what was said to them under one layout, as the Turking Test's scorer and judges take them.
pub fn gold_and_outputs(
    plan: &Plan,
    layout: usize,
    reply: impl Fn(usize) -> Option<String>,
) -> Result<(Gold, Outputs), Error> {
    let tasks: Vec<Task> = plan.tasks.iter().map(task).collect();
    let gold = Gold::new(&tasks)?;
    let firsts = firsts(plan);
    let mut outputs = Outputs::new(&gold);
    for (number, sample) in plan.samples.iter().enumerate().filter(|(_, sample)| sample.layout == layout) {
        let decoding = plan.decodings[sample.decoding].name.clone();
        outputs.add(firsts[sample.task] + sample.instance, Output { decoding, text: reply(number) });
    }
    Ok((gold, outputs))
}

/// Where each task's instances begin among all.
fn firsts(plan: &Plan) -> Vec<usize> {
    let ends = plan.tasks.iter().scan(0, |end, task| {
        let first = *end;
        *end += task.instances.len();
        Some(first)
    });
    ends.collect()
}

fn judge_sample(sample: &mut SampleScore, item: &Item) {
    let judgement = judge(item, sample.reply.as_deref().unwrap_or_default());
    sample.metrics = vec![
        judgement.verdict.map(|verdict| indicator(verdict.lenient)),
        judgement.form.map(|form| indicator(form.is_consistent)),
    ];
    sample.pattern = judgement.patterns.first().map(|pattern| pattern.name().to_owned());
}

fn task(gold: &crate::GoldTask) -> Task {
    let instance = |instance: &crate::GoldInstance| Instance {
        // Ids are unique within a task only.
        id: Some(format!("{}#{}", gold.id, instance.number)),
        input: instance.input.clone(),
        outputs: instance.gold.clone(),
        ..Instance::default()
    };
    Task { id: gold.id.clone(), instances: gold.instances.iter().map(instance).collect(), ..Task::default() }
}
