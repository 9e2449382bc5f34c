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
    /// Nothing short enough to learn from.
    #[error(
        "every example is longer than {limit} tokens, expected some that fit; --max-length and the model bound them"
    )]
    TooLong {
        /// The greatest length.
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
