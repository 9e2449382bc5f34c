//! How long prompts may be, from a model's own settings.

use crate::Error;
use crate::weights::Weights;

/// What T5 was trained on, where its settings do not say: its distances have no end, but it never saw a longer text.
const T5_PROMPT: usize = 512;

/// How long prompts may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptLimit {
    /// So many tokens, whatever the reply: an encoder has a length of its own.
    Prompt(usize),
    /// So many tokens together with the reply.
    WithReply(usize),
}

impl PromptLimit {
    /// What a model reads.
    pub fn of_weights(weights: &Weights) -> Result<Self, Error> {
        let config = weights.config();
        Ok(match config.model_type()? {
            "t5" => Self::Prompt(config.count("n_positions").unwrap_or(T5_PROMPT)),
            "bart" => Self::Prompt(config.count("max_position_embeddings")?),
            "gpt2" => Self::WithReply(config.count("n_positions")?),
            _ => Self::WithReply(config.count("max_position_embeddings")?),
        })
    }

    /// The same less what stands around every prompt.
    #[must_use]
    pub fn less(self, tokens: usize) -> Self {
        match self {
            Self::Prompt(limit) => Self::Prompt(limit.saturating_sub(tokens)),
            Self::WithReply(limit) => Self::WithReply(limit.saturating_sub(tokens)),
        }
    }

    /// The longest prompt before replies of up to so many tokens.
    pub fn before(self, reply: usize) -> usize {
        match self {
            Self::Prompt(tokens) => tokens,
            Self::WithReply(tokens) => tokens.saturating_sub(reply),
        }
    }
}
