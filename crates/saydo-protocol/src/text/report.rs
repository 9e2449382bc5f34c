//! Means with counts and intervals, over all rows and by group.

use super::{Row, RowScore};
use saydo_metrics::bootstrap::mean_interval;
use saydo_metrics::mean::sequential_sum;
use serde::Serialize;
use std::collections::BTreeMap;

/// The scores of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Over all rows.
    #[serde(flatten)]
    pub scores: Scores,
    /// By group, in the order of their names; rows that name none are in none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// The scores of one group of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub group: String,
    /// Its scores.
    #[serde(flatten)]
    pub scores: Scores,
}

/// The three measures of some rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// How many rows.
    pub n: usize,
    /// ROUGE-L F-measure.
    #[serde(rename = "rougeL")]
    pub rouge_l: Measure,
    /// The share of rows that match exactly.
    pub exact_match: Measure,
    /// Token F1.
    pub f1: Measure,
}

/// A mean as a fraction, with its 95% interval over other rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measure {
    /// The mean.
    pub mean: f64,
    /// The ends of the interval.
    pub interval: Option<[f64; 2]>,
}

impl Measure {
    fn of(values: &[f64], seed: u64) -> Measure {
        let interval = mean_interval(values, seed);
        Measure {
            mean: sequential_sum(values) / values.len() as f64,
            interval: interval.map(|interval| [interval.low, interval.high]),
        }
    }
}

impl Scores {
    /// Of at least one row.
    fn of(scores: &[RowScore], seed: u64) -> Scores {
        let measure = |value: fn(&RowScore) -> f64| Measure::of(&scores.iter().map(value).collect::<Vec<_>>(), seed);
        Scores {
            n: scores.len(),
            rouge_l: measure(|score| score.rouge_l),
            exact_match: measure(|score| f64::from(u8::from(score.exact_match))),
            f1: measure(|score| score.f1),
        }
    }
}

impl Report {
    /// The report on rows, of which there is at least one, and their scores.
    pub(super) fn new(rows: &[Row], scores: &[RowScore], seed: u64) -> Report {
        let mut groups = BTreeMap::<&str, Vec<RowScore>>::new();
        for (row, score) in rows.iter().zip(scores) {
            if let Some(group) = &row.group {
                groups.entry(group).or_default().push(*score);
            }
        }
        let group =
            |(name, scores): (&str, Vec<RowScore>)| Group { group: name.to_owned(), scores: Scores::of(&scores, seed) };
        Report { scores: Scores::of(scores, seed), groups: groups.into_iter().map(group).collect() }
    }
}
