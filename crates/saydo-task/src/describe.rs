//! Statistics of a dataset: ZEST's Table 2 and the Natural Instructions tables, for any tasks.
//!
//! Words are pieces between white space. A mean over nothing is absent, never 0. What the papers print is in
//! [`published`], to stand beside our own numbers.

mod overlap;
pub mod published;
mod question;
mod tally;

pub use overlap::{Overlap, overlap};
pub use question::{QuestionFormat, format_by_first_word, is_mixed, question_format};

use crate::Task;
use crate::dataset::Dataset;
use crate::format::natural_instructions::{category_of, dataset_of};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use tally::Tally;

/// Numbers about a whole dataset and its groups. A group's map is empty when no task names one; tasks that name none
/// are then counted only in `overall`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// All tasks.
    pub overall: Group,
    /// By category; the first one a task names.
    pub by_category: BTreeMap<String, Group>,
    /// By source dataset; the first one a task names.
    pub by_dataset: BTreeMap<String, Group>,
    /// By domain; a task of several domains counts in each.
    pub by_domain: BTreeMap<String, Group>,
    /// By the paper's name of ZEST's generalization type.
    pub by_generalization: BTreeMap<String, Group>,
}

/// Numbers about a group of tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// How many tasks.
    pub tasks: usize,
    /// How many instances: ZEST's (task, passage) pairs.
    pub instances: usize,
    /// How many instances have a gold output.
    pub labelled: usize,
    /// Positive examples of a task, on average.
    pub positive_examples: Option<f64>,
    /// Negative examples of a task, on average.
    pub negative_examples: Option<f64>,
    /// Share of labelled instances whose gold is NA.
    pub na_share: Option<f64>,
    /// Share of classification among the tasks whose question format can be told.
    pub classification_share: Option<f64>,
    /// Share of records with yes-no fields and fields of another kind, among the tasks whose question format can be told.
    pub mixed_share: Option<f64>,
    /// All positive and negative examples.
    pub examples: usize,
    /// Share of examples with a reason.
    pub reason_share: Option<f64>,
    /// Share of negative examples with a suggestion.
    pub suggestion_share: Option<f64>,
    /// Mean lengths in words, or in the unit that [`describe_in`] was given.
    pub words: Words,
}

/// Mean length in words of each element, over the tasks, examples or instances that have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Words {
    /// Titles.
    pub title: Option<f64>,
    /// Definitions; of several, the first. ZEST's task length.
    pub definition: Option<f64>,
    /// Prompts.
    pub prompt: Option<f64>,
    /// Things to avoid.
    pub things_to_avoid: Option<f64>,
    /// Emphasis and caution.
    pub emphasis: Option<f64>,
    /// Reasons given with examples, positive and negative.
    pub reason: Option<f64>,
    /// Suggestions given with negative examples.
    pub suggestion: Option<f64>,
    /// The whole description, examples included.
    pub description: Option<f64>,
    /// Inputs of instances. ZEST's passage length.
    pub input: Option<f64>,
    /// Gold outputs, each alternative by itself.
    pub output: Option<f64>,
}

/// Counts everything in a dataset, lengths in words.
pub fn describe(dataset: &Dataset) -> Description {
    describe_in(dataset, &|text| text.split_whitespace().count())
}

/// Counts everything in a dataset, lengths in a unit of one's own: `length` gives that of a text.
pub fn describe_in(dataset: &Dataset, length: &(dyn Fn(&str) -> usize + Sync)) -> Description {
    let tasks: Vec<(&Task, Tally)> =
        dataset.tasks.par_iter().map(|located| (&located.task, Tally::of(&located.task, length))).collect();
    let generalization = |task: &Task| task.origin.generalization.as_ref().map(|kind| kind.name().to_owned());
    Description {
        overall: tasks.iter().fold(Tally::default(), |sum, (_, tally)| sum + tally).group(),
        by_category: groups(&tasks, |task| category_of(task).map(str::to_owned)),
        by_dataset: groups(&tasks, |task| dataset_of(task).map(str::to_owned)),
        by_domain: groups(&tasks, |task| task.origin.domain.clone()),
        by_generalization: groups(&tasks, generalization),
    }
}

fn groups<Names: IntoIterator<Item = String>>(
    tasks: &[(&Task, Tally)],
    names: impl Fn(&Task) -> Names,
) -> BTreeMap<String, Group> {
    let mut sums: BTreeMap<String, Tally> = BTreeMap::new();
    for (task, tally) in tasks {
        for name in names(task) {
            let sum = sums.entry(name).or_default();
            *sum = std::mem::take(sum) + tally;
        }
    }
    sums.into_iter().map(|(name, sum)| (name, sum.group())).collect()
}

#[cfg(test)]
mod tests;
