//! Token F1 for free text, the measure SQuAD made usual (Rajpurkar and others, 2016).
//!
//! Words count as often as they appear, order does not matter. ZEST's own bags of words differ (sets, numbers) and live
//! with its protocol.

use crate::{bag, python};

const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Lower case, without ASCII punctuation and without the words `a`, `an` and `the`, single spaces between the rest.
///
/// ```
/// use saydo_metrics::token_f1::normalize_answer;
///
/// assert_eq!(normalize_answer("The  cat's an Actor."), "cats actor");
/// ```
pub fn normalize_answer(text: &str) -> String {
    let bare = python::lower(text).replace(python::is_punctuation, "");
    python::squeeze_space(&without_articles(&bare))
}

/// F1 of the two bags of words; 1 if both are empty, 0 if one is.
///
/// ```
/// use saydo_metrics::token_f1::token_f1;
///
/// assert_eq!(token_f1("the red car", "A red bus"), 0.5);
/// assert_eq!(token_f1("", "the"), 1.0);
/// ```
pub fn token_f1(prediction: &str, reference: &str) -> f64 {
    let (prediction, reference) = (normalize_answer(prediction), normalize_answer(reference));
    let predicted: Vec<&str> = python::split_space(&prediction).collect();
    let expected: Vec<&str> = python::split_space(&reference).collect();
    match predicted.len() + expected.len() {
        0 => 1.0,
        // The same as 2PR / (P + R).
        words => 2.0 * bag::overlap(&predicted, &expected) as f64 / words as f64,
    }
}

/// The text with a space for each article; words end where [`python::is_word`] does, so that `the—cat` loses one.
fn without_articles(text: &str) -> String {
    let mut content = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(python::is_word) {
        let (gap, after) = rest.split_at(start);
        let end = after.find(|c| !python::is_word(c)).unwrap_or(after.len());
        let (word, tail) = after.split_at(end);
        content.push_str(gap);
        content.push_str(if ARTICLES.contains(&word) { " " } else { word });
        rest = tail;
    }
    content.push_str(rest);
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn articles_go_only_as_whole_words() {
        let cases = [
            ("Theatre and another", "theatre and another"),
            ("the—cat", "—cat"),
            ("t.h.e cat", "cat"),
            ("a-an", "aan"),
            ("a\u{301} b", "\u{301} b"),
            ("The", ""),
            ("  ", ""),
        ];
        for (text, normalized) in cases {
            assert_eq!(normalize_answer(text), normalized, "{text}");
        }
    }

    #[test]
    fn words_count_as_often_as_both_have_them() {
        assert_eq!(token_f1("no no no", "no no yes"), 2.0 / 3.0);
        assert_eq!(token_f1("red red", "red"), 2.0 / 3.0);
        assert_eq!(token_f1("green", "red"), 0.0);
    }

    #[test]
    fn empty_answers_match_only_empty_answers() {
        assert_eq!(token_f1("", ""), 1.0);
        assert_eq!(token_f1("...", "an"), 1.0);
        assert_eq!(token_f1("word", ""), 0.0);
        assert_eq!(token_f1("", "word"), 0.0);
    }

    proptest! {
        #[test]
        fn normalizing_twice_changes_nothing(text in any::<String>()) {
            let once = normalize_answer(&text);
            prop_assert_eq!(normalize_answer(&once), once);
        }

        #[test]
        fn normalizing_text_full_of_articles_twice_changes_nothing(text in "[aAnthe .—\u{301}\u{1c}-]{0,24}") {
            let once = normalize_answer(&text);
            prop_assert_eq!(normalize_answer(&once), once);
        }

        #[test]
        fn scores_are_symmetric_and_lie_between_zero_and_one(a in "[a-d ]{0,20}", b in "[a-d ]{0,20}") {
            let score = token_f1(&a, &b);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert_eq!(score, token_f1(&b, &a));
        }

        #[test]
        fn a_text_scores_one_against_itself(text in any::<String>()) {
            prop_assert_eq!(token_f1(&text, &text), 1.0);
        }
    }
}
