//! The seeded generator behind the draws: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Written out here, so that no dependency can change which instances a seed gives. Each task draws from a stream of
//! its own: leaving one task out does not change the others.

pub(crate) struct Random(u64);

impl Random {
    /// The stream called `name` under a seed. The name is mixed in by the 64-bit FNV-1a hash.
    pub(crate) fn stream(seed: u64, name: &str) -> Self {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        let mut seeded = Random(seed);
        Random(seeded.word() ^ hash)
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `n`, which must not be 0. The bias is at most `n` in 2^64.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
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
    fn words_are_those_of_the_published_generator() {
        let mut random = Random(1_234_567);
        assert_eq!([random.word(), random.word()], [6457827717110365317, 3203168211198807973]);
    }

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let first = |seed, name| Random::stream(seed, name).word();
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
