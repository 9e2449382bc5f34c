//! How much of a corpus to read.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Which documents to read, by their number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The first so many: `100`.
    Count(u64),
    /// The first part, rounded up: `0.1`. More than 0, at most 1. The corpus has to be counted for it.
    Fraction(f64),
    /// From one number up to another, which is left out; the first document is 0: `100-200` or `100:200`.
    Range {
        /// The first.
        start: u64,
        /// The one after the last.
        end: u64,
    },
}

impl Limit {
    /// The numbers of the documents to read, in a corpus of so many (needed for a fraction only).
    pub(crate) fn range(self, documents: u64) -> Range<u64> {
        match self {
            Limit::Count(count) => 0..count,
            Limit::Fraction(fraction) => 0..(documents as f64 * fraction).ceil() as u64,
            Limit::Range { start, end } => start..end,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Count(count) => write!(f, "{count}"),
            Limit::Fraction(fraction) => write!(f, "{fraction:?}"),
            Limit::Range { start, end } => write!(f, "{start}-{end}"),
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        count(text).or_else(|| range(text)).or_else(|| fraction(text)).ok_or_else(|| {
            format!("`{text}` is not a limit, expected a count (100), a fraction up to 1 (0.1) or a range (100-200)")
        })
    }
}

fn count(text: &str) -> Option<Limit> {
    text.parse().ok().map(Limit::Count)
}

fn range(text: &str) -> Option<Limit> {
    let (start, end) = text.split_once(['-', ':'])?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (start < end).then_some(Limit::Range { start, end })
}

fn fraction(text: &str) -> Option<Limit> {
    let fraction: f64 = text.parse().ok()?;
    (fraction > 0.0 && fraction <= 1.0).then_some(Limit::Fraction(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_fractions_and_ranges_are_told_apart() {
        let parse = |text: &str| text.parse::<Limit>().unwrap();
        assert_eq!(parse("100"), Limit::Count(100));
        assert_eq!(parse("0.1"), Limit::Fraction(0.1));
        assert_eq!(parse("1.0"), Limit::Fraction(1.0));
        assert_eq!(parse("1"), Limit::Count(1));
        assert_eq!(parse("100-200"), Limit::Range { start: 100, end: 200 });
        assert_eq!(parse("100:200"), Limit::Range { start: 100, end: 200 });
        for text in ["100", "0.25", "1.0", "5-7"] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn fractions_are_rounded_up_and_ranges_leave_their_end_out() {
        assert_eq!(Limit::Fraction(0.1).range(11), 0..2);
        assert_eq!(Limit::Fraction(0.5).range(0), 0..0);
        assert_eq!(Limit::Range { start: 2, end: 4 }.range(0), 2..4);
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["", "-1", "1.5", "0.0", "nan", "inf", "5-5", "7-5", "a-b", "ten", "1e-3-2"] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        insta::assert_snapshot!("1.5".parse::<Limit>().unwrap_err(), @"`1.5` is not a limit, expected a count (100), a fraction up to 1 (0.1) or a range (100-200)");
    }
}
