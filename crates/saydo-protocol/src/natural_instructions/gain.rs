//! What each element of the instruction is worth: the score with it less the score without it, by category (Table 5), beside
//! what people say of it (Table 7). And the length of each layout's instruction beside its score (Table 13).
//!
//! Tasks are paired with themselves, so a difference is of the prompt alone.

use crate::score::{SampleScore, by_task};
use crate::table::{Table, percent, range};
use crate::{Plan, Protocol};
use saydo_bpe::Gpt2;
use saydo_metrics::bootstrap::{mean_interval, paired_difference};
use saydo_metrics::mean::numpy_mean;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// An element, the layout with it and the layout without it.
const GAINS: [(&str, &str, &str); 8] = [
    ("Prompt", "ni-prompt-examples", "ni-examples"),
    ("Definition", "ni-prompt-definition", "ni-prompt"),
    ("Things to avoid", "ni-prompt-avoid", "ni-prompt"),
    ("Emphasis & caution", "ni-prompt-emphasis", "ni-prompt"),
    ("Positive examples", "ni-prompt-examples", "ni-prompt"),
    ("Negative examples", "ni-full", "ni-full-no-negative"),
    ("Alternation of examples", "ni-full-alternating", "ni-full"),
    ("Schema instead of raw text", "ni-no-examples", "ni-raw"),
];

/// All categories together.
const ALL: &str = "all";

/// What the elements of a run's layouts are worth.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Elements {
    /// Gains by element and category, `all` last.
    pub gains: Vec<Gain>,
    /// The length and the score of each layout.
    pub lengths: Vec<LayoutLength>,
}

/// One element's gain in one category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The element.
    pub element: String,
    /// The layout with it.
    pub with: String,
    /// The layout without it.
    pub without: String,
    /// The decoding.
    pub decoding: String,
    /// The category, or `all`.
    pub category: String,
    /// How many tasks were asked under both layouts.
    pub tasks: usize,
    /// The mean difference.
    pub gain: f64,
    /// Its 95% interval over other tasks.
    pub interval: [f64; 2],
    /// The p-value of a randomization test over tasks.
    pub p_value: f64,
}

/// A layout's instruction in tokens, and its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayoutLength {
    /// The layout, with few or many examples where both were run.
    pub layout: String,
    /// The decoding.
    pub decoding: String,
    /// How many tasks.
    pub tasks: usize,
    /// GPT-2 tokens of the prompt before the input, mean over tasks.
    pub tokens: f64,
    /// The mean score over tasks.
    pub score: f64,
    /// Its 95% interval.
    pub interval: [f64; 2],
}

impl Elements {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.gains.is_empty() && self.lengths.is_empty()
    }
}

/// A task's mean score under each layout and decoding.
type Means = BTreeMap<(String, String), BTreeMap<usize, f64>>;

/// The gains and lengths of a run of Natural Instructions; empty for other protocols and for a single layout.
pub(crate) fn elements(plan: &Plan, samples: &[SampleScore], seed: u64) -> Elements {
    if plan.protocol != Protocol::NaturalInstructions || plan.layouts.len() < 2 {
        return Elements::default();
    }
    let (mut means, mut tokens): (Means, Means) = (Means::new(), Means::new());
    let lengths: Vec<f64> = plan.prefixes.iter().map(|prefix| Gpt2::shared().count(prefix) as f64).collect();
    for ((task, layout, decoding), numbers) in by_task(plan) {
        let values: Vec<f64> =
            numbers.iter().filter_map(|number| samples[*number].metrics.first().copied().flatten()).collect();
        let prefixes: Vec<f64> = numbers.iter().map(|number| lengths[plan.samples[*number].prefix]).collect();
        if let (Some(mean), Some(length)) = (numpy_mean(&values), numpy_mean(&prefixes)) {
            means.entry((layout.clone(), decoding.clone())).or_default().insert(task, mean);
            tokens.entry((layout, decoding)).or_default().insert(task, length);
        }
    }
    let length = |((layout, decoding), tasks): (&(String, String), &BTreeMap<usize, f64>)| {
        let values: Vec<f64> = tasks.values().copied().collect();
        let lengths: Vec<f64> = tokens.get(&(layout.clone(), decoding.clone()))?.values().copied().collect();
        let interval = mean_interval(&values, seed)?;
        Some(LayoutLength {
            layout: layout.clone(),
            decoding: decoding.clone(),
            tasks: values.len(),
            tokens: numpy_mean(&lengths)?,
            score: numpy_mean(&values)?,
            interval: [interval.low, interval.high],
        })
    };
    Elements { gains: gains(plan, &means, seed), lengths: means.iter().filter_map(length).collect() }
}

