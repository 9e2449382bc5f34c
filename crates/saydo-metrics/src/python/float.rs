//! Numbers in text: what Python's `float()` accepts, and the value it gives.

use std::borrow::Cow;

use super::space::is_space;
use super::unicode14::DECIMAL_ZEROS;

/// The value of `float(text)`, or `None` where Python raises an error.
///
/// Decimal digits of any script count, and one `_` may stand between two digits. Too large a number is infinite.
///
/// ```
/// use saydo_metrics::python::parse_float;
///
/// assert_eq!(parse_float(" 1_000.5 "), Some(1000.5));
/// assert_eq!(parse_float("-٥e2"), Some(-500.0));
/// assert_eq!(parse_float("1,000"), None);
/// assert_eq!(parse_float("½"), None);
/// ```
pub fn parse_float(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_float_space);
    // What is left differs from Rust's own grammar only in digits beyond ASCII and in underscores.
    let plain = without_underscores(ascii_digits(text)?)?;
    plain.parse().ok()
}

/// Whether `float(text)` succeeds; `inf` and `nan` are numbers too.
///
/// ```
/// use saydo_metrics::python::is_number;
///
/// assert!(is_number("5.") && is_number("-Infinity") && is_number("nan"));
/// assert!(!is_number("") && !is_number("0x10") && !is_number("5%"));
/// ```
pub fn is_number(text: &str) -> bool {
    parse_float(text).is_some()
}

/// `float()` strips the white space of [`is_space`] except the four ASCII separators.
fn is_float_space(c: char) -> bool {
    is_space(c) && !matches!(c, '\u{1c}'..='\u{1f}')
}

/// The text with decimal digits of all scripts as ASCII, or `None` if another character beyond ASCII is in it.
fn ascii_digits(text: &str) -> Option<Cow<'_, str>> {
    if text.is_ascii() {
        return Some(Cow::Borrowed(text));
    }
    text.chars().map(|c| if c.is_ascii() { Some(c) } else { digit(c) }).collect::<Option<String>>().map(Cow::Owned)
}

/// The ASCII digit with the decimal value of `c`.
fn digit(c: char) -> Option<char> {
    let point = u32::from(c);
    let zero = DECIMAL_ZEROS[..DECIMAL_ZEROS.partition_point(|&zero| zero <= point)].last()?;
    char::from_digit(point - zero, 10)
}

/// The text with its underscores taken out, or `None` if one does not stand between two digits.
fn without_underscores(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(text);
    }
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let sound = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    text.match_indices('_').all(|(at, _)| sound(at)).then(|| Cow::Owned(text.replace('_', "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimal_literals_parse() {
        let cases = [
            ("5", 5.0),
            ("5.", 5.0),
            (".5", 0.5),
            ("+5.5", 5.5),
            ("5.e3", 5000.0),
            ("1E-5", 1e-5),
            ("007", 7.0),
            ("1_0.0_1e1_0", 10.01e10),
            ("\u{3000}１２.５\u{85}", 12.5),
            ("𝟗", 9.0),
            ("१_०", 10.0),
            ("1e400", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            ("1e-400", 0.0),
            ("0e99999999999999999999", 0.0),
        ];
        for (text, value) in cases {
            assert_eq!(parse_float(text), Some(value), "{text}");
        }
    }

    #[test]
    fn infinity_and_nan_parse_in_any_case() {
        for text in ["inf", "INF", "+Infinity", "iNfInItY"] {
            assert_eq!(parse_float(text), Some(f64::INFINITY), "{text}");
        }
        assert_eq!(parse_float(" -inf"), Some(f64::NEG_INFINITY));
        assert!(parse_float("-NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn other_text_is_no_number() {
        let cases = [
            "",
            " ",
            ".",
            "+",
            "e5",
            ".e3",
            "1e",
            "1e+",
            "+ 5",
            "1 2",
            "--5",
            "0x10",
            "1,000",
            "5%",
            "$5",
            "½",
            "²",
            "Ⅷ",
            "∞",
            "１２．５",
            "İnf",
            "5\0",
            "infinit",
            "nan0",
        ];
        for text in cases {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn an_underscore_must_stand_between_two_digits() {
        for text in ["_1", "1_", "1__0", "1_.5", "1._5", "1_e5", "1e_5", "1e5_", "+_1", "in_f", "_"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn ascii_separators_are_not_stripped_from_numbers() {
        assert!(!is_number("\u{1c}5") && !is_number("5\u{1f}") && !is_number("\u{1e}٥"));
        assert!(is_number("\t\u{b}\u{c}5\r\n"));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in any::<String>()) {
            parse_float(&text);
        }

        #[test]
        fn number_like_text_is_parsed_or_refused(text in "[-+_.eE0-9٠-٩infa ]{0,12}") {
            parse_float(&text);
        }
    }
}
