//! Fits the chain as a conditional random field: gradient steps sized by AdaGrad, half of a token's features dropped at
//! random at each step, and the result averaged over the second half of the passes. With 2,000 sentences, dropout and
//! averaging are what keeps rare features from being believed too early.

use super::dataset::{Dataset, Example};
use super::marginal::marginals;
use super::random::Random;
use super::{Model, Settings};
use crate::Tag;

/// Size of a step before AdaGrad scales it.
const RATE: f32 = 0.05;

/// With half of the features dropped, those that remain count twice.
const KEPT_SCALE: f32 = 2.0;

/// Gradients smaller than this move nothing; most of a sentence's are.
const NEGLIGIBLE: f32 = 1e-5;

type Row = [f32; Tag::COUNT];

/// Weights, and the sum of squared gradients of each.
struct Learner {
    model: Model,
    seen: Model,
}

/// The averaged weights. All zero for an empty dataset.
pub(super) fn fit(dataset: &Dataset, settings: &Settings) -> Model {
    let filled = |value: f32| Model {
        rows: vec![[value; Tag::COUNT]; dataset.keys.len()],
        transitions: [[value; Tag::COUNT]; Tag::COUNT + 1],
    };
    let mut learner = Learner { model: filled(0.0), seen: filled(1e-6) };
    let mut average = filled(0.0);
    let mut random = Random::new(settings.seed);
    let mut order: Vec<&Example> = dataset.examples.iter().collect();
    let averaged_passes = settings.passes.div_ceil(2);
    for pass in 0..settings.passes {
        random.shuffle(&mut order);
        for example in &order {
            learner.learn(example, &mut random);
        }
        if pass >= settings.passes - averaged_passes {
            average.add_scaled(&learner.model, 1.0 / averaged_passes as f32);
        }
    }
    average
}

impl Learner {
    fn learn(&mut self, example: &Example, random: &mut Random) {
        let kept: Vec<Vec<u32>> =
            example.features.iter().map(|token| token.iter().copied().filter(|_| random.coin()).collect()).collect();
        let emissions: Vec<Row> = kept.iter().map(|token| self.emission(token)).collect();
        let mut belief = marginals(&emissions, &self.model.transitions);
        // From here on, what is believed less what is true: the gradient.
        let starts = [Tag::COUNT].into_iter().chain(example.tags.iter().copied());
        for (from, to) in starts.zip(&example.tags) {
            belief.transitions[from][*to] -= 1.0;
        }
        for (row, tag) in belief.tags.iter_mut().zip(&example.tags) {
            row[*tag] -= 1.0;
        }
        for (from, gradient) in belief.transitions.iter().enumerate() {
            let (weights, seen) = (&mut self.model.transitions[from], &mut self.seen.transitions[from]);
            step(weights, seen, gradient, example.weight);
        }
        for (token, gradient) in kept.iter().zip(&belief.tags) {
            for feature in token {
                let (weights, seen) = (&mut self.model.rows[*feature as usize], &mut self.seen.rows[*feature as usize]);
                step(weights, seen, gradient, example.weight * KEPT_SCALE);
            }
        }
    }

    fn emission(&self, features: &[u32]) -> Row {
        let mut sum = [0.0; Tag::COUNT];
        for feature in features {
            for (score, weight) in sum.iter_mut().zip(&self.model.rows[*feature as usize]) {
                *score += weight * KEPT_SCALE;
            }
        }
        sum
    }
}

/// One AdaGrad step against the scaled gradient.
fn step(weights: &mut Row, seen: &mut Row, gradient: &Row, scale: f32) {
    for ((weight, seen), gradient) in weights.iter_mut().zip(seen).zip(gradient) {
        if gradient.abs() > NEGLIGIBLE {
            let gradient = gradient * scale;
            *seen += gradient * gradient;
            *weight -= RATE * gradient / seen.sqrt();
        }
    }
}

impl Model {
    fn add_scaled(&mut self, other: &Model, scale: f32) {
        let rows = self.rows.iter_mut().chain(&mut self.transitions);
        for (row, other) in rows.zip(other.rows.iter().chain(&other.transitions)) {
            for (sum, weight) in row.iter_mut().zip(other) {
                *sum += weight * scale;
            }
        }
    }
}
