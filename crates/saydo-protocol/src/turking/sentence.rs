//! Cutting a text into sentences, for the checks of form.
//!
//! A sentence ends at a line end, or at `.`, `!` or `?` before white space, closing quotes and brackets included. A dot
//! after an initial, a common title or the number of an item does not end one. Bullets and numbers in front are dropped.

const TITLES: [&str; 14] = ["mr", "mrs", "ms", "dr", "st", "prof", "sgt", "gen", "jr", "sr", "vs", "no", "e.g", "i.e"];

/// The sentences of a text, in order, without the space, bullets and numbers around them. Lines without a letter or
/// digit are none.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let pieces = text.lines().flat_map(|line| cut(without_marker(line)));
    pieces.map(without_marker).filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

fn cut(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut at) = (0, 0);
    for word in line.split_inclusive(char::is_whitespace) {
        at += word.len();
        if ends_sentence(word.trim_end(), line[start..at - word.len()].trim().is_empty()) {
            sentences.push(line[start..at].trim());
            start = at;
        }
    }
    sentences.push(line[start..].trim());
    sentences
}

fn ends_sentence(word: &str, is_first: bool) -> bool {
    let word = word.trim_end_matches(['"', '”', '’', '\'', ')', ']']);
    let Some(before_dot) = word.strip_suffix('.') else { return word.ends_with(['!', '?']) };
    let before_dot = before_dot.trim_start_matches(['"', '“', '(']).to_lowercase();
    let is_initial = before_dot.chars().count() == 1 && before_dot.chars().all(char::is_alphabetic);
    let is_number_of_item = is_first && before_dot.bytes().all(|byte| byte.is_ascii_digit());
    !is_initial && !is_number_of_item && !TITLES.contains(&before_dot.as_str())
}

/// The text without a bullet or number of an item in front, as `•`, `-`, `*`, `1.`, `1)`, `(1)`, `a)` or `Q1:`.
fn without_marker(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['•', '-', '*', '–', '·']).trim_start();
    let Some((first, rest)) = text.split_once(char::is_whitespace) else { return text };
    let Some(marker) = first.strip_suffix(['.', ')', ':']) else { return text };
    let marker = marker.strip_prefix('(').unwrap_or(marker);
    let letter = first.ends_with(')') && marker.len() == 1 && marker.bytes().all(|byte| byte.is_ascii_alphabetic());
    let marker = marker.strip_prefix(['Q', 'q']).filter(|_| first.ends_with(':')).unwrap_or(marker);
    if letter || marker.bytes().all(|byte| byte.is_ascii_digit()) { rest.trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_end_at_signs_and_lines() {
        assert_eq!(
            sentences("A cat sat. \"Did it?\" It did!\n\nNo end here\n…\n"),
            ["A cat sat.", "\"Did it?\"", "It did!", "No end here"]
        );
    }

    #[test]
    fn initials_titles_and_numbers_do_not_end_one() {
        assert_eq!(
            sentences("Dr. J. Smith of St. Ives paid 6.5 dollars. He left."),
            ["Dr. J. Smith of St. Ives paid 6.5 dollars.", "He left."]
        );
    }

    #[test]
    fn markers_are_dropped() {
        let text = "1. Who?\n2) What?\n(3) Where?\n• When?\n- Whose?\nQ6: Which?\na) How many? 8. Why?";
        assert_eq!(sentences(text), ["Who?", "What?", "Where?", "When?", "Whose?", "Which?", "How many?", "Why?"]);
        assert_eq!(sentences("A. Smith left."), ["A. Smith left."]);
    }

    proptest! {
        #[test]
        fn every_sentence_is_a_part_of_the_text(text in any::<String>()) {
            prop_assert!(sentences(&text).iter().all(|sentence| text.contains(sentence)));
        }
    }
}
