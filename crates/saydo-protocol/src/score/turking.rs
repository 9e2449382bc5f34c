//! The Turking Test's rules: right or wrong where there is gold, the form of the crowd's tasks.

use super::{Detail, Options, SampleScore, Scored};
use crate::{Error, Plan};
use saydo_eval::turking::{self, Gold, Item, Output, Outputs, judge};
use saydo_task::{Instance, Task};
use std::collections::BTreeMap;

pub(super) fn score(plan: &Plan, mut samples: Vec<SampleScore>, options: &Options) -> Result<Scored, Error> {
    let tasks: Vec<Task> = plan.tasks.iter().map(task).collect();
    let gold = Gold::new(&tasks)?;
    let firsts: Vec<usize> = plan
        .tasks
        .iter()
        .scan(0, |next, task| {
            let first = *next;
            *next += task.instances.len();
            Some(first)
        })
        .collect();
    let mut detail = BTreeMap::new();
    for (layout, name) in plan.layouts.iter().enumerate() {
        let mut outputs = Outputs::new(&gold);
        for (number, sample) in plan.samples.iter().enumerate().filter(|(_, sample)| sample.layout == layout) {
            let position = firsts[sample.task] + sample.instance;
            let decoding = plan.decodings[sample.decoding].name.clone();
            outputs.add(position, Output { decoding, text: samples[number].reply.clone() });
            judge_sample(&mut samples[number], &gold.items()[position]);
        }
        let report = turking::score(&gold, &outputs, options.seed)?;
        detail.insert(name.clone(), report);
    }
    Ok(Scored { samples, values: Vec::new(), detail: Detail::Turking(detail), notes: Vec::new() })
}

fn judge_sample(sample: &mut SampleScore, item: &Item) {
    let judgement = judge(item, sample.text());
    let share = |is_so: bool| f64::from(u8::from(is_so));
    sample.metrics = vec![
        judgement.verdict.map(|verdict| share(verdict.lenient)),
        judgement.form.map(|form| share(form.is_consistent)),
    ];
    sample.pattern = judgement.patterns.first().map(|pattern| pattern.name().to_owned());
}

fn task(gold: &crate::GoldTask) -> Task {
    let instance = |instance: &crate::GoldInstance| Instance {
        // Ids are unique within a task only.
        id: Some(format!("{}\t{}", gold.id, instance.number)),
        input: instance.input.clone(),
        outputs: instance.gold.clone(),
    };
    Task { id: gold.id.clone(), instances: gold.instances.iter().map(instance).collect(), ..Task::default() }
}
