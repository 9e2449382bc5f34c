//! Numbers as tables show them: percent with one decimal, intervals with a hyphen.

/// A share in percent with one decimal.
pub(crate) fn percent(share: f64) -> String {
    points(100.0 * share)
}

/// Percent points with one decimal.
pub(crate) fn points(value: f64) -> String {
    // A difference that rounds to nothing has no sign.
    let text = format!("{value:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// An interval of percent points.
pub(crate) fn range([low, high]: [f64; 2]) -> String {
    format!("{}-{}", points(low), points(high))
}

/// A count with a comma between thousands.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_the_terminal() {
        assert_eq!(percent(0.4166), "41.7");
        assert_eq!(points(-0.04), "0.0");
        assert_eq!(range([12.0, 30.25]), "12.0-30.2");
        assert_eq!([0, 999, 1000, 22569, 1_234_567].map(count), ["0", "999", "1,000", "22,569", "1,234,567"]);
    }
}
