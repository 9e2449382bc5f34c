//! Lessons as numbers: every feature that occurs often enough gets an index, every tag its own.

use super::Lesson;
use crate::feature::View;
use crate::lexicon::Lexicon;

/// A sentence ready for training.
pub(super) struct Example {
    /// Indices of the features of each token.
    pub(super) features: Vec<Vec<u32>>,
    /// Index of the tag of each token.
    pub(super) tags: Vec<usize>,
    /// How much the sentence counts.
    pub(super) weight: f32,
}

pub(super) struct Dataset {
    /// The key behind each feature index, ascending.
    pub(super) keys: Vec<u32>,
    pub(super) examples: Vec<Example>,
}

impl Dataset {
    /// Lessons without tokens are left out, and so are features seen fewer than `min_count` times.
    pub(super) fn new(lessons: &[Lesson], lexicon: &Lexicon, min_count: usize) -> Dataset {
        let lessons = || lessons.iter().filter(|lesson| !lesson.words.is_empty());
        let features: Vec<Vec<Vec<u32>>> = lessons().map(|lesson| keys_of(lesson, lexicon)).collect();
        let keys = frequent(features.iter().flatten().flatten().copied().collect(), min_count);
        let indexed = |token: Vec<u32>| {
            token.iter().filter_map(|key| keys.binary_search(key).ok()).map(|index| index as u32).collect()
        };
        let examples = lessons()
            .zip(features)
            .map(|(lesson, tokens)| Example {
                features: tokens.into_iter().map(indexed).collect(),
                tags: lesson.tags.iter().map(|tag| tag.index()).collect(),
                weight: lesson.weight,
            })
            .collect();
        Dataset { keys, examples }
    }
}

fn keys_of(lesson: &Lesson, lexicon: &Lexicon) -> Vec<Vec<u32>> {
    let words: Vec<&str> = lesson.words.iter().map(String::as_str).collect();
    let view = View::new(&words, lexicon);
    let at = |position| {
        let mut keys = Vec::new();
        view.features(position, &mut keys);
        keys
    };
    (0..view.len()).map(at).collect()
}

/// The keys that occur at least `min_count` times, ascending, once each.
fn frequent(mut keys: Vec<u32>, min_count: usize) -> Vec<u32> {
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).filter(|same| same.len() >= min_count).map(|same| same[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_keys_are_dropped() {
        assert_eq!(frequent(vec![9, 3, 9, 5, 3, 9], 2), [3, 9]);
        assert_eq!(frequent(vec![9, 3], 1), [3, 9]);
    }
}
