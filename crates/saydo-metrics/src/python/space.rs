//! White space as `str.strip` and `str.split` see it.

/// Whether Python's `str.isspace` holds for `c`: Unicode white space and the separators U+001C to U+001F.
///
/// ```
/// use saydo_metrics::python::is_space;
///
/// assert!(is_space('\u{a0}') && is_space('\u{1c}'));
/// assert!(!is_space('\u{200b}') && !is_space('\u{feff}'));
/// ```
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// `text` without leading and trailing white space, as `str.strip()`.
///
/// ```
/// assert_eq!(saydo_metrics::python::strip("\u{3000} a b\n"), "a b");
/// ```
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The words between runs of white space, as `str.split()`: never an empty one, so blank text yields nothing.
///
/// ```
/// use saydo_metrics::python::split_space;
///
/// assert_eq!(split_space(" a \t b\u{1f}c ").collect::<Vec<_>>(), ["a", "b", "c"]);
/// assert_eq!(split_space(" \n").count(), 0);
/// ```
pub fn split_space(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// The words of the text with one space between them, as `" ".join(text.split())`.
///
/// ```
/// assert_eq!(saydo_metrics::python::squeeze_space(" a \n\tb "), "a b");
/// ```
pub fn squeeze_space(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in split_space(text) {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_exactly_the_29_characters_of_python() {
        let expected: Vec<char> =
            "\t\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{1f} \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\
             \u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}"
                .chars()
                .collect();
        let found: Vec<char> = ('\0'..=char::MAX).filter(|&c| is_space(c)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn strip_keeps_inner_space_and_zero_width_characters() {
        assert_eq!(strip("\u{1c}\u{200b} a  b \u{feff}\u{85}"), "\u{200b} a  b \u{feff}");
        assert_eq!(strip(" \u{2028} "), "");
    }
}
