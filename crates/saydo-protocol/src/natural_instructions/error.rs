//! What can stop the scoring of Natural Instructions predictions, and where.

use super::report::Skipped;
use saydo_task::problem::Place;
use std::path::PathBuf;

/// Why predictions could not be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read, or its content is wrong.
    #[error(transparent)]
    Input(#[from] saydo_task::Error),
    /// A prediction is for an instance the task does not have.
    #[error(
        "{place}: predictions[{item}].index: {index}, expected below {instances}, the number of instances of {task}"
    )]
    UnknownIndex {
        /// Where the index stands.
        place: Place,
        /// The prediction's position in the file, from 0.
        item: usize,
        /// The index found.
        index: usize,
        /// The task's id.
        task: String,
        /// How many instances it has.
        instances: usize,
    },
    /// A prediction is for an instance without gold output.
    #[error("{place}: predictions[{item}].index: {index}, an instance of {task} without output, expected a reference")]
    NoReference {
        /// Where the index stands.
        place: Place,
        /// The prediction's position in the file, from 0.
        item: usize,
        /// The index found.
        index: usize,
        /// The task's id.
        task: String,
    },
    /// A prediction file lists nothing.
    #[error("{} has no predictions, expected at least one", path.display())]
    NoPredictions {
        /// The file.
        path: PathBuf,
    },
    /// None of a file's predictions has a reference to compare with.
    #[error("{}: none of its {found} predictions has a known output in {task}, expected at least one", path.display())]
    NothingScorable {
        /// The file.
        path: PathBuf,
        /// How many predictions it has.
        found: usize,
        /// The task's id.
        task: String,
    },
    /// A prediction file names a task that is not at hand.
    #[error("{} is for the task `{task}`, which is not in {}, expected its file there", path.display(), listed(tasks))]
    NoTask {
        /// The prediction file.
        path: PathBuf,
        /// The task it names.
        task: String,
        /// Where tasks were looked for.
        tasks: Vec<PathBuf>,
    },
    /// Two files hold the task a prediction file names.
    #[error("found the task `{task}` in {} and in {}, expected one file", first.display(), second.display())]
    RepeatedTask {
        /// The task.
        task: String,
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A folder has a prediction file packed and unpacked, which would count twice.
    #[error("found {} and {}, expected one of the two", first.display(), second.display())]
    RepeatedFile {
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A folder has no prediction files.
    #[error("{} holds no prediction file, expected files named .json or .json.gz", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// Every file of a folder was skipped.
    #[error("{}: none of its {} prediction files could be scored: {}", path.display(), skipped.len(), first_reason(skipped))]
    NothingScored {
        /// The folder.
        path: PathBuf,
        /// The files, each with its reason.
        skipped: Vec<Skipped>,
    },
}

fn first_reason(skipped: &[Skipped]) -> &str {
    skipped.first().map_or("it has none", |file| &file.reason)
}

impl Error {
    /// Whether a run over a folder may go on without the file: nothing is wrong in it, there is just nothing to score.
    pub(super) fn leaves_others_scorable(&self) -> bool {
        self.path().is_some()
    }

    /// The file to skip, with this as the reason.
    pub(super) fn into_skipped(self) -> Skipped {
        let file = self.path().map(|path| super::pairing::base_name(path)).unwrap_or_default();
        Skipped { file, reason: self.to_string() }
    }

    fn path(&self) -> Option<&PathBuf> {
        match self {
            Error::NoPredictions { path } | Error::NothingScorable { path, .. } | Error::NoTask { path, .. } => {
                Some(path)
            }
            _ => None,
        }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
