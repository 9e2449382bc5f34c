//! Python's `random` module as far as `choice` goes: the Mersenne Twister MT19937 of Matsumoto and Nishimura (1998).
//!
//! One reference scorer draws an element of a list at random from a generator seeded with 0. To repeat its numbers the
//! whole chain has to be the same: seeding, tempering, and the way a draw becomes an index.

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// A generator whose choices are those of Python's `random.Random(seed)`.
///
/// ```
/// use saydo_metrics::python::Random;
///
/// let mut random = Random::seeded(0);
/// let indices: Vec<_> = (0..4).filter_map(|_| random.choice_index(10)).collect();
/// assert_eq!(indices, [6, 6, 0, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: Box<[u32; WORDS]>,
    next: usize,
}

impl Random {
    /// The generator after `random.seed(seed)`.
    pub fn seeded(seed: u32) -> Self {
        let mut state = Box::new([0_u32; WORDS]);
        state[0] = 19_650_218;
        for i in 1..WORDS {
            state[i] = spread(state[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        // Python seeds by array; the key is the one word `seed`, so its index never moves.
        let mut i = 1;
        for _ in 0..WORDS {
            state[i] = (state[i] ^ spread(state[i - 1]).wrapping_mul(1_664_525)).wrapping_add(seed);
            i = advance(&mut state, i);
        }
        for _ in 1..WORDS {
            state[i] = (state[i] ^ spread(state[i - 1]).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = advance(&mut state, i);
        }
        state[0] = 0x8000_0000;
        Self { state, next: WORDS }
    }

    /// The index that `random.choice` picks from a list of `n`, or `None` for an empty list.
    ///
    /// Draws as many bits as `n` has and tries again while the value is `n` or more, so that even a list of one takes
    /// draws from the generator.
    pub fn choice_index(&mut self, n: usize) -> Option<usize> {
        if n == 0 {
            return None;
        }
        let bits = usize::BITS - n.leading_zeros();
        loop {
            let index = self.bits(bits);
            if index < n as u64 {
                return Some(index as usize);
            }
        }
    }

    /// A value of 1 to 64 random bits; beyond 32 the low word is drawn first.
    fn bits(&mut self, count: u32) -> u64 {
        match count {
            ..=32 => u64::from(self.word() >> (32 - count)),
            _ => u64::from(self.word()) | u64::from(self.word() >> (64 - count)) << 32,
        }
    }

    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn twist(&mut self) {
        for i in 0..WORDS {
            let joined = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % WORDS] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ odd;
        }
    }
}

fn spread(word: u32) -> u32 {
    word ^ (word >> 30)
}

/// The next position to mix; past the end the last word is carried to the front.
fn advance(state: &mut [u32; WORDS], i: usize) -> usize {
    if i + 1 < WORDS {
        return i + 1;
    }
    state[0] = state[WORDS - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(seed: u32, lengths: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut random = Random::seeded(seed);
        lengths.into_iter().filter_map(|n| random.choice_index(n)).collect()
    }

    #[test]
    fn raw_words_are_those_of_python() {
        let mut random = Random::seeded(0);
        let words: Vec<u32> = (0..5).map(|_| random.word()).collect();
        assert_eq!(words, [3626764237, 1654615998, 3255389356, 3823568514, 1806341205]);
        assert_eq!((5..=5000).map(|_| random.word()).last(), Some(3277936397));
    }

    #[test]
    fn a_list_of_one_still_takes_draws() {
        let lengths = [1, 1, 1, 1, 2, 3, 5, 100, 1000, 1 << 31, (1 << 32) - 1];
        assert_eq!(choices(0, lengths), [0, 0, 0, 0, 1, 1, 2, 61, 366, 938204377, 2167613558]);
    }

    #[test]
    fn long_sequences_and_other_seeds_agree() {
        let sevens = choices(0, [7; 2000]);
        assert_eq!(sevens[1995..], [0, 6, 2, 6, 0]);
        assert_eq!(sevens.iter().sum::<usize>(), 5959);
        assert_eq!(choices(u32::MAX, [1000; 5]), [650, 634, 208, 220, 621]);
    }

    #[test]
    fn lists_beyond_32_bits_take_the_low_word_first() {
        let lengths = [1 << 40, 1 << 40, 1 << 40, 1 << 62];
        assert_eq!(choices(0, lengths), [849735321549, 87705687125, 1067347797602, 3302422582397125124]);
        assert!(Random::seeded(0).choice_index(usize::MAX).is_some());
    }

    #[test]
    fn an_empty_list_has_no_choice_and_takes_no_draw() {
        let mut random = Random::seeded(0);
        assert_eq!(random.choice_index(0), None);
        assert_eq!(random.choice_index(10), Some(6));
    }
}
