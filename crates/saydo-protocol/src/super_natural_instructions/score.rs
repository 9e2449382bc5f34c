//! Exact match and ROUGE-L as the released evaluator computes them, for each way the tasks were asked.

use crate::Mode;
use crate::score::{Detail, Options, SampleScore, Scored, indicator, ways};
use crate::super_natural_instructions::{self as sni, Predictions, Reference, References, Track};
use crate::{Error, Plan};
use saydo_task::problem::Place;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

pub(crate) fn score(plan: &Plan, samples: &mut [SampleScore], options: &Options) -> Result<Scored, Error> {
    // The run has one track, and the reference stops where one of the two is empty.
    let settings = sni::Options { mode: Mode::Fixed, cut_at_full_stop: false, seed: options.seed };
    let mut detail = BTreeMap::new();
    for (way, numbers) in ways(plan) {
        let references: References = numbers.iter().map(|number| reference(plan, *number)).collect();
        let mut predictions = Predictions::default();
        for number in &numbers {
            if let Some(reply) = &samples[*number].reply {
                predictions.by_id.insert(id(plan, *number), reply.trim().to_owned());
            }
        }
        let report = sni::evaluate(&references, &predictions, &settings)?;
        let by_id: HashMap<&str, &sni::InstanceScore> =
            report.instances.iter().map(|instance| (instance.id.as_str(), instance)).collect();
        for number in &numbers {
            let scored = by_id[id(plan, *number).as_str()];
            samples[*number].metrics = vec![Some(scored.rouge_l), Some(indicator(scored.exact_match))];
        }
        detail.insert(way.name(), report);
    }
    Ok(Scored::new(Detail::SuperNaturalInstructions(detail)))
}

/// Ids of instances are unique within a task only.
fn id(plan: &Plan, number: usize) -> String {
    let sample = &plan.samples[number];
    let task = &plan.tasks[sample.task];
    format!("{}\t{}", task.id, task.instances[sample.instance].number)
}

fn reference(plan: &Plan, number: usize) -> Reference {
    let sample = &plan.samples[number];
    let task = &plan.tasks[sample.task];
    Reference {
        id: id(plan, number),
        references: task.instances[sample.instance].gold.clone(),
        task: Some(task.id.clone()),
        category: task.category.clone(),
        track: Some(Track::Default),
        place: Place { file: PathBuf::new(), line: 1, column: 1 },
    }
}
