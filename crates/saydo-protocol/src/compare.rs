//! Two runs beside each other: how far apart they are, and whether that could be chance.

use crate::Error;
use crate::record::Opened;
use crate::score::{Scores, variants};
use saydo_metrics::bootstrap::paired_difference;
use saydo_metrics::mean::numpy_mean;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The difference of one metric between two runs, over the samples they have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The metric.
    pub metric: String,
    /// Tasks in common.
    pub tasks: usize,
    /// Samples in common.
    pub samples: usize,
    /// The mean over these samples in the first run.
    pub a: f64,
    /// And in the second.
    pub b: f64,
    /// The second less the first.
    pub difference: f64,
    /// Its 95% interval by paired bootstrap.
    pub interval: [f64; 2],
    /// How often a difference as large comes up when the two scores of each sample are swapped at random.
    pub p_value: f64,
    /// Samples that the second run does better.
    pub better: usize,
    /// Samples that it does worse.
    pub worse: usize,
}

/// Pairs the samples of two runs by task, instance, draw and, where both runs have several, layout and decoding.
pub fn pairs(a: &Opened, b: &Opened) -> Vec<(usize, usize)> {
    let (names_a, names_b) = (names(a, b), names(b, a));
    let mut places: BTreeMap<&Name, usize> = BTreeMap::new();
    for (place, name) in names_b.iter().enumerate() {
        places.entry(name).or_insert(place);
    }
    names_a.iter().enumerate().filter_map(|(i, name)| Some((i, *places.get(name)?))).collect()
}

/// Task, instance, draw, layout, decoding.
type Name = (String, usize, usize, String, String);

fn names(run: &Opened, other: &Opened) -> Vec<Name> {
    let variants = variants(&run.plan);
    // A run with one layout is compared with a run with another one: that is what such runs are for.
    let both_have_several = |count: fn(&Opened) -> usize| count(run) > 1 && count(other) > 1;
    let keeps_layout = both_have_several(|run| run.plan.layouts.len());
    let keeps_decoding = both_have_several(|run| run.plan.decodings.len());
    let name = |(sample, variant): (&crate::Sample, String)| {
        let task = &run.plan.tasks[sample.task];
        let layout = if keeps_layout { variant } else { String::new() };
        let decoding = if keeps_decoding { run.plan.decodings[sample.decoding].name.clone() } else { String::new() };
        (task.id.clone(), task.instances[sample.instance].number, sample.draw, layout, decoding)
    };
    run.plan.samples.iter().zip(variants).map(name).collect()
}

/// Compares two scored runs under every metric they share.
pub fn compare(
    (a, scores_a): (&Opened, &Scores),
    (b, scores_b): (&Opened, &Scores),
    seed: u64,
) -> Result<Vec<Comparison>, Error> {
    let pairs = pairs(a, b);
    if pairs.is_empty() || a.record.protocol != b.record.protocol {
        return Err(Error::NothingInCommon);
    }
    let mut comparisons = Vec::new();
    for (place, metric) in a.record.protocol.metrics().iter().enumerate() {
        let value = |scores: &Scores, sample: usize| scores.samples[sample].metrics.get(place).copied().flatten();
        let both = pairs
            .iter()
            .filter_map(|(i, j)| Some((a.plan.samples[*i].task, value(scores_a, *i)?, value(scores_b, *j)?)));
        let both: Vec<(usize, f64, f64)> = both.collect();
        let (first, second): (Vec<f64>, Vec<f64>) = both.iter().map(|(_, x, y)| (*x, *y)).unzip();
        let (Some(difference), Some(mean_a), Some(mean_b)) =
            (paired_difference(&second, &first, seed), numpy_mean(&first), numpy_mean(&second))
        else {
            continue;
        };
        comparisons.push(Comparison {
            metric: (*metric).to_owned(),
            tasks: both.iter().map(|(task, ..)| task).collect::<BTreeSet<_>>().len(),
            samples: both.len(),
            a: mean_a,
            b: mean_b,
            difference: difference.mean,
            interval: [difference.interval.low, difference.interval.high],
            p_value: difference.p_value,
            better: both.iter().filter(|(_, x, y)| y > x).count(),
            worse: both.iter().filter(|(_, x, y)| y < x).count(),
        });
    }
    Ok(comparisons)
}
