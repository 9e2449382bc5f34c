//! How many requests one server is given at once: more, one at a time, while it answers as fast as before; half as many
//! when it says that it is overloaded.

use std::time::Duration;

/// Where a server starts, unless the bound is lower.
const FIRST: f64 = 4.0;
/// How much of the mean a new latency makes up.
const WEIGHT: f64 = 0.2;
/// A mean latency of so many times the best one is one that suffers.
const SUFFERING: f64 = 2.0;
/// So many answers are awaited before any mean counts as the best one: the first may be short, or the server idle.
const FIRST_ANSWERS: u32 = 8;

/// How many requests a server is given at once.
#[derive(Debug, Clone)]
pub(crate) struct Concurrency {
    limit: f64,
    bound: f64,
    mean: Option<f64>,
    best: f64,
    /// Answers since the last cut.
    answers: u32,
    /// Requests below this number began before the last cut, so their trouble is known already.
    cut_at: u64,
}

impl Concurrency {
    pub(crate) fn new(bound: usize) -> Self {
        let bound = bound.max(1) as f64;
        Self { limit: FIRST.min(bound), bound, mean: None, best: f64::INFINITY, answers: 0, cut_at: 0 }
    }

    /// How many requests may be in flight.
    pub(crate) fn limit(&self) -> usize {
        self.limit as usize
    }

    /// A request was answered after `latency`. `was_full` says whether there was no more room when it began: a room
    /// that is not used up says nothing about a greater one.
    pub(crate) fn answered(&mut self, latency: Duration, was_full: bool) {
        let latency = latency.as_secs_f64();
        let mean = self.mean.map_or(latency, |mean| mean + WEIGHT * (latency - mean));
        self.mean = Some(mean);
        self.answers = self.answers.saturating_add(1);
        if self.answers >= FIRST_ANSWERS {
            self.best = self.best.min(mean);
        }
        if was_full && mean <= SUFFERING * self.best {
            // One more for each round of answers.
            self.limit = (self.limit + 1.0 / self.limit).min(self.bound);
        }
    }

    /// Request number `number` met an overload; `next` is the number of the next request.
    pub(crate) fn overloaded(&mut self, number: u64, next: u64) {
        if number >= self.cut_at {
            self.limit = (self.limit / 2.0).max(1.0);
            (self.cut_at, self.answers, self.best) = (next, 0, f64::INFINITY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(concurrency: &mut Concurrency, rounds: usize, latency: impl Fn(usize) -> f64) {
        for _ in 0..rounds {
            let limit = concurrency.limit();
            (0..limit).for_each(|_| concurrency.answered(Duration::from_secs_f64(latency(limit)), true));
        }
    }

    #[test]
    fn grows_by_about_one_a_round_up_to_the_bound() {
        let mut concurrency = Concurrency::new(32);
        assert_eq!(concurrency.limit(), 4);
        rounds(&mut concurrency, 4, |_| 1.0);
        assert!((7..=8).contains(&concurrency.limit()), "{}", concurrency.limit());
        rounds(&mut concurrency, 60, |_| 1.0);
        assert_eq!(concurrency.limit(), 32);
        assert_eq!(Concurrency::new(2).limit(), 2);
    }

    #[test]
    fn does_not_grow_when_requests_take_longer_for_it() {
        // Every request above eight waits for its turn.
        let mut concurrency = Concurrency::new(1000);
        rounds(&mut concurrency, 200, |limit| 1.0 + limit.saturating_sub(8) as f64);
        assert!((8..16).contains(&concurrency.limit()), "{}", concurrency.limit());
    }

    #[test]
    fn concurrency_that_is_not_used_does_not_grow() {
        let mut concurrency = Concurrency::new(32);
        (0..100).for_each(|_| concurrency.answered(Duration::from_secs(1), false));
        assert_eq!(concurrency.limit(), 4);
    }

    #[test]
    fn an_overload_halves_it_once_for_all_that_were_under_way() {
        let mut concurrency = Concurrency::new(8);
        rounds(&mut concurrency, 20, |_| 1.0);
        assert_eq!(concurrency.limit(), 8);
        (10..18).for_each(|number| concurrency.overloaded(number, 18));
        assert_eq!(concurrency.limit(), 4);
        (18..30).for_each(|number| concurrency.overloaded(number, number + 1));
        assert_eq!(concurrency.limit(), 1, "never less than one");
        rounds(&mut concurrency, 20, |_| 1.0);
        assert_eq!(concurrency.limit(), 8, "and it recovers");
    }
}
