//! Which windows of a long document most likely answer a question: those that share its rare words (BM25).

use crate::window::Window;
use std::collections::HashMap;

/// How fast a word that comes again stops to count.
const SATURATION: f64 = 1.2;
/// How much a longer window must hold to count as much.
const LENGTH: f64 = 0.75;

/// The windows' numbers, the likeliest first; those that share nothing with the question in order of the document.
pub(crate) fn ranked(question: &str, windows: &[Window]) -> Vec<usize> {
    let counted: Vec<HashMap<String, f64>> = windows.iter().map(|window| counts(&window.text)).collect();
    let lengths: Vec<f64> = counted.iter().map(|words| words.values().sum()).collect();
    let mean = lengths.iter().sum::<f64>() / windows.len().max(1) as f64;
    let mut asked: Vec<String> = counts(question).into_keys().collect();
    asked.sort_unstable();
    let rarity = |word: &String| {
        let holding = counted.iter().filter(|words| words.contains_key(word)).count() as f64;
        (1.0 + (windows.len() as f64 - holding + 0.5) / (holding + 0.5)).ln()
    };
    let rarities: Vec<f64> = asked.iter().map(rarity).collect();
    let score = |number: usize| -> f64 {
        let of = |(word, rarity): (&String, &f64)| {
            let count = counted[number].get(word).copied().unwrap_or_default();
            let length = 1.0 - LENGTH + LENGTH * lengths[number] / mean.max(1.0);
            rarity * count * (SATURATION + 1.0) / (count + SATURATION * length)
        };
        asked.iter().zip(&rarities).map(of).sum()
    };
    let mut scored: Vec<(f64, usize)> = (0..windows.len()).map(|number| (score(number), number)).collect();
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    scored.into_iter().map(|(_, number)| number).collect()
}

fn counts(text: &str) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2) {
        *counts.entry(stem(&word.to_lowercase())).or_default() += 1.0;
    }
    counts
}

/// A word without the endings that English puts on most words.
fn stem(word: &str) -> String {
    let stem = ["ing", "ed", "es", "s"].iter().find_map(|ending| word.strip_suffix(ending));
    stem.filter(|stem| stem.chars().count() > 2).unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_window_with_the_rare_words_of_the_question_comes_first() {
        let texts =
            ["Trails are open all year.", "The trail is long.", "Leashed dogs may use the trail.", "It is steep."];
        let windows: Vec<Window> = texts.iter().map(|text| Window { start: 0, text: Arc::from(*text) }).collect();
        assert_eq!(ranked("Are dogs allowed on the trail?", &windows)[0], 2);
        assert_eq!(ranked("Wie lang?", &windows), [0, 1, 2, 3]);
        assert_eq!(ranked("", &[]), Vec::<usize>::new());
    }
}
