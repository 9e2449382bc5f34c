//! What can go wrong in this crate.

use crate::problem::Problem;
use std::path::PathBuf;

/// Why tasks could not be read, written or split.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system could not read a file or folder.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system could not write a file or folder.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A record of what a model learned that cannot be read.
    #[error("{} is damaged, expected a record of learned tasks; remove it and declare them with `saydo models seen`", path.display())]
    BadSeen {
        /// The file.
        path: PathBuf,
    },
    /// A file is larger than we read.
    #[error("{} is larger than {} GiB, expected a task or prediction file", path.display(), crate::source::MAX_FILE_BYTES >> 30)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A file's content is wrong.
    #[error(transparent)]
    Invalid(Box<Problem>),
    /// No task was found where tasks were expected.
    #[error("{} holds no task, expected {expected}", path.display())]
    NoTasks {
        /// The file or folder.
        path: PathBuf,
        /// What would have been a task.
        expected: String,
    },
    /// The format of a file cannot be told.
    #[error("cannot tell the format of {}, expected {expected}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The formats we know.
        expected: String,
    },
    /// Something stands where a file was to be written.
    #[error("{} exists already, expected a new name or leave to overwrite", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// A folder stands where one file was to be written.
    #[error("{} is a folder, expected the name of a file", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A split was asked for by a name that no task has.
    #[error("no task has the {what} `{name}`, expected one of {}", known.join(", "))]
    UnknownName {
        /// What kind of name: category, dataset, id.
        what: &'static str,
        /// The name.
        name: String,
        /// Names there are.
        known: Vec<String>,
    },
    /// A drawn split with a seed that is none.
    #[error("`{name}` is no split: `{found}` is no seed, expected a number")]
    SplitSeed {
        /// The name of the split.
        name: String,
        /// What stands for the seed.
        found: String,
    },
    /// A split would have no task on one side.
    #[error("the split leaves {found} tasks {side}, expected {expected}")]
    BadSplitSize {
        /// Which side.
        side: &'static str,
        /// How many tasks it would have.
        found: usize,
        /// How many it should have.
        expected: String,
    },
    /// What should be seen by no model in training stands on both sides of a split.
    #[error("leaks between the sides of the split: {count}, expected none; the first: {first}")]
    Leaks {
        /// How many pairs of tasks share something.
        count: usize,
        /// The first of them.
        first: Box<crate::split::Leak>,
    },
    /// A file is not a split, or one of a later version.
    #[error("{} is not a split file", path.display())]
    NotASplit {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Error::Invalid(Box::new(problem))
    }
}
