//! Splits as users name them: a file of `saydo split`, or one of the papers' ways, made on the spot.

use anyhow::Result;
use saydo_task::Task;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::split::Split;
use std::path::{Path, PathBuf};

/// The split that a name or file stands for, over these tasks.
pub fn load(text: &str, tasks: &[Task]) -> Result<Split> {
    let located = |task: &Task| LocatedTask { path: PathBuf::new(), line: 1, task: task.clone() };
    let dataset = || Dataset { tasks: tasks.iter().map(located).collect(), skipped: Vec::new() };
    Ok(match text.split_once(':') {
        _ if text == "natural-instructions" => Split::natural_instructions(&dataset())?,
        Some(("leave-one-category", name)) => Split::leave_one_category(&dataset(), name)?,
        Some(("leave-one-dataset", name)) => Split::leave_one_dataset(&dataset(), name)?,
        Some(("leave-one-task", name)) => Split::leave_one_task(&dataset(), name)?,
        _ => Split::load(Path::new(text))?,
    })
}
