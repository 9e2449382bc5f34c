//! Builds the lexicon from raw text: counts words, notes how often each is capitalized where capitals mean something, and
//! has them grouped into classes twice, coarsely and finely.

use std::collections::HashMap;

use super::exchange::{Neighbors, RESERVED, classes};
use crate::lexicon::{Entry, Lexicon};
use crate::tokenize;
use crate::word::normalize;

/// Words seen less often say too little about themselves.
const MIN_COUNT: u32 = 5;

/// Longer words are mostly debris.
const MAX_BYTES: usize = 24;

const COARSE_CLASSES: usize = 64;
const FINE_CLASSES: usize = 256;
const ROUNDS: usize = 15;

#[derive(Default)]
struct Usage {
    count: u32,
    /// Uses inside a sentence, by first letter.
    small: u32,
    capital: u32,
}

pub(super) fn build<'a>(lines: impl IntoIterator<Item = &'a str>) -> Lexicon {
    let lines: Vec<Vec<&str>> = lines.into_iter().map(tokenize).collect();
    let words = frequent(count(&lines));
    let numbers: HashMap<&str, u32> =
        words.iter().zip(RESERVED as u32..).map(|((word, _), number)| (word.as_str(), number)).collect();
    let neighbors = Neighbors::new(pairs(&lines, &numbers), words.len() + RESERVED);
    let coarse = classes(&neighbors, COARSE_CLASSES, ROUNDS);
    let fine = classes(&neighbors, FINE_CLASSES, ROUNDS);
    let entry = |word: usize, usage: &Usage| Entry {
        coarse: u8::try_from(coarse[word]).expect("words that are not reserved have open classes"),
        fine: u8::try_from(fine[word]).expect("words that are not reserved have open classes"),
        capital: capital_share(usage),
    };
    let entries = words.iter().enumerate().map(|(at, (word, usage))| (word.clone(), entry(at + RESERVED, usage)));
    Lexicon::new(entries.collect())
}

fn count(lines: &[Vec<&str>]) -> HashMap<String, Usage> {
    let mut usages: HashMap<String, Usage> = HashMap::new();
    for line in lines {
        let trusted = has_normal_case(line);
        let mut inside = false;
        for token in line {
            let usage = usages.entry(normalize(token)).or_default();
            usage.count += 1;
            if trusted && inside {
                usage.small += u32::from(token.starts_with(char::is_lowercase));
                usage.capital += u32::from(token.starts_with(char::is_uppercase));
            }
            // A capital after any mark may be due to the mark.
            inside = token.starts_with(char::is_alphanumeric);
        }
    }
    usages
}

/// Whether capitals are rare enough to mean something.
fn has_normal_case(line: &[&str]) -> bool {
    let letters = || line.iter().flat_map(|token| token.chars());
    letters().filter(|c| c.is_lowercase()).count() > 3 * letters().filter(|c| c.is_uppercase()).count()
}

/// The words worth keeping, most frequent first.
fn frequent(usages: HashMap<String, Usage>) -> Vec<(String, Usage)> {
    let keep = |word: &str, usage: &Usage| usage.count >= MIN_COUNT && word.len() <= MAX_BYTES;
    let mut words: Vec<(String, Usage)> = usages.into_iter().filter(|(word, usage)| keep(word, usage)).collect();
    words.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(&b.0)));
    words
}

fn pairs(lines: &[Vec<&str>], numbers: &HashMap<&str, u32>) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for line in lines {
        let mut left = 0;
        for token in line {
            let right = numbers.get(normalize(token).as_str()).copied().unwrap_or(1);
            pairs.push((left, right));
            left = right;
        }
        pairs.push((left, 0));
    }
    pairs
}

fn capital_share(usage: &Usage) -> u8 {
    let seen = usage.small + usage.capital;
    if seen < 2 {
        return 5;
    }
    let share = f64::from(usage.capital) / f64::from(seen);
    [0.05, 0.3, 0.7, 0.95].iter().filter(|bound| share >= **bound).count() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_words_are_kept_with_their_capitals() {
        let lines = ["Yes, we met Paris in the old town.", "The town of Paris, we said, is old."].repeat(4);
        let lexicon = build(lines);
        assert_eq!(lexicon.entry("paris").map(|entry| entry.capital), Some(4));
        assert_eq!(lexicon.entry("town").map(|entry| entry.capital), Some(0));
        assert_eq!(lexicon.entry("yes"), None, "four uses are too few");
        assert_eq!(lexicon.entry("old").map(|entry| entry.capital), Some(0));
    }

    #[test]
    fn no_text_gives_no_words() {
        assert_eq!(build([]), Lexicon::default());
    }
}
