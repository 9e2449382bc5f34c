//! Splits as users name them: a file of `saydo split`, or one of the papers' ways, made on the spot.

use super::Split;
use crate::dataset::{Dataset, LocatedTask};
use crate::{Error, Task};
use std::path::{Path, PathBuf};

impl Split {
    /// The split over these tasks that a name stands for: `natural-instructions`, `leave-one-category:NAME`,
    /// `leave-one-dataset:NAME`, `leave-one-task:ID`, `zest` and `domains`, with `:SEED` behind them if it is not 0; anything
    /// else is the path of a split file.
    pub fn named(name: &str, tasks: &[Task]) -> Result<Self, Error> {
        let located = |task: &Task| LocatedTask { path: PathBuf::new(), line: 1, task: task.clone() };
        let dataset = || Dataset { tasks: tasks.iter().map(located).collect(), skipped: Vec::new() };
        match name.split_once(':') {
            _ if name == "natural-instructions" => Self::natural_instructions(&dataset()),
            None if name == "zest" => Self::zest(&dataset(), 0),
            None if name == "domains" => Self::domains(&dataset(), 0),
            Some(("zest", seed)) => Self::zest(&dataset(), parse_seed(name, seed)?),
            Some(("domains", seed)) => Self::domains(&dataset(), parse_seed(name, seed)?),
            Some(("leave-one-category", category)) => Self::leave_one_category(&dataset(), category),
            Some(("leave-one-dataset", source)) => Self::leave_one_dataset(&dataset(), source),
            Some(("leave-one-task", id)) => Self::leave_one_task(&dataset(), id),
            _ => Self::load(Path::new(name)),
        }
    }
}

fn parse_seed(name: &str, seed: &str) -> Result<u64, Error> {
    seed.parse().map_err(|_| Error::SplitSeed { name: name.to_owned(), found: seed.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::everyday;

    #[test]
    fn a_drawn_split_is_named_with_its_seed() {
        let tasks: Vec<Task> = everyday::load("everyday").unwrap().into_iter().map(|located| located.task).collect();
        let split = |name: &str| Split::named(name, &tasks).unwrap();
        assert_eq!(split("domains"), split("domains:0"));
        assert_ne!(split("domains").unseen, split("domains:1").unseen);
        let families = split("zest:3");
        assert_eq!(families.kind, super::super::Kind::Zest { seed: 3 });
        assert_eq!(families.seen.len() + families.unseen.len() + families.dev.unwrap().len(), tasks.len());
        let error = Split::named("zest:x", &tasks).unwrap_err();
        assert_eq!(error.to_string(), "`zest:x` is no split: `x` is no seed, expected a number");
    }
}
