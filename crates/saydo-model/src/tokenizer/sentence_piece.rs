//! SentencePiece BPE, the tokenizer of Llama 1 and 2 and of Gemma: no words are cut; characters merge into whatever
//! token has the best score, and characters that are no token fall back to bytes.

use super::merge::{Join, Merger, Part};
use super::vocabulary::{SPACE_MARK, Vocabulary};

/// What SentencePiece BPE needs besides the vocabulary.
#[derive(Debug, Clone)]
pub(super) struct SentencePiece {
    /// For each token, its place by score: a better score gives a lower rank.
    ranks: Vec<u32>,
    /// For each byte, the token it falls back to.
    bytes: Vec<Option<u32>>,
    /// Whether a text gets a space before it.
    space_prefix: bool,
}

impl SentencePiece {
    /// `scores` has one entry per token; `unknown` stands for bytes that have no token.
    pub(super) fn new(
        scores: impl Iterator<Item = f32>,
        unknown: Option<u32>,
        space_prefix: bool,
        vocabulary: &Vocabulary,
    ) -> Self {
        let bytes = (0..=u8::MAX).map(|byte| vocabulary.byte_token(byte).or(unknown)).collect();
        Self { ranks: scores.map(rank).collect(), bytes, space_prefix }
    }

    /// Appends the tokens of a text without special tokens. `is_first` says that nothing but a special token is before
    /// it, which is where a space is put in if the model wants one.
    pub(super) fn encode(
        &self,
        text: &str,
        is_first: bool,
        vocabulary: &Vocabulary,
        merger: &mut Merger,
        out: &mut Vec<u32>,
    ) {
        let marked = self.mark_spaces(text, is_first);
        merger.clear();
        for (at, character) in marked.char_indices() {
            let len = character.len_utf8();
            merger.push(len, vocabulary.id_of(&marked.as_bytes()[at..at + len]));
        }
        let join = |left: &Part, right: &Part| {
            let id = vocabulary.id_of(&marked.as_bytes()[left.range_to(right)])?;
            Some(Join { rank: self.ranks.get(id as usize).copied()?, id })
        };
        merger.merge(join, |part| match part.id() {
            Some(id) => out.push(id),
            None => out.extend(marked[part.range_to(part)].bytes().filter_map(|byte| self.bytes[usize::from(byte)])),
        });
    }

    fn mark_spaces(&self, text: &str, is_first: bool) -> String {
        let mut marked = String::with_capacity(text.len() * 3 / 2 + SPACE_MARK.len_utf8());
        if self.space_prefix && is_first {
            marked.push(SPACE_MARK);
        }
        marked.extend(text.chars().map(|character| if character == ' ' { SPACE_MARK } else { character }));
        marked
    }
}

/// A number that is lower the higher the score is. The bits of a float order like its value once the sign is turned.
fn rank(score: f32) -> u32 {
    // Adding zero makes the two zeros one.
    let bits = (score + 0.0).to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    !ascending
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn better_scores_have_lower_ranks() {
        let scores = [f32::INFINITY, 3.5, 1e-30, 0.0, -1e-30, -1.0, -2.0, -1e9, f32::NEG_INFINITY];
        assert!(scores.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])));
        assert_eq!(rank(0.0), rank(-0.0));
    }
}
