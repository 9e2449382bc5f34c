//! The draw behind random splits: SplitMix64 (Steele, Lea and Flood, 2014) and a Fisher–Yates shuffle.
//!
//! Written out here so that no dependency can ever change what a seed gives.

/// A generator of 64-bit words. Every named stream of a seed is independent of the others, so that what is drawn in
/// one category does not depend on which other categories there are.
pub(super) struct Random {
    state: u64,
}

impl Random {
    pub(super) fn new(seed: u64, stream: &str) -> Self {
        use sha2::{Digest, Sha256};
        let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(stream).finalize();
        let first = digest[..8].try_into().expect("a SHA-256 digest has 32 bytes");
        Random { state: u64::from_le_bytes(first) }
    }

    fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely: words of the last, incomplete stretch are drawn again.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let complete = u64::MAX - u64::MAX % bound;
        loop {
            let word = self.word();
            if word < complete {
                return (word % bound) as usize;
            }
        }
    }

    /// Puts a list into random order: from the last place down, each gets one of those not yet placed.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_published_generator() {
        let mut random = Random { state: 1_234_567 };
        let words: Vec<_> = (0..3).map(|_| random.word()).collect();
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_seed_gives_this_order_for_ever() {
        let mut items: Vec<u32> = (0..10).collect();
        Random::new(0, "").shuffle(&mut items);
        insta::assert_compact_debug_snapshot!(items, @"[3, 5, 2, 4, 7, 6, 1, 8, 0, 9]");
    }

    #[test]
    fn streams_and_seeds_differ() {
        let draw = |seed, stream| Random::new(seed, stream).word();
        assert_ne!(draw(0, "a"), draw(0, "b"));
        assert_ne!(draw(0, "a"), draw(1, "a"));
    }
}
