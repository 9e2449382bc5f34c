//! Layers that are computed again to save memory change nothing in what is learned.

use saydo_model::weights::Weights;
use saydo_train::{Learned, Learner, Optimizer, Settings, Tokens, update};
use std::path::Path;

fn examples() -> Vec<Tokens> {
    let example = |task: usize, prompt: &[u32], output: &[u32]| Tokens {
        task,
        prompt: prompt.to_vec(),
        output: output.to_vec(),
        held_to: None,
    };
    vec![
        example(0, &[5, 9, 12, 7, 3, 21], &[4, 8]),
        example(0, &[5, 9, 12, 7, 30], &[11, 2, 6]),
        example(1, &[17, 6, 25], &[9, 14]),
        example(2, &[8, 8, 19, 4], &[3]).held(Some(vec![8, 20, 6, 8, 19, 4])),
    ]
}

/// The losses of two updates and all parameters behind them.
fn after_two_updates(name: &str, learned: &Learned, memory: u64) -> Vec<f32> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name);
    let weights = Weights::open(&folder, learned.purpose()).expect("opens");
    let learner = Learner::new(&weights, learned, 3, 1).expect("a learner");
    let mut examples = examples();
    // Only an adapter can be left off, to see what there was before it.
    examples.retain(|example| example.held_to.is_none() || matches!(learned, Learned::Adapter { .. }));
    let learned = learned.clone();
    let settings = Settings { memory, learned, warm_up: 0, rate: 1e-3, smoothing: 0.1, ..Settings::default() };
    let mut optimizer = Optimizer::new(settings.optimizer, &learner.parameters);
    let chosen: Vec<&Tokens> = examples.iter().collect();
    let mut numbers: Vec<f32> = Vec::new();
    for step in 0..2 {
        numbers.push(update(&learner, &chosen, &settings, step, &mut optimizer).expect("updates").loss);
    }
    for parameter in &learner.parameters {
        numbers.extend(parameter.value.flatten_all().and_then(|x| x.to_vec1::<f32>()).expect("values"));
    }
    numbers
}

/// Nothing fits; a layer of the tiny networks does; everything does.
const BUDGETS: [u64; 3] = [0, 60_000, u64::MAX];

fn most_apart(name: &str, learned: &Learned) -> f32 {
    let [none, some, all] = BUDGETS.map(|memory| after_two_updates(name, learned, memory));
    let apart = |one: &[f32]| one.iter().zip(&all).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(none.len() == all.len() && all.iter().all(|x| x.is_finite()));
    apart(&none).max(apart(&some))
}

/// Where a tensor is used more than once, the order of the sum over its gradients may be another.
const BY_ROUNDING: f32 = 1e-4;

#[test]
fn adapters_learn_the_same_whatever_is_computed_again() {
    let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.25, targets: Vec::new() };
    for name in ["llama", "llama-tied", "qwen2", "gemma3"] {
        assert_eq!(most_apart(name, &learned), 0.0, "{name}");
    }
    // Queries, keys and values share one low-rank addition.
    let apart = most_apart("gpt2", &learned);
    assert!(apart <= BY_ROUNDING, "{apart}");
}

#[test]
fn all_weights_learn_the_same_whatever_is_computed_again() {
    for frozen_embeddings in [false, true] {
        let learned = Learned::Full { frozen_embeddings };
        assert_eq!(most_apart("llama", &learned), 0.0);
        // The head is the embedding.
        for name in ["llama-tied", "qwen2", "gemma3", "gpt2"] {
            let apart = most_apart(name, &learned);
            assert!(apart <= BY_ROUNDING, "{name}: {apart}");
        }
    }
}
