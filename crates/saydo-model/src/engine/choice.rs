//! Which token comes next.

use crate::Error;
use crate::kernel::ops;
use crate::model::Strategy;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Chooses the tokens of one reply.
pub(super) enum Choice {
    /// The most likely one.
    Greedy,
    /// One at random.
    Sample {
        /// Divides the logits.
        temperature: f32,
        /// The part of the probability that is considered.
        top_p: f32,
        /// Numbers from the seed.
        random: Box<ChaCha8Rng>,
    },
}

impl Choice {
    /// The choice a strategy asks for; beam search makes its own.
    pub fn new(strategy: Strategy) -> Result<Self, Error> {
        match strategy {
            Strategy::Greedy | Strategy::Beam { .. } => Ok(Self::Greedy),
            Strategy::Sample { temperature, top_p, seed } => {
                let fits = temperature > 0.0 && temperature.is_finite() && top_p > 0.0 && top_p <= 1.0;
                if !fits {
                    return Err(Error::Sampling { temperature, top_p });
                }
                let random = Box::new(ChaCha8Rng::seed_from_u64(seed));
                Ok(Self::Sample { temperature: temperature as f32, top_p: top_p as f32, random })
            }
        }
    }

    /// A token, or `None` if every logit is minus infinity or not a number.
    pub fn choose(&mut self, logits: &[f32]) -> Option<u32> {
        let best = ops::argmax(logits)?;
        if logits[best] == f32::NEG_INFINITY || logits[best].is_nan() {
            return None;
        }
        match self {
            Self::Greedy => Some(best as u32),
            Self::Sample { temperature, top_p, random } => {
                let mut probabilities: Vec<f32> = logits.iter().map(|logit| logit / *temperature).collect();
                ops::softmax(&mut probabilities);
                let unit = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                Some(sample(&probabilities, *top_p, unit as f32))
            }
        }
    }
}

/// The token at `unit` of the way through the most likely tokens that together reach `top_p`.
fn sample(probabilities: &[f32], top_p: f32, unit: f32) -> u32 {
    // Tokens below this can never be needed to reach top_p: all of them together have less than what may be missing.
    let least = (1.0 - top_p) / probabilities.len() as f32;
    let mut nucleus: Vec<(u32, f32)> =
        (0..).zip(probabilities).filter(|(_, p)| **p >= least && **p > 0.0).map(|(id, p)| (id, *p)).collect();
    nucleus.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut total = 0.0;
    let enough = nucleus.iter().position(|(_, p)| {
        total += p;
        total >= top_p
    });
    nucleus.truncate(enough.map_or(nucleus.len(), |last| last + 1));
    let mut left = unit * nucleus.iter().map(|(_, p)| p).sum::<f32>();
    for (id, p) in &nucleus {
        left -= p;
        if left < 0.0 {
            return *id;
        }
    }
    nucleus.last().map_or(0, |(id, _)| *id)
}

/// Natural logarithm of the probability of `token`, and whether no other is more likely.
pub(super) fn log_prob(logits: &[f32], token: u32) -> (f64, bool) {
    let logit = logits[token as usize];
    let greedy = ops::argmax(logits).is_some_and(|best| logits[best] == logit);
    (f64::from(logit) - f64::from(ops::log_sum_exp(logits)), greedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(temperature: f64, top_p: f64, seed: u64) -> Choice {
        Choice::new(Strategy::Sample { temperature, top_p, seed }).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_tokens() {
        let draw = |seed| {
            let mut choice = sampler(1.0, 1.0, seed);
            (0..50).map(|_| choice.choose(&[0.0, 0.5, 1.0, 0.2]).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn tokens_come_up_by_their_probability() {
        let mut choice = sampler(1.0, 1.0, 1);
        let logits = [0.1_f32, 0.2, 0.7].map(f32::ln);
        let mut counts = [0; 3];
        for _ in 0..20_000 {
            counts[choice.choose(&logits).unwrap() as usize] += 1;
        }
        for (count, p) in counts.into_iter().zip([0.1, 0.2, 0.7]) {
            assert!((f64::from(count) / 20_000.0 - p).abs() < 0.015, "{counts:?}");
        }
    }

    #[test]
    fn the_nucleus_ends_with_the_token_that_reaches_it() {
        let probabilities = [0.05, 0.5, 0.3, 0.15];
        let drawn = |top_p| (0..100).map(|i| sample(&probabilities, top_p, i as f32 / 100.0)).max().unwrap();
        assert_eq!((sample(&probabilities, 0.5, 0.99), sample(&probabilities, 0.51, 0.99)), (1, 2));
        assert_eq!(drawn(0.8), 2);
        assert_eq!(sample(&probabilities, 1.0, 0.999), 0);
    }

    #[test]
    fn settings_out_of_range_are_refused_and_impossible_logits_give_no_token() {
        for (temperature, top_p) in [(0.0, 0.9), (f64::NAN, 0.9), (1.0, 0.0), (1.0, 1.1)] {
            assert!(Choice::new(Strategy::Sample { temperature, top_p, seed: 0 }).is_err());
        }
        assert_eq!(Choice::Greedy.choose(&[f32::NEG_INFINITY; 3]), None);
        assert_eq!(Choice::Greedy.choose(&[f32::NAN; 3]), None);
        assert_eq!(Choice::Greedy.choose(&[]), None);
    }
}
