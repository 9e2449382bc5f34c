//! A sequence in flight: what is computed, what is to be computed, and for which rows logits are wanted.

use crate::cache::SequenceCache;

/// A sequence that a job owns.
pub(super) struct Sequence {
    /// What it attends to.
    pub cache: SequenceCache,
    /// Tokens whose rows are still to be computed.
    feed: Vec<u32>,
    /// How many of the last rows of the feed want logits.
    wanted: usize,
}

impl Sequence {
    /// A sequence that computes `feed` and gives logits for its last `wanted` rows.
    pub fn new(cache: SequenceCache, feed: Vec<u32>, wanted: usize) -> Self {
        debug_assert!(wanted <= feed.len());
        Self { cache, feed, wanted }
    }

    /// Sets the next tokens to compute, of whose rows the last wants logits.
    pub fn feed(&mut self, tokens: Vec<u32>) {
        (self.feed, self.wanted) = (tokens, 1);
    }

    /// Rows that are still to be computed.
    pub fn waiting(&self) -> usize {
        self.feed.len()
    }

    /// Takes the next `count` tokens, and says how many of their rows at the end want logits.
    pub fn take(&mut self, count: usize) -> (Vec<u32>, usize) {
        let rest = self.feed.split_off(count);
        let taken = std::mem::replace(&mut self.feed, rest);
        let wanted_later = self.wanted.min(self.feed.len());
        let wanted = self.wanted - wanted_later;
        self.wanted = wanted_later;
        (taken, wanted)
    }
}
