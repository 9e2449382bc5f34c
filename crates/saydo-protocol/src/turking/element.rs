//! Whether a text is the word or character that was asked for.
//!
//! Gold is the word as it stands between spaces, so `mat.`; the word without the punctuation around it counts as well.
//! Case is not looked at, and quotes or punctuation around the answer are not either.

use super::word::{bare, folded};

/// Whether the whole text is the answer.
pub(super) fn is_whole(text: &str, gold: &str) -> bool {
    let accepted = [folded(gold), folded(bare(gold))];
    forms(text).iter().any(|form| !form.is_empty() && accepted.contains(form))
}

/// Whether the text starts with the answer, as far as its first space (the prefix rule). The beginning of a longer word
/// is not an answer: `east` does not answer `e`.
pub(super) fn is_prefix(text: &str, gold: &str) -> bool {
    text.split_whitespace().next().is_some_and(|first| is_whole(first, gold))
}

/// What a text may stand for: itself, what is between its quotes, and what is left without punctuation.
fn forms(text: &str) -> [String; 3] {
    let text = text.trim();
    [folded(text), folded(unquoted(text)), folded(bare(text))]
}

/// The text without one pair of quotes around it.
fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('`', '`')];
    let inside = |(open, close): (char, char)| text.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inside).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_with_and_without_its_punctuation() {
        for text in ["mat.", "mat", " \"mat\"", "“Mat.”", "**mat**\n", "MAT!"] {
            assert!(is_whole(text, "mat."), "{text}");
        }
        for text in ["", ".", "ma", "mats", "the mat", "mat sat"] {
            assert!(!is_whole(text, "mat."), "{text}");
        }
        assert!(is_whole("don't", "don’t") && !is_whole("dont", "don't"));
    }

    #[test]
    fn punctuation_can_be_the_answer_itself() {
        assert!(is_whole("—", "—") && is_whole("\"—\"", "—") && is_whole("\"", "\"") && is_whole("'\"'", "\""));
        assert!(!is_whole("-", "—") && !is_whole("", "—") && !is_whole(".", ","));
    }

    #[test]
    fn a_prefix_ends_at_a_space() {
        assert!(is_prefix("cat sat on the mat", "cat") && is_prefix("\"cat\" is the second word", "cat"));
        assert!(is_prefix("e\n\nWrite down", "e"));
        for text in ["cats sat", "the cat", "", "  "] {
            assert!(!is_prefix(text, "cat"), "{text}");
        }
        assert!(!is_prefix("east of here", "e"));
    }
}
