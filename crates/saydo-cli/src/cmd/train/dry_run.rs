//! `saydo train --dry-run`: what would be learned from, and about how long that takes.

use crate::output;
use crate::table::Table;
use anyhow::Result;
use indicatif::HumanDuration;
use saydo::job::train::Probe;
use serde_json::{Value, json};

/// Prints what a training would do.
pub(super) fn print(probe: &Probe, as_json: bool) -> Result<()> {
    let mut found = facts(probe);
    if as_json {
        found["prompt"] = json!(probe.prompt);
        return output::print_json(&found);
    }
    let mut table = Table::new(&["", "dry run"]).with_words(&[1]);
    for (name, value) in found.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        table.row([name.replace('_', " "), text]);
    }
    let prompt = probe.prompt.as_deref().unwrap_or_default();
    output::print(&format!("{}\n\n--- the first prompt ---\n{prompt}", table.render()))
}

/// All but the prompt.
fn facts(probe: &Probe) -> Value {
    let [min, mean, max] = probe.example_tokens;
    let time = probe.time.map(|time| format!("about {}", HumanDuration(time)));
    json!({
        "tasks": probe.tasks,
        "examples": probe.examples,
        "validation_tasks": probe.validation_tasks,
        "unseen_tasks_left_out": probe.unseen_tasks_left_out,
        "unseen_instances_left_out": probe.unseen_instances_left_out,
        "updates": probe.updates,
        "learning_rates": probe.learning_rates,
        "tokens_per_example": { "min": min, "mean": mean, "max": max },
        "sampling_rates": probe.sampling_rates,
        "time": time.unwrap_or_else(|| "unknown: no training of this model has run here".to_owned()),
    })
}
