//! Follows a decimal number byte by byte: `-?(0|[1-9][0-9]*)(\.[0-9]+)?`, with a bound on the digits of each part.

use crate::byte_set::ByteSet;

/// The greatest number of digits before the point, and after it.
const MAX_DIGITS: u8 = 15;

/// Where in a number the text has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    /// Nothing yet.
    Start,
    /// After the minus sign.
    Minus,
    /// After a leading zero, which stands alone.
    Zero,
    /// After so many digits before the point.
    Whole(u8),
    /// After the point and so many digits.
    Fraction(u8),
}

impl Number {
    /// After one more byte; none if it cannot come here.
    pub fn step(self, byte: u8) -> Option<Number> {
        match (self, byte) {
            (Number::Start, b'-') => Some(Number::Minus),
            (Number::Start | Number::Minus, b'0') => Some(Number::Zero),
            (Number::Start | Number::Minus, b'1'..=b'9') => Some(Number::Whole(1)),
            (Number::Whole(digits), b'0'..=b'9') if digits < MAX_DIGITS => Some(Number::Whole(digits + 1)),
            (Number::Zero | Number::Whole(_), b'.') => Some(Number::Fraction(0)),
            (Number::Fraction(digits), b'0'..=b'9') if digits < MAX_DIGITS => Some(Number::Fraction(digits + 1)),
            _ => None,
        }
    }

    /// Whether the number may end here.
    pub fn may_end(self) -> bool {
        !matches!(self, Number::Start | Number::Minus | Number::Fraction(0))
    }

    /// Whether more may follow.
    pub fn may_continue(self) -> bool {
        self != Number::Fraction(MAX_DIGITS)
    }

    /// Adds the bytes that may come next.
    pub fn next_bytes(self, set: &mut ByteSet) {
        b"-.0123456789".iter().filter(|&&byte| self.step(byte).is_some()).for_each(|&byte| set.insert(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_json_without_an_exponent() {
        let accepts = |text: &str| text.bytes().try_fold(Number::Start, Number::step).is_some_and(Number::may_end);
        for text in ["0", "-0", "7", "-12", "0.5", "10.250", "123456789012345", "1.000000000000001"] {
            assert!(accepts(text), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e5", "--1", "1234567890123456", "1.0000000000000001", "1 "] {
            assert!(!accepts(text), "{text}");
        }
    }
}
