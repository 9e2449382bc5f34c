//! Splits as users name them: a file of `saydo split`, or one of the papers' ways, made on the spot.

use super::Split;
use crate::dataset::{Dataset, LocatedTask};
use crate::{Error, Task};
use std::path::{Path, PathBuf};

impl Split {
    /// The split over these tasks that a name stands for: `natural-instructions`, `leave-one-category:NAME`,
    /// `leave-one-dataset:NAME`, `leave-one-task:ID`; anything else is the path of a split file.
    pub fn named(name: &str, tasks: &[Task]) -> Result<Self, Error> {
        let located = |task: &Task| LocatedTask { path: PathBuf::new(), line: 1, task: task.clone() };
        let dataset = || Dataset { tasks: tasks.iter().map(located).collect(), skipped: Vec::new() };
        match name.split_once(':') {
            _ if name == "natural-instructions" => Self::natural_instructions(&dataset()),
            Some(("leave-one-category", category)) => Self::leave_one_category(&dataset(), category),
            Some(("leave-one-dataset", source)) => Self::leave_one_dataset(&dataset(), source),
            Some(("leave-one-task", id)) => Self::leave_one_task(&dataset(), id),
            _ => Self::load(Path::new(name)),
        }
    }
}
