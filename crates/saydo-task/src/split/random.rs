//! The draw behind random splits: a stream of SplitMix64 and a Fisher–Yates shuffle.

use saydo_file::digest::Sum;
use saydo_random::SplitMix64;

/// A generator. Every named stream of a seed is independent of the others, so that what is drawn in
/// one category does not depend on which other categories there are.
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64, stream: &str) -> Self {
        let mut sum = Sum::default();
        sum.update(seed.to_le_bytes());
        sum.update(stream);
        let digest = sum.bytes();
        let first = digest[..8].try_into().expect("a SHA-256 digest has 32 bytes");
        Random(SplitMix64::seeded(u64::from_le_bytes(first)))
    }

    /// Puts a list into random order: from the last place down, each gets one of those not yet placed.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.0.below_exactly(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_this_order_for_ever() {
        let mut items: Vec<u32> = (0..10).collect();
        Random::new(0, "").shuffle(&mut items);
        insta::assert_compact_debug_snapshot!(items, @"[3, 5, 2, 4, 7, 6, 1, 8, 0, 9]");
    }

    #[test]
    fn streams_and_seeds_differ() {
        let draw = |seed, stream| Random::new(seed, stream).0.word();
        assert_ne!(draw(0, "a"), draw(0, "b"));
        assert_ne!(draw(0, "a"), draw(1, "a"));
    }
}
