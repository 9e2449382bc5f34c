//! ROUGE, the overlap of a prediction with a reference text (Lin, 2004), as Google's `rouge-score` computes it.
//!
//! ROUGE-L takes the longest common subsequence of tokens, ROUGE-1 the tokens in common in any order. The scores are
//! defined on token slices of any kind, since one benchmark brings its own tokenizer; [`rouge_tokens`] gives the usual
//! tokens and [`RougeScorer`] the same tokens as numbers, for scoring many texts. Rules R1 and R2 of docs/metrics.md.

mod lcs;
mod scorer;
mod token;

pub use scorer::RougeScorer;
pub use token::rouge_tokens;

use std::hash::Hash;

use crate::bag;

/// How much of the prediction is in the reference, how much of the reference in the prediction, and their balance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RougeScore {
    /// Shared tokens over tokens of the prediction.
    pub precision: f64,
    /// Shared tokens over tokens of the reference.
    pub recall: f64,
    /// Harmonic mean of precision and recall, the number that is usually reported.
    pub f_measure: f64,
}

/// ROUGE-L of a prediction against one reference; all zero if either has no tokens, even if both have none.
///
/// ```
/// use saydo_metrics::rouge::{rouge_l, rouge_tokens};
///
/// let score = rouge_l(&rouge_tokens("The cat sat."), &rouge_tokens("the cats sat down"));
/// assert_eq!((score.precision, score.recall), (1.0, 0.75));
/// ```
pub fn rouge_l<T: Eq>(prediction: &[T], target: &[T]) -> RougeScore {
    score(lcs::length(prediction, target), prediction.len(), target.len())
}

/// ROUGE-1 of a prediction against one reference: a token counts as often as it is in both.
///
/// ```
/// use saydo_metrics::rouge::{rouge_1, rouge_tokens};
///
/// let score = rouge_1(&rouge_tokens("down sat the cat"), &rouge_tokens("The cat sat down."));
/// assert_eq!(score.f_measure, 1.0);
/// ```
pub fn rouge_1<T: Eq + Hash>(prediction: &[T], target: &[T]) -> RougeScore {
    score(bag::overlap(prediction, target), prediction.len(), target.len())
}

fn score(shared: usize, prediction: usize, target: usize) -> RougeScore {
    if shared == 0 {
        return RougeScore::default();
    }
    let precision = shared as f64 / prediction as f64;
    let recall = shared as f64 / target as f64;
    RougeScore { precision, recall, f_measure: 2.0 * precision * recall / (precision + recall) }
}

#[cfg(test)]
mod tests;
