//! From a token's text to its number: a hash table that holds numbers only and compares texts where they lie.
//!
//! A quarter of a million tokens must be ready in milliseconds; a map with a text of its own per token takes longer to
//! allocate than everything else at load. The hash is keyed at random, since vocabularies come from strangers.

use super::texts::Texts;
use std::hash::{BuildHasher, RandomState};

const FREE: u32 = u32::MAX;

/// An open-addressing hash table of token numbers, at most half full.
#[derive(Debug, Clone)]
pub(super) struct Index {
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Index {
    /// A table with room for `count` tokens.
    pub(super) fn with_room_for(count: usize) -> Self {
        Self { slots: vec![FREE; (count * 2).next_power_of_two().max(2)], hasher: RandomState::new() }
    }

    /// Adds token `id`, or gives the token that has its text already. There must be room.
    pub(super) fn insert(&mut self, id: u32, texts: &Texts) -> Option<u32> {
        let text = texts.get(id)?;
        match self.find(text, texts) {
            Ok(first) => Some(first),
            Err(slot) => {
                self.slots[slot] = id;
                None
            }
        }
    }

    /// The token with this text.
    pub(super) fn get(&self, text: &[u8], texts: &Texts) -> Option<u32> {
        self.find(text, texts).ok()
    }

    /// The token with this text, or the free slot where it would go.
    fn find(&self, text: &[u8], texts: &Texts) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(text) as usize & mask;
        loop {
            match self.slots[slot] {
                FREE => return Err(slot),
                id if texts.get(id) == Some(text) => return Ok(id),
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}
