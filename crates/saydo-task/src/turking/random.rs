//! The streams behind the draws. Each task draws from one of its own: leaving one task out does not change the others.

use saydo_random::{SplitMix64, mix};

pub(crate) struct Random(SplitMix64);

impl Random {
    /// The stream called `name` under a seed. The name is mixed in by the 64-bit FNV-1a hash.
    pub(crate) fn stream(seed: u64, name: &str) -> Self {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Random(SplitMix64::seeded(mix(seed) ^ hash))
    }

    /// A number below `n`, which must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// The numbers below `n` in a random order.
    pub(crate) fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for end in (1..n).rev() {
            order.swap(end, self.below(end + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let first = |seed, name| Random::stream(seed, name).0.word();
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
    }

    #[test]
    fn a_shuffle_holds_every_number_once() {
        let mut order = Random::stream(0, "").shuffled(50);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
        assert!(Random::stream(0, "").shuffled(0).is_empty());
    }
}
