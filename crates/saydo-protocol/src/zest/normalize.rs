//! Words of a span after normalization, and the bags they form.
//!
//! The rules are those of the DROP metric (Dua and others, 2019) as the ZEST scorer copies them: rules Z8 and Z9 of
//! docs/metrics.md. They differ from the usual normalization in splitting at hyphens first, in turning numbers
//! into floats, and in bags being sets.

use std::borrow::Cow;

use saydo_metrics::python::{float_repr, is_punctuation, is_word, lower, parse_float, split_space};

use super::repair::{Repairs, quirk};

const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// The text in lower case without punctuation and articles, numbers as floats, one space between words.
///
/// ```
/// use saydo_protocol::zest::{Repairs, normalize};
///
/// assert_eq!(normalize("The Grand-Canyon, $5,000", Repairs::NONE), "grand canyon 5000.0");
/// ```
pub fn normalize(text: &str, repairs: Repairs) -> String {
    let mut normalized = String::with_capacity(text.len());
    for_each_word(text, repairs, |word| {
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.push_str(word);
    });
    normalized
}

/// The distinct words of a normalized span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bag {
    /// In order, each once.
    words: Vec<String>,
    /// Those that are numbers.
    numbers: Vec<String>,
}

impl Bag {
    /// The bag of a span.
    pub fn new(span: &str, repairs: Repairs) -> Self {
        let mut words = Vec::new();
        for_each_word(span, repairs, |word| words.push(word.to_owned()));
        words.sort_unstable();
        words.dedup();
        let numbers = words.iter().filter(|word| number(word).is_some()).cloned().collect();
        Bag { words, numbers }
    }

    /// The distinct words, in order.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The distinct words that are numbers, in order.
    pub fn numbers(&self) -> &[String] {
        &self.numbers
    }

    /// How many words both bags have.
    pub fn overlap(&self, other: &Bag) -> usize {
        self.words.iter().filter(|word| other.words.binary_search(word).is_ok()).count()
    }
}

fn for_each_word(text: &str, repairs: Repairs, mut visit: impl FnMut(&str)) {
    // Only these two characters part pieces; other white space and dashes stay inside.
    for piece in text.split([' ', '-']).filter(|piece| !piece.is_empty()) {
        let bare = bare_piece(lower(piece), repairs);
        split_space(&without_articles(&bare)).for_each(&mut visit);
    }
}

/// A lower-case piece as a number if it is one, before or after its punctuation is gone.
fn bare_piece(mut piece: String, repairs: Repairs) -> String {
    let wrapped = || repairs.has(quirk::PERCENT).then(|| wrapped_number(&piece)).flatten();
    if let Some(number) = number(&piece).or_else(wrapped) {
        return float_repr(number);
    }
    if !piece.contains(is_punctuation) {
        return piece;
    }
    // The reference deletes the point of `5.5%` here and reads 55 (Q6).
    piece.retain(|c| !is_punctuation(c));
    number(&piece).map(float_repr).unwrap_or(piece)
}

/// [`parse_float`], with most words told apart by their first letter: of all letters only those of `inf` and `nan` start
/// a number.
fn number(text: &str) -> Option<f64> {
    match text.as_bytes().first() {
        Some(b'a'..=b'h' | b'j'..=b'm' | b'o'..=b'z') => None,
        _ => parse_float(text),
    }
}

/// The repair of Q6: a number with punctuation around it and commas inside, such as `$2,500.75` or `5.5%`.
fn wrapped_number(piece: &str) -> Option<f64> {
    let end = piece.trim_end_matches(is_punctuation);
    let core = end.trim_start_matches(is_punctuation);
    core.starts_with(char::is_numeric).then_some(())?;
    let point = if end[..end.len() - core.len()].ends_with('.') { "." } else { "" };
    parse_float(&format!("{point}{}", core.replace(',', "")))
}

/// The text with a space for each article that is a whole word.
fn without_articles(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_word) {
        return Cow::Borrowed(if ARTICLES.contains(&text) { "" } else { text });
    }
    let mut content = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (gap, after) = rest.split_at(start);
        let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
        let (word, tail) = after.split_at(end);
        content.push_str(gap);
        content.push_str(if ARTICLES.contains(&word) { " " } else { word });
        rest = tail;
    }
    content.push_str(rest);
    Cow::Owned(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pieces_part_at_spaces_and_hyphens_only() {
        let cases = [
            ("well-known  Park", "well known park"),
            ("tab\tinside a\tpiece", "tab inside piece"),
            ("long–dash", "long–dash"),
            ("a–the–b", "– –b"),
            ("the", ""),
            ("n/a", "na"),
            ("a\u{301}b", "\u{301}b"),
        ];
        for (text, normalized) in cases {
            assert_eq!(normalize(text, Repairs::NONE), normalized, "{text}");
        }
    }

    #[test]
    fn numbers_become_floats_after_punctuation_is_gone() {
        let cases = [
            ("5.5", "5.5"),
            ("5.5%", "55.0"),
            ("$5,000", "5000.0"),
            ("-5", "5.0"),
            ("1e-5", "1e 5.0"),
            ("1_000", "1000.0"),
            ("Infinity", "inf"),
            ("\"nan\"", "nan"),
        ];
        for (text, normalized) in cases {
            assert_eq!(normalize(text, Repairs::NONE), normalized, "{text}");
        }
    }

    #[test]
    fn repaired_numbers_keep_their_point() {
        let repairs = Repairs::NONE.with(quirk::PERCENT);
        let cases = [
            ("5.5%", "5.5"),
            ("$2,500.75,", "2500.75"),
            ("($.50)", "0.5"),
            ("U.S.", "us"),
            ("1.2.3", "123.0"),
            ("%", ""),
            ("'nan'", "nan"),
        ];
        for (text, normalized) in cases {
            assert_eq!(normalize(text, repairs), normalized, "{text}");
        }
    }

    #[test]
    fn a_bag_holds_each_word_once_and_knows_its_numbers() {
        let bag = Bag::new("two 2 bears, two bears 2.0", Repairs::NONE);
        assert_eq!(bag.words(), ["2.0", "bears", "two"]);
        assert_eq!(bag.numbers(), ["2.0"]);
    }

    proptest! {
        #[test]
        fn a_bag_is_the_set_of_normalized_words(text in "[aA nthe5.%,\\-–\t]{0,30}") {
            let normalized = normalize(&text, Repairs::NONE);
            let mut words: Vec<&str> = normalized.split_whitespace().collect();
            words.sort_unstable();
            words.dedup();
            let bag = Bag::new(&text, Repairs::NONE);
            prop_assert_eq!(bag.words(), words);
        }
    }
}
