//! Exact match after light normalization, as the Super-NaturalInstructions evaluator defines it.
//!
//! Case, ASCII punctuation and spacing do not matter; articles and numbers do. Rule S3 of docs/metrics.md.

use crate::python;

/// Lower case, ASCII punctuation deleted, words joined by single spaces.
///
/// ```
/// assert_eq!(saydo_metrics::exact::normalize_exact(" The U.S.A.\n"), "the usa");
/// ```
pub fn normalize_exact(text: &str) -> String {
    python::squeeze_space(&python::lower(text).replace(python::is_punctuation, ""))
}

/// Whether the prediction equals any of the references once both are normalized; false for no references.
///
/// ```
/// use saydo_metrics::exact::exact_match;
///
/// assert!(exact_match("Yes.", &["no", "yes"]));
/// assert!(!exact_match("yes it is", &["yes"]));
/// ```
pub fn exact_match<S: AsRef<str>>(prediction: &str, references: &[S]) -> bool {
    let prediction = normalize_exact(prediction);
    references.iter().any(|reference| normalize_exact(reference.as_ref()) == prediction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn punctuation_goes_and_articles_and_numbers_stay() {
        let cases = [
            ("A cat, the dog!", "a cat the dog"),
            ("don't", "dont"),
            ("x-y_z", "xyz"),
            ("5.50", "550"),
            ("...", ""),
            ("a\u{1f}b\u{a0}c", "a b c"),
            ("“quoted” — dash", "“quoted” — dash"),
            ("ΑΣ.", "ας"),
        ];
        for (text, normalized) in cases {
            assert_eq!(normalize_exact(text), normalized, "{text}");
        }
    }

    #[test]
    fn a_match_needs_a_reference() {
        let none: [&str; 0] = [];
        assert!(!exact_match("", &none));
        assert!(exact_match("?!", &[""]));
    }

    proptest! {
        #[test]
        fn normalizing_twice_changes_nothing(text in any::<String>()) {
            let once = normalize_exact(&text);
            prop_assert_eq!(normalize_exact(&once), once);
        }

        #[test]
        fn a_text_matches_itself(text in any::<String>()) {
            prop_assert!(exact_match(&text, &[&text]));
        }
    }
}
