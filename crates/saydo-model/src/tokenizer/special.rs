//! Special tokens are cut out of a text before anything else is done with it.
//!
//! The longest goes first, over the whole text, and so on down, as in llama.cpp: where two could start, a longer one
//! further right wins over a shorter one. Gemma has thousands of them, so the text is first searched once for those
//! that occur at all.

use super::vocabulary::{Kind, Vocabulary};
use std::collections::BTreeSet;

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Text without special tokens.
    Text(&'t str),
    /// A special token.
    Token(u32),
}

/// The special tokens of a vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Specials {
    /// The lengths that special tokens have, by their first byte.
    lengths: Vec<BTreeSet<usize>>,
}

impl Specials {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut lengths = vec![BTreeSet::new(); 256];
        for text in vocabulary.special().filter_map(|id| vocabulary.text(id)) {
            if let Some(first) = text.bytes().next() {
                lengths[usize::from(first)].insert(text.len());
            }
        }
        Self { lengths }
    }

    /// Cuts `text`. Without `special`, control tokens and the unknown token stay text.
    pub(super) fn cut<'t>(&self, text: &'t str, special: bool, vocabulary: &Vocabulary) -> Vec<Piece<'t>> {
        let mut pieces = if text.is_empty() { Vec::new() } else { vec![Piece::Text(text)] };
        for (token, id) in self.occurring(text, special, vocabulary) {
            pieces = pieces.iter().flat_map(|piece| split(*piece, token, id)).collect();
        }
        pieces
    }

    /// The special tokens that occur in `text`, the longest first, and the first in the vocabulary among equals.
    fn occurring<'t>(&self, text: &'t str, special: bool, vocabulary: &Vocabulary) -> Vec<(&'t str, u32)> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for (at, byte) in text.bytes().enumerate() {
            for len in &self.lengths[usize::from(byte)] {
                let Some(token) = text.get(at..at + len) else { continue };
                let Some(id) = vocabulary.id_of(token.as_bytes()) else { continue };
                let wanted = vocabulary.kind(id).is_some_and(|kind| is_wanted(kind, special));
                if wanted && seen.insert(id) {
                    found.push((token, id));
                }
            }
        }
        found.sort_by_key(|(token, id)| (std::cmp::Reverse(token.len()), *id));
        found
    }
}

fn is_wanted(kind: Kind, special: bool) -> bool {
    if special { kind.is_special() } else { kind == Kind::UserDefined }
}

/// The piece with every `token` in it cut out.
fn split<'t>(piece: Piece<'t>, token: &str, id: u32) -> Vec<Piece<'t>> {
    let Piece::Text(text) = piece else { return vec![piece] };
    let mut pieces = Vec::new();
    for (index, part) in text.split(token).enumerate() {
        if index > 0 {
            pieces.push(Piece::Token(id));
        }
        if !part.is_empty() {
            pieces.push(Piece::Text(part));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::Spelling;
    use super::*;

    fn pieces(text: &str, special: bool) -> Vec<Piece<'_>> {
        let tokens = [
            ("<a>", Kind::Control),
            ("<a><b>", Kind::Control),
            ("><", Kind::UserDefined),
            ("<unk>", Kind::Unknown),
            ("<n>", Kind::Normal),
            ("\n\n", Kind::UserDefined),
            ("b><b>", Kind::UserDefined),
        ];
        let vocabulary = Vocabulary::new(tokens.into_iter(), Spelling::ByteLevel).unwrap();
        Specials::new(&vocabulary).cut(text, special, &vocabulary)
    }

    #[test]
    fn the_longest_is_cut_out_first_wherever_it_starts() {
        use Piece::{Text, Token};
        assert_eq!(pieces("x<a><b>y<a>", true), [Text("x"), Token(1), Text("y"), Token(0)]);
        assert_eq!(pieces("<a>b><b>", true), [Token(0), Token(6)]);
        assert_eq!(pieces("b><a>", true), [Text("b>"), Token(0)]);
    }

    #[test]
    fn control_tokens_stay_text_unless_asked_for() {
        use Piece::{Text, Token};
        assert_eq!(pieces("<a>\n\n\n<unk>", false), [Text("<a>"), Token(5), Text("\n<unk>")]);
        assert_eq!(pieces("<n>", true), [Text("<n>")]);
        assert!(pieces("", true).is_empty());
        assert_eq!(pieces("日<a", true), [Text("日<a")]);
    }
}
