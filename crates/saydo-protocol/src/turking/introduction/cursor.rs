//! A place in a text that moves on over words and signs.

use crate::turking::word::words;

const OPENING: [char; 2] = ['"', '“'];
const CLOSING: [char; 2] = ['"', '”'];

/// A sentence with more quotes in it than this is not looked for.
const MAX_QUOTES: usize = 20;

/// Where reading has come to. A copy is a place to go back to.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor { rest: text.trim_start() }
    }

    /// What is still to be read, without space in front.
    pub(super) fn rest(self) -> &'t str {
        self.rest
    }

    fn go_to(&mut self, rest: &'t str) {
        self.rest = rest.trim_start();
    }

    /// Moves over the next word if it is one of `words`, in any case.
    pub(super) fn word(&mut self, words: &[&str]) -> bool {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && !"-'’".contains(c)).unwrap_or(self.rest.len());
        let (next, rest) = self.rest.split_at(end);
        let is_next = words.iter().any(|word| next.eq_ignore_ascii_case(word));
        if is_next {
            self.go_to(rest);
        }
        is_next
    }

    /// Moves over the next words if they are `words`.
    pub(super) fn words(&mut self, words: &[&str]) -> bool {
        let start = *self;
        let are_next = words.iter().all(|word| self.word(&[word]));
        if !are_next {
            *self = start;
        }
        are_next
    }

    /// Moves over the next sign if it is one of `signs`.
    pub(super) fn sign(&mut self, signs: &[char]) -> bool {
        let rest = self.rest.strip_prefix(signs);
        if let Some(rest) = rest {
            self.go_to(rest);
        }
        rest.is_some()
    }

    /// Whether a quote comes next.
    pub(super) fn is_at_quote(self) -> bool {
        self.rest.starts_with(OPENING)
    }

    /// Moves over `text` in quotes, and a comma after it. Case and the punctuation around words do not matter: a model
    /// that quotes a sentence often leaves its full stop out.
    pub(super) fn quoted(&mut self, text: &str) -> bool {
        let Some(inside) = self.rest.strip_prefix(OPENING) else { return false };
        let wanted = words(text);
        let closing = inside.match_indices(CLOSING).take(MAX_QUOTES);
        let is_text = |(at, _): &(usize, &str)| words(&inside[..*at]) == wanted;
        let rest = closing.into_iter().find(is_text).map(|(at, quote)| &inside[at + quote.len()..]);
        if let Some(rest) = rest {
            self.go_to(rest.strip_prefix(',').unwrap_or(rest));
        }
        rest.is_some()
    }
}
