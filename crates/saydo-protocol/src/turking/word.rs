//! Words as they are compared here: without the punctuation around them, in lower case, apostrophes straight.

/// What may stand around a word without being part of it.
fn is_around(c: char) -> bool {
    c.is_ascii_punctuation() || c.is_whitespace() || "“”‘’«»„…–—•·".contains(c)
}

/// The text without the punctuation and space around it.
pub(super) fn bare(text: &str) -> &str {
    text.trim_matches(is_around)
}

/// The text in lower case, with straight quotes and apostrophes.
pub(super) fn folded(text: &str) -> String {
    text.to_lowercase().replace(['’', '‘'], "'").replace(['“', '”'], "\"")
}

/// The words of a text, bare and folded; what is nothing but punctuation is no word.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).map(folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_what_is_around_them_and_keep_what_is_inside() {
        assert_eq!(words("• “Twitch.tv” — it’s  (NOT) 6.5%…"), ["twitch.tv", "it's", "not", "6.5"]);
        assert!(words(" \n-- ").is_empty());
    }
}
