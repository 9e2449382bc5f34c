//! The same skill in different tasks: the elements of their instructions beside each other (Natural Instructions, Figures 6
//! to 10).

use crate::Error;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::natural_instructions::{category_of, dataset_of};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The instruction of one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Instruction<'a> {
    /// The task's id.
    pub task: &'a str,
    /// The dataset it was made from.
    pub dataset: Option<&'a str>,
    /// Its title.
    pub title: Option<&'a str>,
    /// What to do, in one line.
    pub prompt: Option<&'a str>,
    /// What to do, in full.
    pub definition: Option<&'a str>,
    /// What an answer must not do.
    pub things_to_avoid: Option<&'a str>,
    /// What an answer must take care of.
    pub emphasis: Option<&'a str>,
    /// Its first positive example.
    pub positive: Option<String>,
    /// Its first negative example.
    pub negative: Option<String>,
}

/// The instructions of a category's tasks, one task of each source dataset unless `all`.
pub fn instructions<'a>(dataset: &'a Dataset, category: &str, all: bool) -> Result<Vec<Instruction<'a>>, Error> {
    let tasks = || dataset.tasks.iter().map(|located| &located.task);
    let of_category: Vec<&Task> = tasks().filter(|task| category_of(task) == Some(category)).collect();
    if of_category.is_empty() {
        let known: BTreeSet<&str> = tasks().filter_map(category_of).collect();
        let known: Vec<&str> = known.into_iter().collect();
        return Err(if known.is_empty() {
            Error::unfit("no task names a category", "tasks with one to compare")
        } else {
            Error::unfit(format!("no task of the category `{category}`"), format!("one of {}", known.join(", ")))
        });
    }
    let mut datasets: BTreeSet<Option<String>> = BTreeSet::new();
    let mut is_shown = |task: &Task| all || datasets.insert(dataset_of(task).map(str::to_owned));
    Ok(of_category.into_iter().filter(|task| is_shown(task)).map(Instruction::of).collect())
}

impl<'a> Instruction<'a> {
    fn of(task: &'a Task) -> Self {
        let example = |example: &saydo_task::Example| {
            let mut text = format!("{} => {}", example.input, example.output);
            for (name, part) in [("reason", &example.reason), ("suggestion", &example.suggestion)] {
                if let Some(part) = part {
                    let _ = write!(text, " ({name}: {part})");
                }
            }
            text
        };
        Self {
            task: &task.id,
            dataset: dataset_of(task),
            title: task.title.as_deref(),
            prompt: task.prompt.as_deref(),
            definition: task.definition.as_deref(),
            things_to_avoid: task.things_to_avoid.as_deref(),
            emphasis: task.emphasis.as_deref(),
            positive: task.positive.first().map(example),
            negative: task.negative.first().map(example),
        }
    }
}
