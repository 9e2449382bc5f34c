//! Gradients of every tensor of every architecture against finite differences of the loss: what the backward steps say, and
//! what happens when the tensor is moved a little.

use candle_core::Tensor;
use saydo_model::adapter::Adapter;
use saydo_model::weights::Weights;
use saydo_train::{Learned, Learner, Pack, Parameter, Settings, Tokens};
use std::path::{Path, PathBuf};

const ALL: [&str; 8] = ["llama", "llama-tied", "qwen2", "gemma3", "gpt2", "bart", "t5", "t5-gated"];
/// Those with a recorded adapter whose two halves are not nothing.
const ADAPTED: [&str; 6] = ["llama", "llama-tied", "qwen2", "gpt2", "bart", "t5"];

/// How far a tensor is moved, as a vector. Gentle slopes drown in rounding if it is less; steep ones bend, or meet the edge of
/// a gate, if it is more. A wrong gradient agrees with neither.
const STEPS: [f64; 2] = [5e-3, 5e-4];

fn fixture(kind: &str, name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures")).join(kind).join(name)
}

/// Two tasks, one of them with two examples behind one prefix, so that packing has its part in the gradients.
fn packs(learner: &Learner, is_held: bool) -> Vec<Pack> {
    let example = |task: usize, prompt: &[u32], output: &[u32]| {
        let held_to = is_held.then(|| prompt.to_vec());
        Tokens { task, prompt: prompt.to_vec(), output: output.to_vec(), held_to }
    };
    let examples = [
        example(0, &[5, 9, 12, 7, 3, 21], &[4, 8]),
        example(0, &[5, 9, 12, 7, 30], &[11, 2, 6]),
        example(1, &[17, 6, 25], &[9, 14]),
    ];
    let examples: Vec<&Tokens> = examples.iter().collect();
    learner.packer(&Settings::default()).pack(&examples).expect("packs").0
}

fn loss(learner: &Learner, packs: &[Pack]) -> Tensor {
    let losses: Vec<Tensor> = packs.iter().map(|pack| learner.loss(pack, 0.1).expect("a loss")).collect();
    Tensor::stack(&losses, 0).expect("stacks").sum_all().expect("sums")
}

fn value(learner: &Learner, packs: &[Pack]) -> f64 {
    f64::from(loss(learner, packs).to_scalar::<f32>().expect("a number"))
}

/// How fast the loss changes where a tensor moves along a direction of length 1, by either step.
fn slopes(learner: &Learner, packs: &[Pack], parameter: &Parameter, direction: &Tensor) -> [f64; 2] {
    let start = parameter.value.as_tensor().copy().expect("copies");
    let at = |step: f64| {
        let moved = ((direction * step).expect("scales") + &start).expect("adds");
        parameter.value.set(&moved).expect("sets");
        value(learner, packs)
    };
    let over = |step: f64| (at(step) - at(-step)) / (2.0 * step);
    // Richardson's: half the step has a quarter of the error, so that most of it cancels. Losses here bend a lot.
    let slopes = STEPS.map(|step| (4.0 * over(step / 2.0) - over(step)) / 3.0);
    parameter.value.set(&start).expect("sets");
    slopes
}

fn length(x: &Tensor) -> f64 {
    f64::from(x.sqr().and_then(|x| x.sum_all()).and_then(|x| x.to_scalar::<f32>()).expect("a number")).sqrt()
}

/// A direction of length 1 that has nothing to do with the gradient.
fn some_direction(like: &Tensor) -> Tensor {
    let count = like.elem_count();
    let signs: Vec<f32> = (0..count).map(|i| if (i * 7 + i / 3) % 5 < 2 { -1.0 } else { 1.0 }).collect();
    let length = (count as f64).sqrt();
    let signs = Tensor::from_vec(signs, like.shape(), like.device()).expect("a tensor");
    (signs / length).expect("scales")
}

fn check(name: &str, learner: &Learner, packs: &[Pack]) {
    let gradients = loss(learner, packs).backward().expect("a backward pass");
    for parameter in &learner.parameters {
        let other = some_direction(&parameter.value);
        let found = slopes(learner, packs, parameter, &other);
        let Some(gradient) = gradients.get(&parameter.value) else {
            assert!(found[0].abs() < 1e-3, "{name}: {} has no gradient, moving it gives {found:?}", parameter.name);
            continue;
        };
        let agree = |said: f64, found: [f64; 2], along: &str| {
            let close = found.iter().any(|found| (said - found).abs() <= 1e-2 + 2e-2 * said.abs());
            assert!(close, "{name}: {} along {along}: {said} by the gradient, {found:?} by moving", parameter.name);
        };
        let product = (gradient * &other).and_then(|x| x.sum_all()).and_then(|x| x.to_scalar::<f32>());
        agree(f64::from(product.expect("a number")), found, "some direction");
        let steepest = length(gradient);
        if steepest > 1e-3 {
            let along = (gradient / steepest).expect("scales");
            agree(steepest, slopes(learner, packs, parameter, &along), "the gradient");
        }
    }
}

fn learner(name: &str, learned: &Learned) -> Learner {
    let weights = Weights::open(&fixture("checkpoints", name), learned.purpose()).expect("opens");
    Learner::new(&weights, learned, 0, 1).expect("a learner")
}

#[test]
fn gradients_of_all_weights_are_what_moving_them_does() {
    for name in ALL {
        let learner = learner(name, &Learned::Full { frozen_embeddings: false });
        let packs = packs(&learner, false);
        check(name, &learner, &packs);
    }
}

#[test]
fn gradients_of_adapters_are_what_moving_them_does_learning_and_held() {
    for name in ADAPTED {
        let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets: Vec::new() };
        let learner = learner(name, &learned);
        learner.start_from(&Adapter::load(&fixture("training", name).join("before")).expect("loads")).expect("fits");
        for is_held in [false, true] {
            check(name, &learner, &packs(&learner, is_held));
        }
    }
}
