//! Means over tasks, by everything that tasks are told apart by.

use super::{SampleScore, variants};
use crate::{GoldTask, Plan};
use saydo_metrics::bootstrap::{RESAMPLES, interval_of, mean_interval};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The mean of a metric over some tasks, asked in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What tasks are put together by: `all`, `category`, `dataset`, `domain`, `generalization`, `kind` or `task`.
    pub by: String,
    /// Which of them.
    pub name: String,
    /// The layout, with few or many examples where both were run.
    pub layout: String,
    /// The decoding.
    pub decoding: String,
    /// The metric.
    pub metric: String,
    /// How many tasks.
    pub tasks: usize,
    /// How many samples.
    pub samples: usize,
    /// How many of them the model had learned.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seen: usize,
    /// The mean over tasks, as a fraction.
    pub mean: f64,
    /// Its 95% interval: over other tasks of this kind, or, for a single task, over other instances of it.
    pub interval: Option<[f64; 2]>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What a task scores, where that is not the mean of its samples.
pub(crate) struct TaskValue {
    pub task: usize,
    pub layout: String,
    pub decoding: String,
    pub metric: &'static str,
    pub value: f64,
    /// Its 95% interval over other instances.
    pub interval: Option<[f64; 2]>,
}

/// One task asked in one way, under one metric.
struct Cell<'a> {
    task: &'a GoldTask,
    values: Vec<f64>,
    seen: usize,
    mean: f64,
}

/// Of each task, the values of its samples, and how many of these the model had learned.
type Values = BTreeMap<usize, (Vec<f64>, usize)>;

/// Layout, decoding, metric.
type Way = (String, String, &'static str);

pub(super) fn rows(plan: &Plan, samples: &[SampleScore], values: &[TaskValue], seed: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (way, cells) in cells(plan, samples, values) {
        for (by, name_of) in GROUPS {
            let mut groups: BTreeMap<&str, Vec<&Cell<'_>>> = BTreeMap::new();
            for cell in &cells {
                if let Some(name) = name_of(cell.task) {
                    groups.entry(name).or_default().push(cell);
                }
            }
            rows.extend(groups.into_iter().map(|(name, cells)| row(by, name, &way, &cells, seed)));
        }
    }
    let order = |row: &Row| GROUPS.iter().position(|(by, _)| *by == row.by);
    rows.sort_by_key(order);
    rows
}

type NameOf = fn(&GoldTask) -> Option<&str>;

const GROUPS: [(&str, NameOf); 7] = [
    ("all", |_| Some("all")),
    ("generalization", |task| task.generalization.as_deref()),
    ("category", |task| task.category.as_deref()),
    ("dataset", |task| task.dataset.as_deref()),
    ("domain", |task| task.domain.as_deref()),
    ("kind", |task| task.kind.as_deref()),
    ("task", |task| Some(&task.id)),
];

/// The tasks under each way of asking and each metric, ways in the order of first appearance.
fn cells<'a>(plan: &'a Plan, samples: &[SampleScore], values: &[TaskValue]) -> Vec<(Way, Vec<Cell<'a>>)> {
    let mut ways: Vec<(Way, Values)> = Vec::new();
    let variants = variants(plan);
    let mut places: std::collections::HashMap<Way, usize> = std::collections::HashMap::new();
    for ((sample, layout), scored) in plan.samples.iter().zip(&variants).zip(samples) {
        for (metric, value) in plan.protocol.metrics().iter().zip(&scored.metrics) {
            let Some(value) = value else { continue };
            let way = (layout.clone(), plan.decodings[sample.decoding].name.clone(), *metric);
            let place = *places.entry(way.clone()).or_insert_with(|| {
                ways.push((way, BTreeMap::new()));
                ways.len() - 1
            });
            let (values, seen) = ways[place].1.entry(sample.task).or_default();
            values.push(*value);
            *seen += usize::from(plan.tasks[sample.task].instances[sample.instance].seen);
        }
    }
    let given = |task: usize, (layout, decoding, metric): &Way| {
        let is_it = |value: &&TaskValue| {
            value.task == task && value.layout == *layout && value.decoding == *decoding && value.metric == *metric
        };
        values.iter().find(is_it).map(|value| value.value)
    };
    let finish = |(way, tasks): (Way, Values)| {
        let cell = |(task, (values, seen)): (usize, (Vec<f64>, usize))| {
            let mean = given(task, &way).unwrap_or_else(|| mean(&values));
            Cell { task: &plan.tasks[task], values, seen, mean }
        };
        let cells = tasks.into_iter().map(cell).collect();
        (way, cells)
    };
    ways.into_iter().map(finish).collect()
}

fn row(by: &str, name: &str, (layout, decoding, metric): &Way, cells: &[&Cell<'_>], seed: u64) -> Row {
    let means: Vec<f64> = cells.iter().map(|cell| cell.mean).collect();
    let interval = match cells {
        [one] => mean_interval(&one.values, seed),
        _ => interval_of(means.len(), RESAMPLES, seed, |drawn| {
            drawn.iter().map(|i| means[*i]).sum::<f64>() / drawn.len() as f64
        }),
    };
    Row {
        by: by.to_owned(),
        name: name.to_owned(),
        layout: layout.clone(),
        decoding: decoding.clone(),
        metric: (*metric).to_owned(),
        tasks: cells.len(),
        samples: cells.iter().map(|cell| cell.values.len()).sum(),
        seen: cells.iter().map(|cell| cell.seen).sum(),
        mean: mean(&means),
        interval: interval.map(|interval| [interval.low, interval.high]),
    }
}

/// The mean of values; there is always at least one.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
