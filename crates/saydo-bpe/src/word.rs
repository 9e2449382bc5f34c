//! How GPT-2 cuts a text into words before any merging: no token crosses a word's edge.
//!
//! A word is a contraction's tail, or a run of letters, of digits, or of other marks, each with at most one space
//! before it, or a run of white space. Of white space before something else, the last character stays apart, so that
//! a space can join the word it precedes. The published pattern says so by looking ahead; the regex engine here
//! has no lookahead but takes time linear in the text, so the last step is done by hand.

use regex::Regex;
use std::sync::LazyLock;

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+").expect("the pattern is valid")
});

/// The words of `text`; joined they give it back.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let pattern: &'static Regex = &PATTERN;
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = pattern.find_at(text, at)?;
        let end = end_of_word(text, found.as_str(), found.end());
        at = end;
        Some(&text[found.start()..end])
    })
}

/// Where the word ends whose match ended at `end`: one character earlier in white space that something follows.
fn end_of_word(text: &str, word: &str, end: usize) -> usize {
    let last = word.chars().next_back().expect("the pattern matches no empty text");
    if last.is_whitespace() && end < text.len() && word.len() > last.len_utf8() { end - last.len_utf8() } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        split(text).collect()
    }

    #[test]
    fn letters_digits_and_marks_are_kept_apart() {
        assert_eq!(words("Room 12b, 3½!?"), ["Room", " 12", "b", ",", " 3½", "!?"]);
    }

    #[test]
    fn contractions_are_cut_before_the_apostrophe_in_lower_case_only() {
        assert_eq!(words("we'll she's I'M"), ["we", "'ll", " she", "'s", " I", "'", "M"]);
    }

    #[test]
    fn the_last_white_space_before_a_word_stays_apart() {
        assert_eq!(words("a   b"), ["a", "  ", " b"]);
        assert_eq!(words("a \n\tb"), ["a", " \n", "\t", "b"]);
        assert_eq!(words("a\u{a0}\u{a0}b"), ["a", "\u{a0}", "\u{a0}", "b"]);
    }

    #[test]
    fn white_space_at_the_end_is_one_word() {
        assert_eq!(words("a \n "), ["a", " \n "]);
        assert_eq!(words(" "), [" "]);
    }
}
