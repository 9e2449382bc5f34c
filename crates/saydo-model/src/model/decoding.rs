//! How a reply is chosen and where it ends.

use serde::{Deserialize, Serialize};

/// The settings of one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Decoding {
    /// How tokens are chosen. Default: greedy.
    pub strategy: Strategy,
    /// Where the reply ends at the latest. Default: after 256 tokens.
    pub max_tokens: MaxTokens,
    /// Tokens before which no end token is chosen, by greedy or random choice. Default: 0.
    pub min_tokens: usize,
    /// Texts that end the reply where they first appear, and are cut off with all behind them. Default: none.
    pub stop: Vec<String>,
}

/// How tokens are chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Always the most likely token, the one with the smaller number of equals.
    #[default]
    Greedy,
    /// At random, by probability.
    Sample {
        /// Divides the logits; above 0.
        temperature: f64,
        /// Only the most likely tokens that together reach this probability; 1 for all.
        top_p: f64,
        /// The same seed gives the same reply.
        seed: u64,
    },
    /// Keeps the best few beginnings of replies at each step, as Hugging Face's beam search does.
    Beam {
        /// How many beginnings are kept; at least 1.
        width: usize,
        /// A reply's log-probability is divided by its length to this power before replies are compared.
        length_penalty: f64,
        /// Whether to stop as soon as `width` replies are complete.
        early_stopping: bool,
    },
}

/// The max length of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MaxTokens {
    /// So many tokens.
    Count(usize),
    /// So many tokens more than this text has: the Turking Test's |x| + 20.
    Beyond {
        /// The text that sets the measure.
        text: String,
        /// How many tokens more.
        plus: usize,
    },
}

impl Default for Decoding {
    fn default() -> Self {
        Self { strategy: Strategy::Greedy, max_tokens: MaxTokens::Count(256), min_tokens: 0, stop: Vec::new() }
    }
}

impl Decoding {
    /// Greedy decoding with a max number of tokens.
    pub fn greedy(max_tokens: usize) -> Self {
        Self { max_tokens: MaxTokens::Count(max_tokens), ..Self::default() }
    }

    /// These settings with stop strings.
    pub fn with_stop(self, stop: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { stop: stop.into_iter().map(Into::into).collect(), ..self }
    }
}
