//! White space at the edges of a text as Python's `strip` sees it, since the released encoders strip with it.

/// The text without white space at its ends. Python counts the four ASCII separators, which Rust does not.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn separators_count_as_white_space_and_zero_width_space_does_not() {
        assert_eq!(strip("\u{1c} \u{a0}\u{1f}a b\u{85}\u{3000}\r\n"), "a b");
        assert_eq!(strip("\u{200b} "), "\u{200b}");
        assert_eq!(strip(" \n"), "");
    }
}
