//! The one thing that is asked of a model.

use saydo_corpus::Key;
use saydo_encode::Dropped;
use serde::{Deserialize, Serialize};

/// One question to a model: an instance of a task under a layout and a decoding.
///
/// Numbers point into the lists of the [`crate::Plan`] that the sample belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What the reply depends on; the ledger knows the reply by it.
    pub key: Key,
    /// Which task.
    pub task: usize,
    /// Which of the task's evaluated instances.
    pub instance: usize,
    /// Which layout.
    pub layout: usize,
    /// How many examples the prompt holds, where the layout has any.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub examples: usize,
    /// Which decoding.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub decoding: usize,
    /// Which of the decoding's draws, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub draw: usize,
    /// Which prefix the prompt begins with.
    pub prefix: usize,
    /// What follows the prefix in the prompt.
    pub text: String,
    /// What the prompt lacks because the model does not read that much.
    #[serde(default, skip_serializing_if = "Dropped::is_nothing")]
    pub dropped: Dropped,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