fn gains(plan: &Plan, means: &Means, seed: u64) -> Vec<Gain> {
    let decodings: BTreeSet<&String> = means.keys().map(|(_, decoding)| decoding).collect();
    let mut gains = Vec::new();
    for decoding in decodings {
        // Where a layout was run with few and with many examples, the paper's figures are those with few.
        let find = |layout: &str| {
            let names = [layout.to_owned(), format!("{layout} few")];
            names.into_iter().find_map(|name| {
                let key = (name, decoding.clone());
                means.get(&key).map(|tasks| (key.0, tasks))
            })
        };
        for (element, with, without) in GAINS {
            let (Some((with, left)), Some((without, right))) = (find(with), find(without)) else { continue };
            let mut categories: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
            for (task, value) in left {
                let Some(other) = right.get(task) else { continue };
                let category = plan.tasks[*task].category.as_deref();
                for name in category.into_iter().chain([ALL]) {
                    categories.entry(name).or_default().push((*value, *other));
                }
            }
            let all = categories.remove(ALL).map(|pairs| (ALL, pairs));
            for (category, pairs) in categories.into_iter().chain(all) {
                let (own, other): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
                let Some(found) = paired_difference(&own, &other, seed) else { continue };
                gains.push(Gain {
                    element: element.to_owned(),
                    with: with.clone(),
                    without: without.clone(),
                    decoding: decoding.clone(),
                    category: category.to_owned(),
                    tasks: own.len(),
                    gain: found.mean,
                    interval: [found.interval.low, found.interval.high],
                    p_value: found.p_value,
                });
            }
        }
    }
    gains
}

/// The tables: a line for each element and category, and a line for each layout.
pub(crate) fn tables(elements: &Elements) -> Vec<Table> {
    let header = ["element", "category", "decoding", "with", "without", "tasks", "gain", "95%", "p"];
    let mut gains = Table::new("what each element adds (Table 5)", &header).with_note(
        "ROUGE-L points with the element less those without it, task by task. p: randomization test over tasks.",
    );
    for gain in &elements.gains {
        let points = |share: f64| format!("{:+.1}", 100.0 * share);
        let [low, high] = gain.interval.map(points);
        gains.row([
            gain.element.clone(),
            gain.category.clone(),
            gain.decoding.clone(),
            gain.with.clone(),
            gain.without.clone(),
            gain.tasks.to_string(),
            points(gain.gain),
            format!("{low} to {high}"),
            format!("{:.3}", gain.p_value),
        ]);
    }
    let header = ["layout", "decoding", "tasks", "tokens of the instruction", "ROUGE-L", "95%"];
    let mut lengths = Table::new("length of the instruction beside the score (Table 13)", &header).with_note(
        "GPT-2 tokens before the input. The paper gives 2.5 thousand tokens for raw instructions and 950 for its schema; the \
         scores of its Table 13 are not readable in our copy.",
    );
    for row in &elements.lengths {
        lengths.row([
            row.layout.clone(),
            row.decoding.clone(),
            row.tasks.to_string(),
            format!("{:.0}", row.tokens),
            percent(row.score),
            range(Some(row.interval)),
        ]);
    }
    vec![gains, lengths]
}
