//! The decodings of the papers, by name.

use saydo_model::{Decoding, MaxTokens, Strategy};
use saydo_task::turking::Instruction;
use serde::{Deserialize, Serialize};

/// A way to choose replies, and how many of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedDecoding {
    /// `greedy`, `nucleus`, `beam`, `sample`, or `constrained` for answers of a function.
    pub name: String,
    /// How tokens are chosen. The draw's number is added to the seed of a random choice.
    pub strategy: Strategy,
    /// How long a reply may be.
    pub length: Length,
    /// Texts that end a reply.
    pub stop: Vec<String>,
    /// Replies to each prompt.
    pub draws: usize,
}

/// How long a reply may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// So many tokens.
    Tokens(usize),
    /// So many tokens more than the text that the instruction is about has: the Turking Test's |x| + 20.
    BeyondResource(usize),
}

/// Constrained decoding, by name.
pub(crate) const CONSTRAINED: &str = "constrained";
/// Its name in records of Saydo 0.1.
const CONSTRAINED_BEFORE: &str = "held";

impl NamedDecoding {
    /// Always the likeliest token.
    pub fn greedy(length: Length) -> Self {
        Self { name: "greedy".to_owned(), strategy: Strategy::Greedy, length, stop: Vec::new(), draws: 1 }
    }

    /// Draws from the likeliest tokens that together reach 0.9.
    pub fn nucleus(length: Length, draws: usize, seed: u64) -> Self {
        let strategy = Strategy::Sample { temperature: 1.0, top_p: 0.9, seed };
        Self { name: "nucleus".to_owned(), strategy, draws, ..Self::greedy(length) }
    }

    /// Beam search with four beams, as ZEST's BART was decoded.
    pub fn beam(length: Length) -> Self {
        let strategy = Strategy::Beam { width: 4, length_penalty: 1.0, early_stopping: true };
        Self { name: "beam".to_owned(), strategy, ..Self::greedy(length) }
    }

    /// Constrained decoding: the function of a task decides how.
    pub fn constrained() -> Self {
        Self { name: CONSTRAINED.to_owned(), ..Self::greedy(Length::Tokens(0)) }
    }

    /// Whether decoding is constrained.
    pub fn is_constrained(&self) -> bool {
        [CONSTRAINED, CONSTRAINED_BEFORE].contains(&self.name.as_str())
    }

    /// This decoding, ended by these texts.
    #[must_use]
    pub fn with_stop(mut self, stop: &[&str]) -> Self {
        self.stop = stop.iter().map(|text| (*text).to_owned()).collect();
        self
    }

    /// The settings of one draw for an input.
    pub fn of(&self, input: &str, draw: usize) -> Decoding {
        let strategy = match self.strategy {
            Strategy::Sample { temperature, top_p, seed } => {
                Strategy::Sample { temperature, top_p, seed: seed.wrapping_add(draw as u64) }
            }
            other => other,
        };
        let max_tokens = match self.length {
            Length::Tokens(count) => MaxTokens::Count(count),
            Length::BeyondResource(plus) => {
                let text = Instruction::parse(input).map_or_else(|| input.to_owned(), |asked| asked.resource);
                MaxTokens::Beyond { text, plus }
            }
        };
        Decoding { strategy, max_tokens, min_tokens: 0, stop: self.stop.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_differ_by_their_seed_alone() {
        let nucleus = NamedDecoding::nucleus(Length::Tokens(8), 5, 7);
        let seed = |draw| match nucleus.of("", draw).strategy {
            Strategy::Sample { seed, .. } => seed,
            other => panic!("{other:?}"),
        };
        assert_eq!((seed(0), seed(4)), (7, 11));
    }

    #[test]
    fn the_length_is_reckoned_from_the_sentence_and_not_from_the_instruction() {
        let decoding = NamedDecoding::greedy(Length::BeyondResource(20));
        let input = "Write the second word from the sentence \"It rained.\".";
        let expected = MaxTokens::Beyond { text: "It rained.".to_owned(), plus: 20 };
        assert_eq!(decoding.of(input, 0).max_tokens, expected);
    }
}
