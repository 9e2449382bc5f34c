//! How the tokens of a vocabulary fare in the midst of free text, worked out once per vocabulary.
//!
//! Almost every token can go on with free text, and it is always the same ones. Finding them anew for every mask would
//! mean to walk the whole vocabulary.

use super::Line;
use crate::allowed::Allowed;
use crate::trie::Trie;
use crate::{Escape, Vocabulary};

/// The tokens by what they do in free text.
pub(crate) struct LineTokens {
    /// Those that go on with it.
    inside: Allowed,
    /// The same with how many characters they begin, most first.
    chars: Vec<(usize, u32)>,
    /// Those that begin as free text does and then leave it.
    leaving: Trie,
}

impl LineTokens {
    /// Sorts the tokens of a vocabulary.
    pub fn new(vocabulary: &Vocabulary, escape: Escape) -> LineTokens {
        let mut inside = Allowed::none(vocabulary.len());
        let mut chars = vec![];
        let mut leaving = vec![false; vocabulary.len()];
        for token in 0..vocabulary.len() as u32 {
            let bytes = vocabulary.bytes(token);
            let mut line = Line::START;
            let mut may_leave = false;
            let stays = bytes.iter().all(|&byte| {
                let next = line.step(byte, usize::MAX, escape);
                next.inspect(|next| (line, may_leave) = (*next, may_leave || next.may_end())).is_some()
            });
            if stays && !bytes.is_empty() {
                inside.insert(token);
                chars.push((line.chars, token));
            }
            leaving[token as usize] = !stays && may_leave;
        }
        chars.sort_unstable_by(|a, b| b.cmp(a));
        let spelling = |token: u32| if leaving[token as usize] { vocabulary.bytes(token) } else { &[] };
        LineTokens { inside, chars, leaving: Trie::new(vocabulary.len(), spelling) }
    }

    /// Whether some token that goes on with free text begins more characters than this.
    pub fn exceed(&self, room: usize) -> bool {
        self.chars.first().is_some_and(|(chars, _)| *chars > room)
    }

    /// Adds the tokens that go on with free text and begin no more characters than this.
    pub fn allow(&self, room: usize, allowed: &mut Allowed) {
        if !self.exceed(room) {
            return allowed.union(&self.inside);
        }
        let mut inside = self.inside.clone();
        self.chars.iter().take_while(|(chars, _)| *chars > room).for_each(|(_, token)| inside.remove(*token));
        allowed.union(&inside);
    }

    /// The tokens that begin as free text does and then leave it.
    pub fn leaving(&self) -> &Trie {
        &self.leaving
    }
}
