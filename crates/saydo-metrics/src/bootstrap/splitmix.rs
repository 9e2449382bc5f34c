//! SplitMix64 (Steele, Lea and Flood, 2014), written out so that no dependency can change an interval.

/// A small generator of evenly spread 64-bit words.
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `n`, which must not be 0. The bias, at most `n` in 2^64, is far below what resampling can see.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_published_generator() {
        let mut random = SplitMix64::seeded(1_234_567);
        let words: Vec<u64> = (0..5).map(|_| random.word()).collect();
        assert_eq!(
            words,
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
        );
    }

    #[test]
    fn small_numbers_come_up_evenly() {
        let mut random = SplitMix64::seeded(0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}
