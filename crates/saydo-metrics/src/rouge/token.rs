//! ROUGE tokens: lower case, ASCII letters and digits only, stemmed beyond three letters.

use std::borrow::Cow;

use crate::python;
use crate::stem;

/// The tokens of a text as `rouge-score` sees them with stemming on; none for text without ASCII letters or digits.
///
/// Accented and other letters separate tokens.
///
/// ```
/// use saydo_metrics::rouge::rouge_tokens;
///
/// assert_eq!(rouge_tokens("Naïve cats, hopping!"), ["na", "ve", "cat", "hop"]);
/// ```
pub fn rouge_tokens(text: &str) -> Vec<String> {
    words(&python::lower(text)).map(|word| token(word).into_owned()).collect()
}

/// The runs of ASCII letters and digits in lower-cased text.
pub(super) fn words(lowered: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    // Cuts fall between ASCII bytes, and so on character boundaries.
    std::iter::from_fn(move || {
        let bytes = lowered.as_bytes();
        start += bytes[start..].iter().position(u8::is_ascii_alphanumeric)?;
        let length = bytes[start..].iter().position(|byte| !byte.is_ascii_alphanumeric());
        let end = length.map_or(bytes.len(), |length| start + length);
        let word = &lowered[start..end];
        start = end;
        Some(word)
    })
}

/// The token that a word becomes.
pub(super) fn token(word: &str) -> Cow<'_, str> {
    if word.len() > 3 { stem::stem(word) } else { Cow::Borrowed(word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn everything_but_ascii_letters_and_digits_separates() {
        assert_eq!(rouge_tokens("it's a_b x-ray\t3.5%"), ["it", "s", "a", "b", "x", "ray", "3", "5"]);
        assert_eq!(rouge_tokens("café 日本 ２"), ["caf"]);
        assert!(rouge_tokens("…—日本").is_empty() && rouge_tokens("").is_empty());
    }

    #[test]
    fn capitals_that_lower_to_ascii_count() {
        assert_eq!(rouge_tokens("İstanbul 5K"), ["i", "stanbul", "5k"]);
    }

    #[test]
    fn words_of_three_letters_are_not_stemmed() {
        assert_eq!(rouge_tokens("was gas runs does"), ["was", "gas", "run", "doe"]);
    }

    proptest! {
        #[test]
        fn tokens_are_never_empty_and_hold_only_lower_case_ascii(text in any::<String>()) {
            for token in rouge_tokens(&text) {
                prop_assert!(!token.is_empty());
                prop_assert!(token.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
            }
        }
    }
}
