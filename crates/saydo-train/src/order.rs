//! Which examples are learned from when: seeded, and known for every step without having gone through those before.

use crate::Tokens;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use std::collections::BTreeMap;
use std::ops::Range;

/// The order of examples, epoch by epoch.
///
/// In each epoch the examples of a task are shuffled and cut into bundles, and all bundles are shuffled; a step takes
/// the next bundles until it has its examples. Bundles keep a task's examples together, so that they can share their
/// instruction.
#[derive(Debug, Clone)]
pub struct Order {
    by_task: Vec<Vec<usize>>,
    per_task: usize,
    batch: usize,
    seed: u64,
}

impl Order {
    /// The order of these examples.
    pub fn new(examples: &[Tokens], per_task: usize, batch: usize, seed: u64) -> Self {
        let mut by_task: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, example) in examples.iter().enumerate() {
            by_task.entry(example.task).or_default().push(number);
        }
        let by_task = by_task.into_values().collect();
        Self { by_task, per_task: per_task.max(1), batch: batch.max(1), seed }
    }

    /// The examples of every step from the first one on, without end. There must be at least one example.
    pub fn steps(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        self.steps_of(0..u64::MAX)
    }

    /// How many steps it takes to go through all examples so many times. An epoch may end within a step.
    pub fn steps_in(&self, epochs: usize) -> usize {
        self.steps_of(0..epochs as u64).count()
    }

    fn steps_of(&self, epochs: Range<u64>) -> impl Iterator<Item = Vec<usize>> + '_ {
        let mut bundles = epochs.flat_map(|epoch| self.bundles(epoch)).peekable();
        std::iter::from_fn(move || {
            let mut step = bundles.next()?;
            while bundles.peek().is_some_and(|next| step.len() + next.len() <= self.batch) {
                step.extend(bundles.next()?);
            }
            Some(step)
        })
    }

    fn bundles(&self, epoch: u64) -> Vec<Vec<usize>> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(epoch);
        let mut bundles: Vec<Vec<usize>> = Vec::new();
        for task in &self.by_task {
            let mut task = task.clone();
            shuffle(&mut task, &mut random);
            bundles.extend(task.chunks(self.per_task).map(<[usize]>::to_vec));
        }
        shuffle(&mut bundles, &mut random);
        bundles
    }
}

/// Puts items into an order that the generator gives: Fisher and Yates. Written out, because an order must not change when
/// a library does.
pub fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        let chosen = (random.next_u64() % (last as u64 + 1)) as usize;
        items.swap(last, chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(tasks: &[usize]) -> Vec<Tokens> {
        tasks.iter().map(|task| Tokens { task: *task, prompt: vec![1], output: vec![2], held_to: None }).collect()
    }

    #[test]
    fn an_epoch_has_every_example_once_and_the_seed_gives_the_order() {
        let examples = examples(&[0, 0, 0, 1, 1, 2, 2, 2, 2, 2]);
        let order = |seed| Order::new(&examples, 2, 4, seed);
        let first: Vec<Vec<usize>> = order(1).steps().take(6).collect();
        assert_eq!(first, order(1).steps().take(6).collect::<Vec<_>>());
        assert_ne!(first, order(2).steps().take(6).collect::<Vec<_>>());
        let mut epoch: Vec<usize> = order(1).bundles(0).concat();
        assert_ne!(epoch, order(1).bundles(1).concat());
        epoch.sort_unstable();
        assert_eq!(epoch, (0..10).collect::<Vec<_>>());
        assert!(first.iter().all(|step| step.len() <= 4));
        assert_eq!((order(1).steps_in(0), Order::new(&examples, 1, 4, 1).steps_in(2)), (0, 5));
    }
}
