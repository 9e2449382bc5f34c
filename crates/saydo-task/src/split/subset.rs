//! Fewer seen tasks, for the curve of scores over the number of training tasks (Natural Instructions, figure 2b).

use super::random::Random;
use super::{Split, Subset};
use crate::Error;

impl Split {
    /// The same split with only the first `count` seen tasks.
    pub fn with_first_seen(self, count: usize) -> Result<Split, Error> {
        self.with_seen(Subset { count, seed: None })
    }

    /// The same split with `count` of the seen tasks, drawn at random. A smaller count with the same seed gives a part
    /// of what a larger one gives, so that points on a curve differ by added tasks only.
    pub fn with_random_seen(self, count: usize, seed: u64) -> Result<Split, Error> {
        self.with_seen(Subset { count, seed: Some(seed) })
    }

    fn with_seen(mut self, subset: Subset) -> Result<Split, Error> {
        if subset.count == 0 || subset.count > self.seen.len() {
            let expected = format!("1 to {}", self.seen.len());
            return Err(Error::BadSplitSize { side: "seen", found: subset.count, expected });
        }
        let mut order: Vec<usize> = (0..self.seen.len()).collect();
        if let Some(seed) = subset.seed {
            Random::new(seed, "seen").shuffle(&mut order);
        }
        let mut is_kept = vec![false; order.len()];
        order.iter().take(subset.count).for_each(|&kept| is_kept[kept] = true);
        let mut is_kept = is_kept.into_iter();
        let (seen, dropped) = self.seen.into_iter().partition(|_| is_kept.next() == Some(true));
        self.seen = seen;
        let dropped: Vec<super::TaskRef> = dropped;
        self.left_out.extend(dropped.into_iter().map(|task| task.id));
        self.left_out.sort();
        self.subset = Some(subset);
        // What was shared with the tasks left out may no longer be shared.
        self.shared_texts = None;
        Ok(self)
    }
}
