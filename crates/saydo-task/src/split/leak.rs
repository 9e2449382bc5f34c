//! What stands on both sides of a split although unseen tasks should be new to a model.
//!
//! Two degrees. A *task* on both sides (by id, by fingerprint, or by its description in other clothes) makes the split
//! void. A *text* on both sides (an instance's whole input, in any case and spacing) is weaker: the benchmark tasks of
//! one source dataset share inputs on purpose, such as one passage for asking and answering. It is refused unless
//! allowed, and counted: how many instances, and for how many of them an output is shared as well.

mod task;
mod text;

use super::{Split, TaskRef};
use crate::Task;
use crate::dataset::Dataset;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use task::SeenTasks;
use text::SeenTexts;

/// A side of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Tasks a model learns from.
    Seen,
    /// Tasks by which checkpoints are chosen.
    Dev,
    /// Tasks a model is measured on.
    Unseen,
}

/// What two tasks share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeakKind {
    /// They have the same id, or the same description and instances.
    SameTask,
    /// They say the same in their definition, prompt, things to avoid and emphasis.
    SameDescription,
    /// They have instances with the same input.
    SharedTexts(SharedTexts),
}

/// Instances whose input stands on an earlier side too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedTexts {
    /// How many instances of the later side.
    pub instances: usize,
    /// How many of them share an output with an instance of the same input.
    pub with_output: usize,
}

impl std::ops::AddAssign for SharedTexts {
    fn add_assign(&mut self, other: SharedTexts) {
        self.instances += other.instances;
        self.with_output += other.with_output;
    }
}

/// Something that stands on two sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leak {
    /// What is shared.
    pub kind: LeakKind,
    /// The side nearer to training, and its task.
    pub from: (Side, String),
    /// The side nearer to measuring, and its task.
    pub to: (Side, String),
    /// The start of a shared text.
    pub example: String,
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct LeakCheck {
    /// Every pair of tasks that share something, tasks and descriptions first.
    pub leaks: Vec<Leak>,
    /// How many instances of dev and unseen tasks have an input that stands on an earlier side, each counted once.
    pub shared_texts: SharedTexts,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Seen => "seen",
            Side::Dev => "dev",
            Side::Unseen => "unseen",
        })
    }
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Leak { kind, from: (from_side, from), to: (to_side, to), example } = self;
        match kind {
            LeakKind::SameTask => write!(f, "{to_side} task `{to}` is {from_side} as `{from}`"),
            LeakKind::SameDescription => {
                write!(f, "{to_side} task `{to}` has the description of the {from_side} task `{from}`: {example}")
            }
            LeakKind::SharedTexts(SharedTexts { instances, with_output }) => write!(
                f,
                "{to_side} task `{to}` shares {instances} of its inputs with the {from_side} task `{from}` ({with_output} \
                 with the same output): {example}"
            ),
        }
    }
}

/// Finds what stands on more than one side. A task that the dataset lacks can only be compared by id and fingerprint.
pub fn check_leaks(split: &Split, dataset: &Dataset) -> LeakCheck {
    let by_id: HashMap<&str, &Task> = super::tasks(dataset).map(|task| (task.id.as_str(), task)).collect();
    let mut check = LeakCheck::default();
    let (mut tasks, mut texts) = (SeenTasks::default(), SeenTexts::default());
    let mut text_leaks = Vec::new();
    for (side, refs) in split.sides() {
        let placed: Vec<_> =
            refs.iter().map(|task| Placed { side, task, content: by_id.get(&*task.id).copied() }).collect();
        check.leaks.extend(placed.iter().filter_map(|task| tasks.leak(*task)));
        placed.iter().for_each(|task| tasks.add(*task));
        let (leaks, shared) = texts.leaks(&placed);
        text_leaks.extend(leaks);
        check.shared_texts += shared;
        texts.add(&placed);
    }
    check.leaks.extend(text_leaks);
    check
}

/// A task of a split on its side.
#[derive(Clone, Copy)]
struct Placed<'a> {
    side: Side,
    task: &'a TaskRef,
    /// The task itself, if the dataset has it.
    content: Option<&'a Task>,
}

impl Placed<'_> {
    fn name(self) -> (Side, String) {
        (self.side, self.task.id.clone())
    }
}
