//! Word characters: what `\w` matches in a Python regular expression over text.

use super::unicode14::WORD_EDGES;

/// Whether `c` matches `\w`: a letter, a character with a numeric value, or `_`.
///
/// Combining marks and joiners do not match, unlike in the usual Rust regex engines.
///
/// ```
/// use saydo_metrics::python::is_word;
///
/// assert!(is_word('é') && is_word('億') && is_word('½') && is_word('_'));
/// assert!(!is_word('\u{301}') && !is_word('-'));
/// ```
pub fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    // Inside a run, an odd number of edges lies at or before the character.
    WORD_EDGES.partition_point(|&edge| edge <= u32::from(c)) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_3_11_has_133548_word_characters() {
        assert!(WORD_EDGES.is_sorted_by(|a, b| a < b));
        assert_eq!(('\0'..=char::MAX).filter(|&c| is_word(c)).count(), 133_548);
    }

    #[test]
    fn letters_and_numbers_of_any_script_are_words() {
        assert!("azAZ09_ßİſ٥५Ⅷ²½㊉一二三億𝟘ªʰ".chars().all(is_word));
    }

    #[test]
    fn marks_joiners_and_symbols_are_not_words() {
        assert!(!"-–'’ \t\u{301}\u{200c}\u{200d}\u{93f}Ⓐ😀€\u{10ffff}".chars().any(is_word));
    }
}
