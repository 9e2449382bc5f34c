//! ZEST's Table 2 for one's own data: a column for each part, the paper's beside them.

use crate::table::{Table, percent};
use anyhow::Result;
use saydo_task::dataset::Dataset;
use saydo_task::describe::{Group, describe, published};
use saydo_task::split::Split;
use std::path::PathBuf;

/// Parts of a dataset by name, in order.
pub type Parts = Vec<(String, Group)>;

/// The sides of a split, or else a part for each path if there are several.
pub fn parts(dataset: &Dataset, paths: &[PathBuf], split: Option<&str>) -> Result<Parts> {
    if let Some(split) = split {
        let tasks: Vec<_> = dataset.tasks.iter().map(|located| located.task.clone()).collect();
        let split = Split::named(split, &tasks)?;
        let sides = [("seen", Some(&split.seen)), ("dev", split.dev.as_ref()), ("unseen", Some(&split.unseen))];
        let side = |(name, tasks): (&str, &Vec<saydo_task::split::TaskRef>)| {
            let part = dataset.filtered(|located| tasks.iter().any(|task| task.id == located.task.id));
            (name.to_owned(), describe(&part).overall)
        };
        return Ok(sides.into_iter().filter_map(|(name, tasks)| Some(side((name, tasks?)))).collect());
    }
    if paths.len() < 2 {
        return Ok(Vec::new());
    }
    let part = |path: &PathBuf| {
        let name =
            path.file_stem().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Ok((name, describe(&Dataset::load(path)?).overall))
    };
    paths.iter().map(part).collect()
}

/// The table; `all` stands behind the parts.
pub fn table(parts: &Parts, all: &Group) -> String {
    let names = parts.iter().map(|(name, _)| name.as_str());
    let papers: Vec<String> = published::ZEST.iter().map(|part| format!("{} (ZEST)", part.name)).collect();
    let header: Vec<&str> =
        [""].into_iter().chain(names).chain(["all"]).chain(papers.iter().map(String::as_str)).collect();
    let mut table = Table::new(&header);
    let groups = || parts.iter().map(|(_, group)| group).chain([all]);
    let mut row = |name: &str, own: &dyn Fn(&Group) -> String, paper: &dyn Fn(&published::ZestPart) -> String| {
        let cells = groups().map(own).chain(published::ZEST.iter().map(paper));
        table.row([name.to_owned()].into_iter().chain(cells));
    };
    let number = super::number;
    let share = |share: Option<f64>| share.map_or_else(String::new, percent);
    row("(task, input) pairs", &|group| group.instances.to_string(), &|part| part.instances.to_string());
    row("words of an input", &|group| number(group.words.input), &|part| number(Some(part.input_words)));
    row("tasks", &|group| group.tasks.to_string(), &|part| part.tasks.to_string());
    row("words of a task", &|group| number(group.words.definition), &|part| number(Some(part.definition_words)));
    row("NA %", &|group| share(group.na_share), &|part| percent(part.na_share));
    row("classification %", &|group| share(group.classification_share), &|part| percent(part.classification_share));
    row("mixed %", &|group| share(group.mixed_share), &|_| String::new());
    format!("\nparts of the data (ZEST, Table 2)\n\n{}", table.render())
}
