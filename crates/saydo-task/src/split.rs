//! Which tasks are seen in training and which are not: the splits of the papers, as files that can be checked again.
//!
//! A split names its tasks and keeps a fingerprint of each, so that a changed task is noticed. Draws come from a small
//! generator of our own: a seed gives the same split on every machine and in every version. [`check_leaks`] finds
//! what stands on both sides; [`Split::without_leaks`] refuses it.

mod fingerprint;
mod held_out;
mod leak;
mod list;
mod named;
mod random;
mod subset;
mod verify;
mod zest;

pub use fingerprint::fingerprint;
pub use leak::{Leak, LeakCheck, LeakKind, SharedTexts, Side, check_leaks};
pub use list::TaskLists;
pub use verify::{Mismatch, verify};
pub use zest::FamilyReport;

use crate::dataset::Dataset;
use crate::{Error, Task, output, source};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// The version of split files this crate writes, and the only one it reads.
pub const VERSION: u32 = 1;

/// A task as a split refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskRef {
    /// The task's id.
    pub id: String,
    /// SHA-256 of its description and instances, see [`fingerprint`].
    pub fingerprint: String,
}

impl TaskRef {
    /// Refers to a task as it is now.
    pub fn new(task: &Task) -> Self {
        TaskRef { id: task.id.clone(), fingerprint: fingerprint(task) }
    }
}

/// How a split was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// So many tasks of each category are unseen, drawn at random.
    Random {
        /// Unseen tasks of each category.
        per_category: usize,
        /// The seed of the draw.
        seed: u64,
    },
    /// The tasks of one category are unseen.
    LeaveOneCategory {
        /// The category.
        category: String,
    },
    /// The tasks made from one dataset are unseen.
    LeaveOneDataset {
        /// The dataset.
        dataset: String,
    },
    /// One task is unseen.
    LeaveOneTask {
        /// Its id.
        task: String,
    },
    /// The twelve evaluation tasks of the Natural Instructions paper are unseen.
    NaturalInstructions,
    /// The published lists of Super-NaturalInstructions.
    SuperNaturalInstructions {
        /// The track: `default` or `xlingual`.
        track: String,
    },
    /// ZEST's shares: half of the base tasks unseen, four tenths seen, one tenth for development, each derived task
    /// with its base.
    Zest {
        /// The seed of the draw.
        seed: u64,
    },
    /// ZEST's shares of whole domains: half of the tasks unseen, four tenths seen, one tenth for development.
    Domains {
        /// The seed of the draw.
        seed: u64,
    },
}

/// How the seen side was cut down afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subset {
    /// How many seen tasks were kept.
    pub count: usize,
    /// The seed they were drawn with; none when the first ones were kept.
    pub seed: Option<u64>,
}

/// Seen and unseen tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The version of the file format.
    pub version: u32,
    /// How it was made.
    pub kind: Kind,
    /// How its seen side was cut down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subset: Option<Subset>,
    /// Texts that stand on both sides and were allowed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_texts: Option<SharedTexts>,
    /// The tasks a model may learn from.
    pub seen: Vec<TaskRef>,
    /// Tasks to choose checkpoints and settings by, where a split has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dev: Option<Vec<TaskRef>>,
    /// The tasks a model is measured on.
    pub unseen: Vec<TaskRef>,
    /// Ids that belong to the split but are not in the dataset.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Ids of the dataset that are on no side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Split {
    /// A split whose tasks stand in the order of their ids.
    fn new(kind: Kind, mut seen: Vec<&Task>, mut unseen: Vec<&Task>) -> Result<Self, Error> {
        seen.sort_by(|a, b| a.id.cmp(&b.id));
        unseen.sort_by(|a, b| a.id.cmp(&b.id));
        Split::in_order(kind, &seen, &unseen)
    }

    fn in_order(kind: Kind, seen: &[&Task], unseen: &[&Task]) -> Result<Self, Error> {
        for (side, tasks) in [("seen", seen), ("unseen", unseen)] {
            if tasks.is_empty() {
                return Err(Error::BadSplitSize { side, found: 0, expected: "at least one".to_owned() });
            }
        }
        Ok(Split {
            version: VERSION,
            kind,
            subset: None,
            shared_texts: None,
            seen: refs(seen),
            dev: None,
            unseen: refs(unseen),
            absent: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Every side with its tasks, the empty development side of most splits left out.
    pub fn sides(&self) -> impl Iterator<Item = (Side, &[TaskRef])> {
        let dev = self.dev.as_deref().map(|tasks| (Side::Dev, tasks));
        [(Side::Seen, &self.seen[..])].into_iter().chain(dev).chain([(Side::Unseen, &self.unseen[..])])
    }

    /// Gives the split back if nothing stands on both sides. Shared texts can be allowed, which the split then
    /// records; a task on both sides cannot.
    pub fn without_leaks(mut self, dataset: &Dataset, allow_shared_texts: bool) -> Result<Split, Error> {
        let LeakCheck { mut leaks, shared_texts } = check_leaks(&self, dataset);
        if allow_shared_texts {
            leaks.retain(|leak| !matches!(leak.kind, LeakKind::SharedTexts(_)));
            self.shared_texts = Some(shared_texts);
        }
        let count = leaks.len();
        match leaks.into_iter().next() {
            Some(first) => Err(Error::Leaks { count, first: Box::new(first) }),
            None => Ok(self),
        }
    }

    /// Reads a split file.
    pub fn load(path: &Path) -> Result<Split, Error> {
        let text = source::Source::load(path)?.text;
        let not_a_split = |source| Error::NotASplit { path: path.to_owned(), source };
        let split: Split = serde_json::from_str(&text).map_err(not_a_split)?;
        if split.version != VERSION {
            let message = format!("version {}, expected {VERSION}", split.version);
            return Err(not_a_split(serde::de::Error::custom(message)));
        }
        Ok(split)
    }

    /// Writes a split file, whole or not at all.
    pub fn save(&self, path: &Path, overwrite: bool) -> Result<(), Error> {
        let value = serde_json::to_value(self).expect("a split has only strings, numbers and lists");
        output::write_whole(path, overwrite, |file| file.write_all(crate::json::to_pretty_string(&value).as_bytes()))
    }
}

fn refs(tasks: &[&Task]) -> Vec<TaskRef> {
    use rayon::prelude::*;
    tasks.par_iter().map(|task| TaskRef::new(task)).collect()
}

/// The tasks of a dataset.
fn tasks(dataset: &Dataset) -> impl Iterator<Item = &Task> {
    dataset.tasks.iter().map(|located| &located.task)
}

/// The ids of a dataset that are not in `taken`, in order.
fn ids_but(dataset: &Dataset, taken: &HashSet<&str>) -> Vec<String> {
    let mut ids: Vec<_> =
        tasks(dataset).map(|task| &task.id).filter(|id| !taken.contains(id.as_str())).cloned().collect();
    ids.sort();
    ids
}

#[cfg(test)]
mod tests;
