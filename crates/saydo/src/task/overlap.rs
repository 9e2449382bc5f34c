//! Shared words of descriptions and inputs by type of generalization, and paraphrases against their base (ZEST, section 3).

use saydo_metrics::bootstrap::{mean_interval, paired_difference};
use saydo_metrics::mean::numpy_mean;
use saydo_task::describe::Overlap;
use serde::Serialize;
use std::collections::BTreeMap;

/// Tasks that state no type of generalization.
const UNTYPED: &str = "no type stated";

/// What the overlaps of a dataset add up to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overlaps {
    /// By type of generalization.
    pub types: BTreeMap<String, Shares>,
    /// Paraphrases less their base; none without pairs.
    pub paraphrase: Option<Difference>,
}

/// The overlap of tasks of one type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shares {
    /// How many tasks.
    pub tasks: usize,
    /// The mean over tasks.
    pub share: f64,
    /// Its 95% interval over other tasks.
    pub interval: [f64; 2],
    /// The mean over inputs with an answer; none if there is none.
    pub answered: Option<f64>,
    /// The mean over inputs whose gold is NA; none if there is none.
    pub na: Option<f64>,
}

/// A difference between paired tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// How many pairs.
    pub pairs: usize,
    /// Its mean.
    pub difference: f64,
    /// Its 95% interval over other pairs.
    pub interval: [f64; 2],
    /// How often chance alone gives as large a difference.
    pub p_value: f64,
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
