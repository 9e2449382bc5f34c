//! What can stop training.

use std::path::PathBuf;

/// Why training could not begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model, its tokenizer or an adapter.
    #[error(transparent)]
    Model(#[from] saydo_model::Error),
    /// The tensor library.
    #[error("the tensor library failed")]
    Tensor(#[from] candle_core::Error),
    /// A prompt that cannot be made.
    #[error(transparent)]
    Encode(#[from] saydo_encode::Error),
    /// The record of what was learned.
    #[error(transparent)]
    Seen(#[from] saydo_task::Error),
    /// Nothing to learn from.
    #[error("there is no example to learn from, expected tasks with gold outputs")]
    NoExamples,
    /// Limits that do not go with the files they are for.
    #[error("{given} values of {caps} for {files} of {of}, expected one or as many")]
    Caps {
        /// What the limits are called.
        caps: &'static str,
        /// How many there are.
        given: usize,
        /// What the files are called.
        of: &'static str,
        /// How many there are.
        files: usize,
    },
    /// Nothing is left to learn from.
    #[error("{tasks} tasks to learn from with {held_back} held back, expected more")]
    TooFewTasks {
        /// The tasks.
        tasks: usize,
        /// How many of them are to be held back.
        held_back: usize,
    },
    /// More tasks are asked for than there are, or none.
    #[error("--seen-tasks is {wanted}, expected 1 to {tasks}")]
    SeenTasks {
        /// How many are asked for.
        wanted: usize,
        /// How many there are.
        tasks: usize,
    },
    /// An id that does not say which task is meant.
    #[error(
        "--upper-bound {id} is the beginning of {} tasks ({}), expected one", found.len(),
        found[..found.len().min(5)].join(", ")
    )]
    NoOneTask {
        /// The id or its beginning.
        id: String,
        /// The tasks whose ids begin so.
        found: Vec<String>,
    },
    /// A task with too few instances to measure on some and learn from others.
    #[error("cannot put apart what is measured of {task}")]
    NoUpperBound {
        /// The task.
        task: String,
        /// What is missing.
        source: saydo_encode::Error,
    },
    /// A file without questions.
    #[error("{} holds no question to learn from", path.display())]
    NoQuestions {
        /// The file.
        path: PathBuf,
    },
    /// Settings that contradict each other or make no sense.
    #[error("{0}")]
    Contradiction(&'static str),
    /// A setting out of its range.
    #[error("{name} is {given}, expected {expected}")]
    Setting {
        /// What it is called.
        name: &'static str,
        /// What it was.
        given: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// A preset that is not built in, and no file.
    #[error("{name} is no preset, expected {known} or a .toml file")]
    NoPreset {
        /// What was named.
        name: String,
        /// Those that are built in.
        known: String,
    },
    /// A file of settings that cannot be read.
    #[error("cannot read {}", path.display())]
    ReadPreset {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that holds something else than settings of a training.
    #[error("{} is no preset", path.display())]
    BadPreset {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<toml::de::Error>,
    },
    /// The model was being asked for labels.
    #[error("interrupted before the first update; the same command begins anew")]
    InterruptedBefore,
    /// Nothing short enough to learn from.
    #[error(
        "every example is longer than {limit} tokens, expected some that fit; --max-length and the model bound them"
    )]
    TooLong {
        /// The max length.
        limit: usize,
    },
    /// No layer to attach an adapter to.
    #[error("no linear layer is called {targets:?}, expected some of {known:?}")]
    NoTarget {
        /// What was asked for.
        targets: Vec<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// An adapter was asked of a learner whose weights learn themselves.
    #[error("all weights learn, so there is no adapter")]
    NoAdapter,
    /// Weights that were opened for something else cannot change.
    #[error("the weights were not opened to be learned")]
    FrozenWeights,
    /// A pack with an input of its own for a network that has no encoder.
    #[error("the network has no encoder, expected packs without a source")]
    NoEncoder,
    /// The loss is no number any more.
    #[error("the loss became {loss} at step {step}; a smaller --lr helps")]
    Diverged {
        /// The step.
        step: usize,
        /// The loss.
        loss: f32,
    },
    /// The learner could not be tried.
    #[error("the learner cannot be tried on the tasks held back: {0}")]
    Validation(String),
    /// A file that cannot be read or written.
    #[error("cannot {verb} {}", path.display())]
    File {
        /// `read`, `write` or `remove`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A checkpoint that is not what was written.
    #[error("cannot read the checkpoint {}: {reason}; delete its folder to train from the start", path.display())]
    DamagedCheckpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint of something else.
    #[error("{} is a checkpoint of another training: {reason}", path.display())]
    OtherTraining {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
}

impl Error {
    pub(crate) fn file(verb: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Error::File { verb, path, source }
    }
}
