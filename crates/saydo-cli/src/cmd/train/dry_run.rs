//! `saydo train --dry-run`: what would be learned from, and about how long that takes. No weights are loaded.

use super::Job;
use crate::output;
use crate::speed::{Speeds, key};
use crate::table::Table;
use anyhow::Result;
use indicatif::HumanDuration;
use saydo_model::PromptLimit;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::Weights;
use saydo_train::data::Making;
use saydo_train::{Data, Example, Room};
use serde_json::{Value, json};

/// Examples whose tokens are counted: enough for a mean.
const COUNTED: usize = 64;

/// Prints what a training would do.
pub(super) fn print(job: Job, as_json: bool) -> Result<()> {
    let found = look(job)?;
    if as_json {
        return output::print_json(&found);
    }
    let Value::Object(found) = found else { return Ok(()) };
    let mut table = Table::new(&["", "dry run"]).with_words(&[1]);
    for (name, value) in found.iter().filter(|(name, _)| *name != "prompt") {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        table.row([name.replace('_', " "), text]);
    }
    let prompt = found["prompt"].as_str().unwrap_or_default();
    output::print(&format!("{}\n\n--- the first prompt ---\n{prompt}", table.render()))
}

fn look(mut job: Job) -> Result<Value> {
    let mut plan = job.recipe.plan(job.model.seed())?;
    if job.data.layout.is_empty() {
        job.data.layout.push(job.recipe.layout().to_owned());
    }
    let path = job.model.spec(None)?.path()?;
    let weights = Weights::open(&path, saydo_model::weights::Purpose::Inference)?;
    let tokenizer = Tokenizer::of_weights(&weights, &path)?;
    plan.bound(PromptLimit::of_weights(&weights)?);
    let (bundle, told) = (plan.settings.per_task, job.recipe.hold_layout.as_deref());
    let data = Data::load(&job.data, job.model.seed(), Making { bundle, told, room: Room::UNBOUNDED })?;
    let count = |example: &Example| {
        tokenizer.count(&example.prompt.whole()).min(plan.most.source) + tokenizer.count(&example.output)
    };
    let taken = data.examples.len().min(COUNTED);
    let tokens: Vec<usize> = (0..taken).map(|i| count(&data.examples[i * data.examples.len() / taken])).collect();
    let mean = tokens.iter().sum::<usize>() as f64 / taken.max(1) as f64;
    let updates = match plan.epochs {
        Some(epochs) => (data.examples.len() * epochs).div_ceil(plan.settings.batch),
        None => plan.settings.steps,
    };
    let learned = (updates * plan.settings.batch * plan.rates.len()) as f64 * mean;
    let time = Speeds::load(job.model.home()).estimate(&key("train", &job.model), learned);
    Ok(json!({
        "tasks": data.seen,
        "examples": data.examples.len(),
        "validation_tasks": data.dev.len(),
        "unseen_tasks_left_out": data.leaks.tasks,
        "unseen_instances_left_out": data.leaks.instances,
        "updates": updates,
        "learning_rates": plan.rates,
        "tokens_per_example": {
            "min": tokens.iter().min(), "mean": mean.round(), "max": tokens.iter().max(),
        },
        "sampling_rates": data.rates,
        "time": time.map_or_else(|| "unknown: no training of this model has run here".to_owned(), |time| {
            format!("about {}", HumanDuration(time))
        }),
        "prompt": data.examples.first().map(|example| example.prompt.whole()),
    }))
}
