//! Where a model stands on a leaderboard: its official values by task, and whether it is ahead of another by more than chance.
//!
//! The official numbers are unweighted means of rows (types of generalization), so a task counts with one over the number of
//! rows times the tasks of its row. Two models are compared on the tasks they have in common, by the difference of the very
//! number they are ranked by: its interval by paired bootstrap over tasks, its p-value by swapping the two models' values of
//! each task at random.

use super::evaluation::ZestScores;
use saydo_metrics::bootstrap::paired_difference;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a model is worth on each task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The tasks that count, in the order of the gold file.
    pub tasks: Vec<TaskStanding>,
}

/// What a model is worth on a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskStanding {
    /// The task's id, as JSON writes it.
    pub id: String,
    /// The row it counts in.
    pub category: String,
    /// Its official value: its F1, or the least of it and its base task's.
    pub value: f64,
}

/// How far a model is ahead of another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gap {
    /// The tasks they have in common.
    pub tasks: usize,
    /// The difference of the means.
    pub difference: f64,
    /// Its 95% interval.
    pub interval: [f64; 2],
    /// How often chance alone gives a difference as large.
    pub p_value: f64,
}

impl Standing {
    /// What a run is worth on the tasks that count.
    pub fn of(scores: &ZestScores) -> Self {
        let task = |task: &super::TaskScore| {
            let scored = task.scored()?;
            let (category, value) = (scored.category.clone(), scored.official?);
            Some(TaskStanding { id: task.id.to_string(), category, value })
        };
        Self { tasks: scores.tasks.iter().filter_map(task).collect() }
    }

    /// How far this is ahead of another: by the mean of values without a threshold, by the share of tasks that reach it with
    /// one. None if they have no task in common.
    pub fn gap(&self, other: &Self, threshold: Option<f64>, seed: u64) -> Option<Gap> {
        let theirs: BTreeMap<&str, f64> = other.tasks.iter().map(|task| (task.id.as_str(), task.value)).collect();
        let common: Vec<(&TaskStanding, f64)> =
            self.tasks.iter().filter_map(|task| Some((task, *theirs.get(task.id.as_str())?))).collect();
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        common.iter().for_each(|(task, _)| *sizes.entry(&task.category).or_default() += 1);
        let weight = |task: &TaskStanding| common.len() as f64 / (sizes.len() * sizes[task.category.as_str()]) as f64;
        let worth = |value: f64| match threshold {
            Some(threshold) => f64::from(u8::from(value >= threshold)),
            None => value,
        };
        let own: Vec<f64> = common.iter().map(|(task, _)| weight(task) * worth(task.value)).collect();
        let others: Vec<f64> = common.iter().map(|(task, value)| weight(task) * worth(*value)).collect();
        let found = paired_difference(&own, &others, seed)?;
        Some(Gap {
            tasks: common.len(),
            difference: found.mean,
            interval: [found.interval.low, found.interval.high],
            p_value: found.p_value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zest::Competence;

    fn standing(values: &[(&str, f64)]) -> Standing {
        let task = |(number, (category, value)): (usize, &(&str, f64))| TaskStanding {
            id: number.to_string(),
            category: (*category).to_owned(),
            value: *value,
        };
        Standing { tasks: values.iter().enumerate().map(task).collect() }
    }

    #[test]
    fn the_gap_is_the_difference_of_the_official_averages() {
        let one = standing(&[("normal", 1.0), ("normal", 0.95), ("normal", 0.2), ("structure", 0.5)]);
        let other = standing(&[("normal", 0.5), ("normal", 0.95), ("normal", 0.2), ("structure", 0.92)]);
        let average = |standing: &Standing| {
            let of = |category: &str| {
                let values: Vec<f64> =
                    standing.tasks.iter().filter(|task| task.category == category).map(|task| task.value).collect();
                Competence::of(&values).unwrap()
            };
            let rows = [of("normal"), of("structure")];
            Competence::average(rows.iter()).unwrap()
        };
        let (a, b) = (average(&one), average(&other));
        let mean = one.gap(&other, None, 0).unwrap();
        assert!((mean.difference - (a.mean - b.mean)).abs() < 1e-12, "{mean:?}");
        let at_90 = one.gap(&other, Some(0.9), 0).unwrap();
        assert!((at_90.difference - (a.at_90 - b.at_90)).abs() < 1e-12, "{at_90:?}");
        assert_eq!(mean.tasks, 4);
    }

    #[test]
    fn only_common_tasks_are_compared() {
        let one = standing(&[("normal", 1.0), ("normal", 0.0)]);
        let part = standing(&[("normal", 0.5)]);
        assert_eq!(one.gap(&part, None, 0).map(|gap| (gap.tasks, gap.difference)), Some((1, 0.5)));
        assert_eq!(one.gap(&Standing::default(), None, 0), None);
    }

    #[test]
    fn a_steady_lead_over_many_tasks_is_significant() {
        let ahead: Vec<(&str, f64)> = (0..40).map(|n| (["normal", "structure"][n % 2], 0.8)).collect();
        let behind: Vec<(&str, f64)> = ahead.iter().map(|(category, value)| (*category, value - 0.2)).collect();
        let gap = standing(&ahead).gap(&standing(&behind), None, 1).unwrap();
        assert!(gap.p_value < 0.01 && gap.interval[0] > 0.0, "{gap:?}");
    }
}
