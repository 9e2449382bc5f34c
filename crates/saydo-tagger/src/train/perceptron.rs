//! Fits the chain with the averaged perceptron of Collins (2002): tag a sentence, and where the tags are wrong, move one
//! unit of weight from the wrong sequence to the right one. Kept as the rival that the shipped method is measured against.

use super::dataset::{Dataset, Example};
use super::random::Random;
use super::{Model, Settings};
use crate::Tag;
use crate::viterbi::{Scores, Transitions, best_path};

/// The share of weights that rounding must not clamp; the scale follows from it.
const UNCLAMPED: f64 = 0.999;

/// The largest weight that rounding keeps.
const LIMIT: f32 = 0.7;

/// Weights now, and the same summed with the time at which each change was made, from which the average follows.
struct Learner {
    rows: Vec<Scores>,
    dated_rows: Vec<Scores>,
    transitions: Transitions,
    dated_transitions: Transitions,
    time: i64,
}

/// The weights averaged over all steps. All zero for an empty dataset.
pub(super) fn fit(dataset: &Dataset, settings: &Settings) -> Model {
    let rows = vec![[0; Tag::COUNT]; dataset.keys.len()];
    let transitions = [[0; Tag::COUNT]; Tag::COUNT + 1];
    let mut learner = Learner { dated_rows: rows.clone(), rows, transitions, dated_transitions: transitions, time: 0 };
    let mut random = Random::new(settings.seed);
    let mut order: Vec<&Example> = dataset.examples.iter().collect();
    for _ in 0..settings.passes {
        random.shuffle(&mut order);
        for example in &order {
            learner.learn(example);
        }
    }
    learner.average()
}

impl Learner {
    fn learn(&mut self, example: &Example) {
        self.time += 1;
        let emissions: Vec<Scores> = example.features.iter().map(|token| self.emission(token)).collect();
        let guess = best_path(&emissions, &self.transitions);
        for (tags, change) in [(&example.tags, 1), (&guess, -1)] {
            let mut from = Tag::COUNT;
            for (position, tag) in tags.iter().copied().enumerate() {
                self.transitions[from][tag] += change;
                self.dated_transitions[from][tag] += change * self.time;
                from = tag;
                if guess[position] != example.tags[position] {
                    self.move_features(&example.features[position], tag, change);
                }
            }
        }
    }

    fn move_features(&mut self, features: &[u32], tag: usize, change: i64) {
        for feature in features {
            self.rows[*feature as usize][tag] += change;
            self.dated_rows[*feature as usize][tag] += change * self.time;
        }
    }

    fn emission(&self, features: &[u32]) -> Scores {
        let mut sum = [0; Tag::COUNT];
        for feature in features {
            for (score, weight) in sum.iter_mut().zip(&self.rows[*feature as usize]) {
                *score += weight;
            }
        }
        sum
    }

    /// A change made at time t has been in force for `time + 1 - t` of the `time` steps.
    fn average(&self) -> Model {
        let steps = self.time.max(1) as f64;
        let mean = |now: i64, dated: i64| ((now * (self.time + 1) - dated) as f64 / steps) as f32;
        let row = |(now, dated): (&Scores, &Scores)| std::array::from_fn(|tag| mean(now[tag], dated[tag]));
        let pairs = |from: usize| row((&self.transitions[from], &self.dated_transitions[from]));
        let mut model = Model {
            rows: self.rows.iter().zip(&self.dated_rows).map(row).collect(),
            transitions: std::array::from_fn(pairs),
        };
        model.bring_to_range();
        model
    }
}

impl Model {
    /// The perceptron's weights have no unit, so they may be scaled to what rounding keeps best.
    fn bring_to_range(&mut self) {
        let weights = self.rows.iter().flatten().map(|weight| weight.abs());
        let mut sizes: Vec<f32> = weights.filter(|size| *size > 0.0).collect();
        sizes.sort_by(f32::total_cmp);
        let Some(bound) = sizes.get((sizes.len() as f64 * UNCLAMPED) as usize) else {
            return;
        };
        for row in self.rows.iter_mut().chain(&mut self.transitions) {
            *row = row.map(|weight| weight * LIMIT / bound);
        }
    }
}
