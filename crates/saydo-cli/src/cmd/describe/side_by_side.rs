//! The same skill in different tasks: the elements of their instructions beside each other (Natural Instructions, Figures 6
//! to 10).

use anyhow::{Result, bail};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::natural_instructions::{category_of, dataset_of};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The instruction of one task.
#[derive(Debug, Serialize)]
pub struct Instruction<'a> {
    task: &'a str,
    dataset: Option<&'a str>,
    title: Option<&'a str>,
    prompt: Option<&'a str>,
    definition: Option<&'a str>,
    things_to_avoid: Option<&'a str>,
    emphasis: Option<&'a str>,
    positive: Option<String>,
    negative: Option<String>,
}

/// The instructions of a category's tasks, one task of each source dataset unless `all`.
pub fn instructions<'a>(dataset: &'a Dataset, category: &str, all: bool) -> Result<Vec<Instruction<'a>>> {
    let tasks = || dataset.tasks.iter().map(|located| &located.task);
    let of_category: Vec<&Task> = tasks().filter(|task| category_of(task) == Some(category)).collect();
    if of_category.is_empty() {
        let known: BTreeSet<&str> = tasks().filter_map(category_of).collect();
        let known: Vec<&str> = known.into_iter().collect();
        match known.is_empty() {
            true => bail!("no task names a category, expected tasks with one to compare"),
            false => bail!("no task of the category `{category}`, expected one of {}", known.join(", ")),
        }
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

/// Element by element, a line for each task.
pub fn report(category: &str, instructions: &[Instruction<'_>]) -> String {
    let mut out = format!("{category}: {} tasks, element by element\n", instructions.len());
    type Element = for<'i> fn(&'i Instruction<'_>) -> Option<&'i str>;
    let elements: [(&str, Element); 7] = [
        ("title", |task| task.title),
        ("prompt", |task| task.prompt),
        ("definition", |task| task.definition),
        ("things to avoid", |task| task.things_to_avoid),
        ("emphasis & caution", |task| task.emphasis),
        ("first positive example", |task| task.positive.as_deref()),
        ("first negative example", |task| task.negative.as_deref()),
    ];
    for (name, element) in elements {
        let _ = writeln!(out, "\n{name}\n");
        for task in instructions {
            let text = element(task).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            let source = task.dataset.map(|dataset| format!(" ({dataset})")).unwrap_or_default();
            let _ = writeln!(out, "  {}{source}: {}", task.task, text.as_deref().unwrap_or("-"));
        }
    }
    out
}
