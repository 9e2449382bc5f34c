//! Two steps of all weights of flan-t5-small, as `saydo models pull` converts it, against PyTorch
//! (fixtures/flan-t5-small).

use saydo_model::weights::Weights;
use saydo_train::{Event, Learned, Learner, OptimizerKind, Schedule, Settings, Tokens, train};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

fn folder() -> PathBuf {
    let folder = std::env::var_os("SAYDO_TEST_MODELS").expect("SAYDO_TEST_MODELS names the folder with the models");
    PathBuf::from(folder).join("flan-t5-small")
}

fn recorded() -> Value {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/flan-t5-small/steps.json"));
    serde_json::from_slice(&std::fs::read(path).expect("the fixture is there")).expect("the fixture is JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().map(|id| number(id) as u32).collect()
}

/// The parameters by name.
fn values(learner: &Learner) -> BTreeMap<String, Vec<f32>> {
    let flat = |value: &candle_core::Tensor| value.flatten_all().expect("flat").to_vec1::<f32>().expect("floats");
    learner.parameters.iter().map(|one| (one.name.clone(), flat(one.value.as_tensor()))).collect()
}

#[test]
#[ignore = "needs model weights and 3 GB: set SAYDO_TEST_MODELS and run with --ignored"]
fn two_steps_of_flan_t5_small_are_those_of_pytorch() {
    let expected = recorded();
    let set = &expected["settings"];
    let learned = Learned::Full { frozen_embeddings: false };
    let settings = Settings {
        learned: learned.clone(),
        steps: 2,
        batch: 3,
        per_task: 3,
        rate: number(&set["rate"]),
        schedule: Schedule::Constant,
        warm_up: 0,
        clip: number(&set["clip"]),
        optimizer: OptimizerKind::AdamW {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: number(&set["epsilon"]),
            weight_decay: number(&set["weight_decay"]),
        },
        validate_every: 0,
        // PyTorch ran without.
        model_dropout: false,
        ..Settings::default()
    };
    let examples = set["examples"].as_array().expect("a list").iter().enumerate();
    let examples: Vec<Tokens> = examples
        .map(|(task, pair)| Tokens { task, prompt: ids(&pair[0]), output: ids(&pair[1]), held_to: None })
        .collect();
    let weights = Weights::open(&folder(), learned.purpose()).expect("opens");
    let learner = Learner::new(&weights, &learned, 0, 2).expect("a learner");
    let before = values(&learner);
    let (mut losses, mut norms) = (Vec::new(), Vec::new());
    let mut watch = |event: &Event| {
        if let Event::Step { loss, gradient_norm, .. } = event {
            losses.push(f64::from(*loss));
            norms.push(*gradient_norm);
        }
    };
    let out = tempfile::tempdir().expect("a scratch folder");
    let stop = AtomicBool::new(false);
    train(&learner, &examples, &settings, (out.path(), "d"), None, &mut watch, &stop).expect("trains");
    for (ours, theirs) in losses.iter().zip(expected["losses"].as_array().expect("a list")) {
        assert!((ours - number(theirs)).abs() < 1e-4, "loss {ours}, expected {theirs}");
    }
    for (ours, theirs) in norms.iter().zip(expected["norms"].as_array().expect("a list")) {
        assert!((ours - number(theirs)).abs() < 1e-3 * (1.0 + number(theirs)), "gradient {ours}, expected {theirs}");
    }
    let after = values(&learner);
    let changes = expected["changes"].as_object().expect("an object");
    assert_eq!(after.len(), changes.len());
    for (name, change) in changes {
        let change_of = |place: usize| f64::from(after[name][place]) - f64::from(before[name][place]);
        let sum: f64 = (0..after[name].len()).map(|place| change_of(place).abs()).sum();
        let theirs = number(&change["sum"]);
        assert!((sum - theirs).abs() < 1e-2 * theirs, "{name} changes by {sum} in all, expected {theirs}");
        let at = change["at"].as_array().expect("a list").iter().map(number);
        for (place, theirs) in ids(&change["places"]).into_iter().zip(at) {
            let ours = change_of(place as usize);
            assert!((ours - theirs).abs() < 1e-5, "{name} at {place} changes by {ours}, expected {theirs}");
        }
    }
}
