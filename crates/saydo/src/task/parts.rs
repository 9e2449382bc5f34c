//! The parts of a dataset, described one by one.

use crate::Error;
use saydo_task::dataset::Dataset;
use saydo_task::describe::{Group, describe};
use saydo_task::split::{Split, TaskRef};
use std::path::PathBuf;

/// Parts of a dataset by name, in order.
pub type Parts = Vec<(String, Group)>;

/// The sides of a split, or else a part for each path if there are several.
pub fn parts(dataset: &Dataset, paths: &[PathBuf], split: Option<&str>) -> Result<Parts, Error> {
    if let Some(split) = split {
        let tasks: Vec<_> = dataset.tasks.iter().map(|located| located.task.clone()).collect();
        let split = Split::named(split, &tasks)?;
        let sides = [("seen", Some(&split.seen)), ("dev", split.dev.as_ref()), ("unseen", Some(&split.unseen))];
        let side = |(name, tasks): (&str, &Vec<TaskRef>)| {
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
