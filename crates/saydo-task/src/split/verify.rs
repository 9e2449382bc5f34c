//! Whether a split still fits its dataset.

use super::{Split, fingerprint, tasks};
use crate::Task;
use crate::dataset::Dataset;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt;

/// How a task of a split differs from the dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The dataset has no task of this id.
    Missing {
        /// The task's id.
        id: String,
    },
    /// The task's description or instances are not those the split was made with.
    Changed {
        /// The task's id.
        id: String,
        /// The fingerprint in the split.
        expected: String,
        /// The fingerprint of the task as it is now.
        found: String,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Missing { id } => write!(f, "task `{id}` is not in the dataset"),
            Mismatch::Changed { id, .. } => write!(f, "task `{id}` has changed since the split was made"),
        }
    }
}

/// Every task of a split that is missing or changed; empty when the split still fits.
pub fn verify(split: &Split, dataset: &Dataset) -> Vec<Mismatch> {
    let by_id: HashMap<&str, &Task> = tasks(dataset).map(|task| (task.id.as_str(), task)).collect();
    let referred: Vec<_> = split.sides().flat_map(|(_, tasks)| tasks).collect();
    let mismatch = |task: &&super::TaskRef| {
        let Some(now) = by_id.get(task.id.as_str()) else { return Some(Mismatch::Missing { id: task.id.clone() }) };
        let found = fingerprint(now);
        let expected = task.fingerprint.clone();
        (found != expected).then(|| Mismatch::Changed { id: task.id.clone(), expected, found })
    };
    referred.par_iter().filter_map(mismatch).collect()
}
