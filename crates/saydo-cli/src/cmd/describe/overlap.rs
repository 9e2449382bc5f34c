//! Shared words of descriptions and inputs by type of generalization, and paraphrases against their base (ZEST, section 3).

use crate::table::{Table, percent};
use saydo_metrics::bootstrap::{mean_interval, paired_difference};
use saydo_metrics::mean::numpy_mean;
use saydo_task::describe::Overlap;
use serde::Serialize;
use std::collections::BTreeMap;

/// Tasks that state no type of generalization.
const UNTYPED: &str = "no type stated";

/// What the overlaps of a dataset add up to.
#[derive(Debug, Serialize)]
pub struct Overlaps {
    /// By type of generalization.
    types: BTreeMap<String, Shares>,
    /// Paraphrases less their base; none without pairs.
    paraphrase: Option<Difference>,
}

#[derive(Debug, Serialize)]
struct Shares {
    tasks: usize,
    share: f64,
    interval: [f64; 2],
    answered: Option<f64>,
    na: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Difference {
    pairs: usize,
    difference: f64,
    interval: [f64; 2],
    p_value: f64,
}

impl Overlaps {
    /// None if no task has content words and inputs.
    pub fn of(tasks: &[Overlap]) -> Option<Self> {
        let mut groups: BTreeMap<String, Vec<&Overlap>> = BTreeMap::new();
        for task in tasks {
            groups.entry(task.generalization.clone().unwrap_or_else(|| UNTYPED.to_owned())).or_default().push(task);
        }
        let types: BTreeMap<String, Shares> =
            groups.into_iter().filter_map(|(name, tasks)| Some((name, Shares::of(&tasks)?))).collect();
        let pairs = tasks.iter().filter(|task| task.generalization.as_deref() == Some("paraphrase"));
        let (own, base): (Vec<f64>, Vec<f64>) = pairs.filter_map(|task| Some((task.share, task.base?))).unzip();
        let paraphrase = paired_difference(&own, &base, 0).map(|found| Difference {
            pairs: own.len(),
            difference: found.mean,
            interval: [found.interval.low, found.interval.high],
            p_value: found.p_value,
        });
        (!types.is_empty()).then_some(Self { types, paraphrase })
    }

    /// As a table with its title.
    pub fn report(&self) -> String {
        let header = ["type", "tasks", "overlap %", "95%", "with an answer %", "NA %"];
        let mut table = Table::new(&header);
        let optional = |share: Option<f64>| share.map_or_else(String::new, percent);
        for (name, shares) in &self.types {
            let [low, high] = shares.interval.map(percent);
            let cells =
                [percent(shares.share), format!("{low}-{high}"), optional(shares.answered), optional(shares.na)];
            table.row([name.clone(), shares.tasks.to_string()].into_iter().chain(cells));
        }
        let mut out = format!(
            "\nlexical overlap: content words of the description that stand in the input, mean over tasks\n\n{}",
            table.render()
        );
        if let Some(found) = &self.paraphrase {
            let points = |share: f64| format!("{:+.1}", 100.0 * share);
            let [low, high] = found.interval.map(points);
            out += &format!(
                "paraphrases less their base: {} points ({low} to {high}), {} pairs, p {:.3}\n",
                points(found.difference),
                found.pairs,
                found.p_value
            );
        }
        out
    }
}

impl Shares {
    fn of(tasks: &[&Overlap]) -> Option<Self> {
        let values: Vec<f64> = tasks.iter().map(|task| task.share).collect();
        let interval = mean_interval(&values, 0)?;
        let over =
            |of: fn(&Overlap) -> Option<f64>| numpy_mean(&tasks.iter().filter_map(|task| of(task)).collect::<Vec<_>>());
        Some(Self {
            tasks: tasks.len(),
            share: numpy_mean(&values)?,
            interval: [interval.low, interval.high],
            answered: over(|task| task.answered),
            na: over(|task| task.na),
        })
    }
}
