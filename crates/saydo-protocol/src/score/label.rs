//! Tasks that ask for one of a few labels, beside their means.
//!
//! Where nine answers in ten are "No.", whoever always says "No." has nine in ten right without having read anything.
//! Balanced accuracy is the mean over labels of the share that is right, so that saying one label always earns no more
//! than chance.

use super::{SampleScore, by_task};
use crate::Plan;
use serde::Serialize;
use std::collections::BTreeMap;

/// Labels of a task at most; what has more is asked freely.
const MAX_LABELS: usize = 12;
/// Samples that each label has at least, on average.
const MIN_SAMPLES: usize = 3;

/// A task with labels, asked in one way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelScores {
    /// The task.
    pub task: String,
    /// The layout, with few or many examples where both were run.
    pub layout: String,
    /// The decoding.
    pub decoding: String,
    /// How many samples.
    pub samples: usize,
    /// How many labels stand among the gold answers.
    pub labels: usize,
    /// The share of samples whose first line is a gold answer.
    pub accuracy: f64,
    /// The mean over labels of that share.
    pub balanced_accuracy: f64,
    /// The share of the label that is gold most often.
    pub largest_label: f64,
    /// What is said most often, and its share.
    pub most_said: (String, f64),
}

/// The tasks with labels. Every sample has its exact match as its second metric.
pub(super) fn labels(plan: &Plan, samples: &[SampleScore]) -> Vec<LabelScores> {
    let of_task = |((task, layout, decoding), numbers): ((usize, String, String), Vec<usize>)| {
        let answered: Vec<Answered<'_>> =
            numbers.iter().filter_map(|number| answered(plan, samples, *number)).collect();
        let shares = Shares::of(&answered)?;
        Some(LabelScores {
            task: plan.tasks[task].id.clone(),
            layout,
            decoding,
            samples: answered.len(),
            labels: shares.labels,
            accuracy: shares.accuracy,
            balanced_accuracy: shares.balanced_accuracy,
            largest_label: shares.largest_label,
            most_said: shares.most_said,
        })
    };
    by_task(plan).into_iter().filter_map(of_task).collect()
}

/// One sample: its label, whether it is right, and what was said; none if there is no reply.
struct Answered<'a> {
    gold: &'a str,
    is_right: bool,
    said: Option<&'a str>,
}

fn answered<'a>(plan: &'a Plan, samples: &'a [SampleScore], number: usize) -> Option<Answered<'a>> {
    let gold = plan.instance(&plan.samples[number]).gold.first()?;
    let is_right = *samples[number].metrics.get(1)?.as_ref()? > 0.5;
    let said = samples[number].reply.as_deref().map(|said| said.trim().lines().next().unwrap_or_default());
    Some(Answered { gold, is_right, said })
}

struct Shares {
    labels: usize,
    accuracy: f64,
    balanced_accuracy: f64,
    largest_label: f64,
    most_said: (String, f64),
}

impl Shares {
    /// None if the gold answers are no labels.
    fn of(answered: &[Answered<'_>]) -> Option<Self> {
        let mut by_label: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut said: BTreeMap<&str, usize> = BTreeMap::new();
        for one in answered {
            let (count, right) = by_label.entry(one.gold).or_default();
            *count += 1;
            *right += usize::from(one.is_right);
            one.said.into_iter().for_each(|one| *said.entry(one).or_default() += 1);
        }
        if !(2..=MAX_LABELS).contains(&by_label.len()) || by_label.len() * MIN_SAMPLES > answered.len() {
            return None;
        }
        let share = |count: usize| count as f64 / answered.len() as f64;
        let recalls = by_label.values().map(|(count, right)| *right as f64 / *count as f64);
        let (most, times) = said.into_iter().max_by_key(|(_, times)| *times).unwrap_or_default();
        Some(Self {
            labels: by_label.len(),
            accuracy: share(by_label.values().map(|(_, right)| right).sum()),
            balanced_accuracy: recalls.sum::<f64>() / by_label.len() as f64,
            largest_label: share(by_label.values().map(|(count, _)| *count).max()?),
            most_said: (most.to_owned(), share(times)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(golds: &[&'static str], said: &'static str) -> Vec<Answered<'static>> {
        golds.iter().map(|gold| Answered { gold, is_right: *gold == said, said: Some(said) }).collect()
    }

    #[test]
    fn who_always_says_one_label_is_right_by_chance() {
        let shares = Shares::of(&answered(&["No", "No", "No", "No", "No", "No", "No", "Yes"], "No")).unwrap();
        assert_eq!((shares.labels, shares.accuracy, shares.balanced_accuracy), (2, 0.875, 0.5));
        assert_eq!((shares.largest_label, shares.most_said), (0.875, ("No".to_owned(), 1.0)));
    }

    #[test]
    fn free_answers_are_no_labels() {
        assert!(Shares::of(&answered(&["a", "b", "c", "d"], "a")).is_none());
        assert!(Shares::of(&answered(&["a", "a", "a"], "a")).is_none(), "one label tells nothing apart");
    }
}
