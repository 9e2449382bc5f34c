//! Ordinal numbers as the instructions write them.
//!
//! The appendix does not say whether the tasks read `4th` or `fourth`; the paper's introduction has `fourth`, so that
//! is the default.

const UNITS: [&str; 20] = [
    "",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TENS: [&str; 10] =
    ["", "", "twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"];
const TENS_BEFORE_UNIT: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// How an ordinal number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ordinal {
    /// `fourth`, `twenty-first`; digits from 100 on.
    #[default]
    Words,
    /// `4th`, `21st`.
    Digits,
}

impl Ordinal {
    /// Both ways.
    pub const ALL: [Ordinal; 2] = [Ordinal::Words, Ordinal::Digits];

    /// The word for this way on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Ordinal::Words => "words",
            Ordinal::Digits => "digits",
        }
    }

    /// Writes `n`.
    ///
    /// ```
    /// use saydo_task::turking::Ordinal;
    ///
    /// assert_eq!((Ordinal::Words.write(32), Ordinal::Digits.write(32)), ("thirty-second".into(), "32nd".into()));
    /// ```
    pub fn write(self, n: usize) -> String {
        match self {
            Ordinal::Words if (1..20).contains(&n) => UNITS[n].to_owned(),
            Ordinal::Words if (20..100).contains(&n) && n.is_multiple_of(10) => TENS[n / 10].to_owned(),
            Ordinal::Words if (20..100).contains(&n) => format!("{}-{}", TENS_BEFORE_UNIT[n / 10], UNITS[n % 10]),
            _ => format!("{n}{}", suffix(n)),
        }
    }

    /// The number that `text` writes, in either way and any case; none if it is no ordinal number.
    pub fn parse(text: &str) -> Option<usize> {
        let text = text.to_lowercase();
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        if let Ok(n) = digits.parse() {
            return (Ordinal::Digits.write(n) == text).then_some(n);
        }
        (1..100).find(|&n| Ordinal::Words.write(n) == text)
    }
}

impl std::str::FromStr for Ordinal {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Ordinal::ALL.into_iter().find(|ordinal| ordinal.name() == name);
        known.ok_or_else(|| format!("found `{name}`, expected `words` or `digits`"))
    }
}

fn suffix(n: usize) -> &'static str {
    match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_english_has_them() {
        let words: Vec<_> = [1, 4, 12, 20, 21, 32, 40].map(|n| Ordinal::Words.write(n)).into();
        assert_eq!(words, ["first", "fourth", "twelfth", "twentieth", "twenty-first", "thirty-second", "fortieth"]);
        let digits: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 40, 111].map(|n| Ordinal::Digits.write(n)).into();
        assert_eq!(digits, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "40th", "111th"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        for ordinal in Ordinal::ALL {
            assert!((0..1000).all(|n| Ordinal::parse(&ordinal.write(n)) == Some(n)));
        }
        assert_eq!(Ordinal::parse("Twenty-First"), Some(21));
    }

    #[test]
    fn other_text_is_no_ordinal() {
        for text in ["", "4", "4st", "four", "twenty first", "th", "é4th", "99999999999999999999999th"] {
            assert_eq!(Ordinal::parse(text), None, "{text}");
        }
    }
}
