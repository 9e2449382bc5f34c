//! Makes the weights: word classes from raw text, then feature weights from tagged sentences. Part of the library so that
//! it sees exactly the features that the tagger sees; `examples/train_tagger` feeds it.

mod chain;
mod dataset;
mod exchange;
mod marginal;
mod perceptron;
mod random;
mod vocabulary;

pub use crate::lexicon::Lexicon;

use crate::weights::Weights;
use crate::{Tag, Tagger, treebank};

/// A tagged sentence to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// Its tokens.
    pub words: Vec<String>,
    /// The tag of each token.
    pub tags: Vec<Tag>,
    /// How much it counts; 1 for tags set by people.
    pub weight: f32,
}

impl From<&treebank::Sentence> for Lesson {
    fn from(sentence: &treebank::Sentence) -> Lesson {
        Lesson {
            words: sentence.tokens.iter().map(|token| token.form.clone()).collect(),
            tags: sentence.tokens.iter().map(|token| token.tag).collect(),
            weight: 1.0,
        }
    }
}

/// How weights are learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Averaged perceptron over whole sentences; ignores the weight of a lesson.
    Perceptron,
    /// Conditional random field: AdaGrad on the likelihood, with dropout of features.
    Chain,
}

/// Settings of [`train`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How weights are learned.
    pub method: Method,
    /// How often each lesson is seen.
    pub passes: usize,
    /// How often a feature must occur to get weights.
    pub min_count: usize,
    /// Where shuffling and dropout begin.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { method: Method::Chain, passes: 14, min_count: 2, seed: 1 }
    }
}

/// Real-valued weights, before they are rounded: a row per feature, and transitions as in [`crate::viterbi`].
struct Model {
    rows: Vec<[f32; Tag::COUNT]>,
    transitions: [[f32; Tag::COUNT]; Tag::COUNT + 1],
}

/// What raw text teaches about words, one sentence or paragraph per item; rare words are left out.
pub fn lexicon<'a>(lines: impl IntoIterator<Item = &'a str>) -> Lexicon {
    vocabulary::build(lines)
}

/// A tagger that has learned from the lessons. Equal input gives equal bytes on one machine; another machine's
/// exponential function may round differently.
pub fn train(lessons: &[Lesson], lexicon: Lexicon, settings: &Settings) -> Tagger {
    let dataset = dataset::Dataset::new(lessons, &lexicon, settings.min_count);
    let model = match settings.method {
        Method::Perceptron => perceptron::fit(&dataset, settings),
        Method::Chain => chain::fit(&dataset, settings),
    };
    let rows = dataset.keys.iter().copied().zip(model.rows);
    Tagger::new(lexicon, Weights::round(rows, &model.transitions))
}

#[cfg(test)]
mod tests;
