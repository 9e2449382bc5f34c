//! SplitMix64 (Steele, Lea and Flood, 2014), written out so that no dependency can ever change what a seed gives: splits,
//! intervals, samples and dropped values that were published must come out the same.
//!
//! Where nothing published depends on the numbers, `rand_chacha` serves.
//!
//! ```
//! let mut random = saydo_random::SplitMix64::seeded(1_234_567);
//! assert_eq!(random.word(), 6_457_827_717_110_365_317);
//! ```

/// What the state grows by: 2⁶⁴ divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small generator of evenly spread 64-bit words.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        word
    }

    /// A number below `n`, which must not be 0. The bias is at most `n` in 2⁶⁴.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A number below `n`, which must not be 0, each exactly as likely: words of the last, incomplete stretch are drawn again.
    pub fn below_exactly(&mut self, n: usize) -> usize {
        let n = n as u64;
        let complete = u64::MAX - u64::MAX % n;
        loop {
            let word = self.word();
            if word < complete {
                return (word % n) as usize;
            }
        }
    }
}

/// A word that follows from another and looks like any: the first one of the generator with this seed.
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
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
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn small_numbers_come_up_evenly() {
        for below in [SplitMix64::below, SplitMix64::below_exactly] {
            let mut random = SplitMix64::seeded(0);
            let mut counts = [0_u32; 6];
            for _ in 0..60_000 {
                counts[below(&mut random, 6)] += 1;
            }
            assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
        }
    }
}
