//! Tokens that a model's own settings put at the ends of every reply, as BART's do.

use crate::Error;
use crate::tokenizer::read_json;
use crate::weights::Weights;
use std::path::Path;

/// The first and the last token of a reply, where they are not the network's choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Forced {
    /// The first token.
    pub first: Option<u32>,
    /// The token at the max length.
    pub last: Option<u32>,
}

impl Forced {
    /// What `generation_config.json`, or else `config.json`, says.
    pub fn of_weights(weights: &Weights, path: &Path) -> Result<Self, Error> {
        if weights.gguf().is_some() {
            return Ok(Self::default());
        }
        let generation = read_json(&path.join("generation_config.json"))?;
        let token = |key: &str| {
            let value = if generation[key].is_null() { weights.config().value(key) } else { &generation[key] };
            value.as_u64().and_then(|id| u32::try_from(id).ok())
        };
        Ok(Self { first: token("forced_bos_token_id"), last: token("forced_eos_token_id") })
    }

    /// Leaves only the forced token, with probability 1, if the token behind `len` others is one.
    pub fn apply(&self, len: usize, most: usize, logits: &mut [f32]) {
        let last = self.last.filter(|_| len + 1 == most);
        if let Some(token) = self.first.filter(|_| len == 0).or(last) {
            logits.fill(f32::NEG_INFINITY);
            if let Some(logit) = logits.get_mut(token as usize) {
                *logit = 0.0;
            }
        }
    }
}
