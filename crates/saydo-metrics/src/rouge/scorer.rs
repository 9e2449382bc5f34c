//! Tokens as numbers, so that scoring thousands of pairs stems each word once and compares integers.

use rustc_hash::FxHashMap;

use super::token::{token, words};
use crate::python;

/// Turns texts into numbered ROUGE tokens: two tokens have the same number exactly if their stems are equal.
///
/// Numbers are only comparable within one scorer. It remembers every distinct word it has seen.
///
/// ```
/// use saydo_metrics::rouge::{RougeScorer, rouge_l};
///
/// let mut scorer = RougeScorer::new();
/// let prediction = scorer.encode("two cats running");
/// let references = ["a dog runs", "the cat runs"].map(|text| scorer.encode(text));
/// let best = references.iter().map(|target| rouge_l(&prediction, target).f_measure).fold(0.0, f64::max);
/// assert!((best - 2.0 / 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, Default)]
pub struct RougeScorer {
    by_word: FxHashMap<Box<str>, u32>,
    by_stem: FxHashMap<Box<str>, u32>,
    lowered: String,
}

impl RougeScorer {
    /// A scorer that has seen no words.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tokens of [`rouge_tokens`](super::rouge_tokens) as numbers.
    pub fn encode(&mut self, text: &str) -> Vec<u32> {
        let mut lowered = std::mem::take(&mut self.lowered);
        lower_into(&mut lowered, text);
        let mut ids = Vec::with_capacity(lowered.len() / 4);
        ids.extend(words(&lowered).map(|word| self.id(word)));
        self.lowered = lowered;
        ids
    }

    fn id(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.by_word.get(word) {
            return id;
        }
        let token = token(word);
        let id = match self.by_stem.get(token.as_ref()) {
            Some(&id) => id,
            None => {
                let id = u32::try_from(self.by_stem.len()).expect("there are fewer than 2^32 distinct stems");
                self.by_stem.insert(token.into(), id);
                id
            }
        };
        self.by_word.insert(word.into(), id);
        id
    }
}

/// Lower-cases into a buffer that is used again for the next text.
fn lower_into(buffer: &mut String, text: &str) {
    if !text.is_ascii() {
        *buffer = python::lower(text);
        return;
    }
    buffer.clear();
    buffer.push_str(text);
    buffer.make_ascii_lowercase();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rouge::{rouge_l, rouge_tokens};
    use proptest::prelude::*;

    #[test]
    fn words_of_one_stem_share_a_number() {
        let mut scorer = RougeScorer::new();
        assert_eq!(scorer.encode("Hoping hopes, cat hoped CATS"), [0, 0, 1, 0, 1]);
        assert_eq!(scorer.encode("a cat"), [2, 1]);
        assert!(scorer.encode("—").is_empty());
    }

    #[test]
    fn a_word_spelled_like_the_stem_of_another_has_its_own_stem() {
        // "agreed" becomes "agre", and "agre" becomes "agr".
        let mut scorer = RougeScorer::new();
        assert_eq!(scorer.encode("agreed agre agrees"), [0, 1, 0]);
    }

    proptest! {
        #[test]
        fn numbers_score_like_the_tokens_they_stand_for(a in "[a-dİ .]{0,60}", b in "[a-dİ .]{0,60}") {
            let mut scorer = RougeScorer::new();
            let numbered = rouge_l(&scorer.encode(&a), &scorer.encode(&b));
            prop_assert_eq!(numbered, rouge_l(&rouge_tokens(&a), &rouge_tokens(&b)));
        }
    }
}
