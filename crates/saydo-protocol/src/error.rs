//! What can stop a run or its scoring.

use crate::{natural_instructions, super_natural_instructions, turking, zest};
use std::path::PathBuf;

/// Why a protocol could not be run or scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Data that cannot be read.
    #[error(transparent)]
    Data(#[from] saydo_task::Error),
    /// A prompt that cannot be made.
    #[error(transparent)]
    Encode(#[from] saydo_encode::Error),
    /// A function that cannot be made or asked.
    #[error(transparent)]
    Function(#[from] saydo_function::Error),
    /// A model that cannot be asked.
    #[error(transparent)]
    Model(#[from] saydo_model::Error),
    /// ZEST's scoring.
    #[error(transparent)]
    Zest(#[from] zest::Error),
    /// Natural Instructions' scoring.
    #[error(transparent)]
    NaturalInstructions(#[from] natural_instructions::Error),
    /// Super-NaturalInstructions' scoring.
    #[error(transparent)]
    SuperNaturalInstructions(#[from] super_natural_instructions::Error),
    /// The Turking Test's scoring.
    #[error(transparent)]
    Turking(#[from] turking::Error),
    /// No sample came of the tasks.
    #[error("nothing to ask: no task has an instance with a gold answer")]
    NothingToAsk,
    /// A task that is none of the Turking Test's.
    #[error("the task {task} is none of the Turking Test's, expected instructions of its templates as inputs")]
    NotTurking {
        /// The task's id.
        task: String,
    },
    /// A file of a run that cannot be read or written.
    #[error("cannot {verb} {}", path.display())]
    File {
        /// `read` or `write`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder without a recorded run.
    #[error("{} holds no evaluation, expected an eval.json in it", folder.display())]
    NoRecord {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of a run that is not what it should be.
    #[error("{}:{line}: {reason}", path.display())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Files of a run that do not belong together: a process ended while it wrote them.
    #[error("{} is not of the same time as eval.json beside it; run the same evaluation again, which keeps its replies", path.display())]
    TornRecord {
        /// The file.
        path: PathBuf,
    },
    /// Stored predictions of another form.
    #[error("{} holds no predictions that fit, expected {expected}", path.display())]
    BadReplay {
        /// The file or folder.
        path: PathBuf,
        /// What is read.
        expected: String,
    },
    /// Replies are missing, so that there is nothing to score.
    #[error("none of the {samples} samples has a reply yet; run the same `saydo eval` to go on")]
    NothingAnswered {
        /// How many samples there are.
        samples: usize,
    },
    /// Several replies to an instance where an evaluator reads one.
    #[error("{ways} replies to each instance, expected one layout and one decoding with one draw")]
    SeveralReplies {
        /// How many.
        ways: usize,
    },
    /// A protocol whose predictions have no form of their own.
    #[error("{protocol} has no evaluator that reads predictions")]
    NoEvaluator {
        /// The protocol.
        protocol: crate::Protocol,
    },
    /// Two runs without a sample in common.
    #[error("the two runs have no sample in common, expected the same tasks and instances")]
    NothingInCommon,
}

impl Error {
    pub(crate) fn file(verb: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Error::File { verb, path, source }
    }
}
