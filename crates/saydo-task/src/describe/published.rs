//! What the papers print about their data, to stand beside our own numbers.

use serde::Serialize;

/// One column of ZEST's Table 2.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ZestPart {
    /// `train`, `dev` or `test`.
    pub name: &'static str,
    /// (task, passage) pairs.
    pub instances: usize,
    /// Mean words of a passage.
    pub input_words: f64,
    /// Tasks.
    pub tasks: usize,
    /// Mean words of a task's question.
    pub definition_words: f64,
    /// Share of NA.
    pub na_share: f64,
    /// Share of classification.
    pub classification_share: f64,
}

/// ZEST, Table 2.
pub const ZEST: [ZestPart; 3] = [
    ZestPart {
        name: "train",
        instances: 10_766,
        input_words: 121.0,
        tasks: 538,
        definition_words: 12.3,
        na_share: 0.62,
        classification_share: 0.46,
    },
    ZestPart {
        name: "dev",
        instances: 2_280,
        input_words: 122.0,
        tasks: 114,
        definition_words: 12.2,
        na_share: 0.67,
        classification_share: 0.49,
    },
    ZestPart {
        name: "test",
        instances: 11_980,
        input_words: 122.0,
        tasks: 599,
        definition_words: 11.8,
        na_share: 0.62,
        classification_share: 0.44,
    },
];

/// What the Natural Instructions paper says about its data in the running text. Lengths are in the paper's tokens,
/// whose tokenizer it does not name, so ours in words come out somewhat lower.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NaturalInstructions {
    /// Tasks.
    pub tasks: usize,
    /// Instances, to the nearest thousand.
    pub instances: usize,
    /// Positive examples of a task, on average.
    pub positive_examples: f64,
    /// Negative examples of a task, on average.
    pub negative_examples: f64,
    /// Mean length of definitions, the longest element.
    pub definition_tokens: f64,
    /// Mean length of the shortest element.
    pub shortest_element_tokens: f64,
}

/// Natural Instructions, section 3.
pub const NATURAL_INSTRUCTIONS: NaturalInstructions = NaturalInstructions {
    tasks: 61,
    instances: 193_000,
    positive_examples: 4.9,
    negative_examples: 2.2,
    definition_tokens: 65.5,
    shortest_element_tokens: 8.3,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_text() {
        assert_eq!(ZEST.iter().map(|part| part.tasks).sum::<usize>(), 1_251);
        assert_eq!(ZEST.iter().map(|part| part.instances).sum::<usize>(), 25_026);
    }
}
