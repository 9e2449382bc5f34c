//! Texts that each stand in the page once: prompts begin alike, runs share inputs, and many replies are the same.

use rustc_hash::FxHashMap;

/// A number for each text.
#[derive(Debug, Default)]
pub(super) struct Strings<'a> {
    places: FxHashMap<&'a str, usize>,
    texts: Vec<&'a str>,
    bytes: usize,
}

impl<'a> Strings<'a> {
    /// The number of a text.
    pub fn place(&mut self, text: &'a str) -> usize {
        *self.places.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.bytes += text.len();
            self.texts.len() - 1
        })
    }

    /// The number of a text, or -1 if there is none.
    pub fn optional(&mut self, text: Option<&'a str>) -> isize {
        text.map_or(-1, |text| self.place(text) as isize)
    }

    /// All texts, by their numbers.
    pub fn texts(&self) -> &[&'a str] {
        &self.texts
    }

    /// How long they are together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_has_the_same_number() {
        let mut strings = Strings::default();
        assert_eq!([strings.place("a"), strings.place("bc"), strings.place("a")], [0, 1, 0]);
        assert_eq!((strings.optional(None), strings.optional(Some("bc"))), (-1, 1));
        assert_eq!((strings.texts(), strings.bytes()), (&["a", "bc"][..], 3));
    }
}
