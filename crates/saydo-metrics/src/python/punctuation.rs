//! ASCII punctuation, Python's `string.punctuation`.

/// The 32 ASCII punctuation characters, in code point order.
pub const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// Whether `c` is one of [`PUNCTUATION`]; dashes and quotation marks outside ASCII are not.
///
/// ```
/// use saydo_metrics::python::is_punctuation;
///
/// assert!(is_punctuation('_') && !is_punctuation('—'));
/// ```
pub fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_and_the_list_agree_on_every_character() {
        let found: String = ('\0'..=char::MAX).filter(|&c| is_punctuation(c)).collect();
        assert_eq!(found, PUNCTUATION);
        assert_eq!(found.len(), 32);
    }
}
