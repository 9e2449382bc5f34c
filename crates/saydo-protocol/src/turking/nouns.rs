//! Reading a list of nouns out of a text, and comparing it with the gold list.
//!
//! Items end at a comma, a semicolon, a line end, a bullet, the word `and`, or the end of a sentence. Numbers and
//! bullets before an item, punctuation around it and an article in front of it are dropped. Gold is read by the same
//! rules. Order and repetition do not matter.

use super::word::{bare, folded};
use std::collections::HashSet;

/// How much of two lists is the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The share of the listed nouns that are right; 0 if none is listed.
    pub precision: f64,
    /// The share of the right nouns that are listed.
    pub recall: f64,
    /// The harmonic mean of the two; 0 if both are.
    pub f1: f64,
}

/// The nouns that are right.
pub(super) struct NounSet {
    nouns: HashSet<String>,
    is_case_kept: bool,
}

impl NounSet {
    /// Reads a gold list. Case is kept where the condition is about case, else it is not looked at.
    pub(super) fn new(gold: &str, is_case_kept: bool) -> NounSet {
        NounSet { nouns: items(gold, is_case_kept).into_iter().collect(), is_case_kept }
    }

    /// Whether the text lists exactly these nouns.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        let listed: HashSet<String> = items(text, self.is_case_kept).into_iter().collect();
        !listed.is_empty() && listed == self.nouns
    }

    /// Whether the text starts with a list of exactly these nouns: all of them stand before anything else does.
    pub(super) fn is_prefix(&self, text: &str) -> bool {
        let mut listed = HashSet::new();
        let right = items(text, self.is_case_kept).into_iter().take_while(|item| self.nouns.contains(item));
        listed.extend(right);
        !listed.is_empty() && listed.len() == self.nouns.len()
    }

    /// How well the whole text covers these nouns.
    pub(super) fn overlap(&self, text: &str) -> Overlap {
        let listed: HashSet<String> = items(text, self.is_case_kept).into_iter().collect();
        let right = listed.intersection(&self.nouns).count() as f64;
        let share = |of: usize| if of == 0 { 0.0 } else { right / of as f64 };
        let (precision, recall) = (share(listed.len()), share(self.nouns.len()));
        let f1 = if right == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
        Overlap { precision, recall, f1 }
    }
}

/// The items of a list, in order.
fn items(text: &str, is_case_kept: bool) -> Vec<String> {
    let cleaned = pieces(text).into_iter().map(|piece| without_article(bare(piece)).to_owned());
    cleaned
        .filter(|item| !item.is_empty())
        .map(|item| if is_case_kept { item.replace('’', "'") } else { folded(&item) })
        .collect()
}

/// The text cut at every separator.
fn pieces(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    for word in text.split_inclusive(char::is_whitespace) {
        if is_separator(word.trim_end()) {
            lines.push(&text[start..at]);
            start = at + word.len();
        }
        at += word.len();
    }
    lines.push(&text[start..]);
    lines.into_iter().flat_map(cut_at_signs).collect()
}

/// Whether a word stands between items: `and`, or the number of the next item as `2.`, `2)` or `(2)`.
fn is_separator(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).map(|number| number.strip_prefix('(').unwrap_or(number));
    word.eq_ignore_ascii_case("and") || number.is_some_and(|number| number.parse::<u8>().is_ok())
}

fn cut_at_signs(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut before) = (0, ' ');
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let cuts = match c {
            '\n' | '\r' | ';' | '•' => true,
            // A comma between digits belongs to a number.
            ',' => !(before.is_ascii_digit() && after.is_ascii_digit()),
            '.' | '!' | '?' => after.is_whitespace(),
            _ => false,
        };
        if cuts {
            pieces.push(&text[start..at]);
            start = at + c.len_utf8();
        }
        before = c;
    }
    pieces.push(&text[start..]);
    pieces
}

fn without_article(item: &str) -> &str {
    let rest = item.split_once(char::is_whitespace);
    match rest {
        Some((article, noun)) if ["a", "an", "the"].contains(&article.to_lowercase().as_str()) => bare(noun),
        _ => item,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cat_and_mat() -> NounSet {
        NounSet::new("cat, mat", false)
    }

    #[test]
    fn any_way_of_listing_is_read() {
        for text in [
            "cat, mat",
            "mat, cat.",
            "Cat and mat",
            "cat, and mat",
            "the cat; the mat",
            "cat\nmat\n",
            "- cat\n- mat",
            "* \"cat\"\n* \"mat\"",
            "1. cat\n2. mat",
            "1) cat 2) mat",
            "(1) cat\n(2) mat",
            "1. cat 2. mat",
            "• cat • mat",
            "\"cat\", \"mat\", \"cat\"",
        ] {
            assert!(cat_and_mat().is_whole(text), "{text}");
            assert!(cat_and_mat().is_prefix(text), "{text}");
        }
    }

    #[test]
    fn a_list_with_other_things_is_not_the_list() {
        for text in ["", "cat", "cat, mat, dog", "cat mat", "catmat", "cats, mat", "cat, mat, and so on", "sat, cat"] {
            assert!(!cat_and_mat().is_whole(text), "{text}");
        }
    }

    #[test]
    fn a_prefix_holds_every_noun_before_anything_else() {
        for text in
            ["cat, mat, dog", "cat, mat. The sentence goes on.", "mat\ncat\n\nList all the nouns", "cat, cat, mat, x"]
        {
            assert!(cat_and_mat().is_prefix(text), "{text}");
        }
        for text in ["", "cat", "dog, cat, mat", "cat, dog, mat", "the cat sat on the mat"] {
            assert!(!cat_and_mat().is_prefix(text), "{text}");
        }
    }

    #[test]
    fn case_counts_only_where_the_condition_is_about_it() {
        assert!(NounSet::new("Rome, apple", false).is_whole("rome, Apple"));
        let kept = NounSet::new("Rome", true);
        assert!(kept.is_whole("Rome.") && !kept.is_whole("rome"));
    }

    #[test]
    fn abbreviations_and_numbers_read_as_in_gold() {
        assert!(NounSet::new("U.S., Mr., 1,000s", false).is_whole("U.S., Mr. and 1,000s"));
        assert!(NounSet::new("doctor’s", true).is_whole("doctor's"));
    }

    #[test]
    fn overlap_counts_distinct_nouns() {
        let close = |overlap: Overlap, expected: [f64; 3]| {
            let found = [overlap.precision, overlap.recall, overlap.f1];
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        close(cat_and_mat().overlap("cat, cat, dog, fox"), [1.0 / 3.0, 0.5, 0.4]);
        close(cat_and_mat().overlap("cat, mat"), [1.0; 3]);
        close(cat_and_mat().overlap("dog"), [0.0; 3]);
        close(cat_and_mat().overlap(" "), [0.0; 3]);
    }

    proptest! {
        #[test]
        fn a_whole_list_is_a_prefix_and_covers_all(text in "[ab,. \n\"1)]{0,20}") {
            let set = NounSet::new("a, b", false);
            prop_assert!(!set.is_whole(&text) || set.is_prefix(&text));
            prop_assert_eq!(set.is_whole(&text), set.overlap(&text).f1 == 1.0);
        }

        #[test]
        fn any_text_is_read(text in any::<String>(), gold in any::<String>()) {
            let set = NounSet::new(&gold, true);
            let Overlap { precision, recall, f1 } = set.overlap(&text);
            prop_assert!([precision, recall, f1].iter().all(|share| (0.0..=1.0).contains(share)));
            prop_assert!(!set.is_whole(&text) || set.is_prefix(&text));
        }
    }
}
