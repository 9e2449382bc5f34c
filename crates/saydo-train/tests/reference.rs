//! Adapters and training steps, of adapters and of all weights, against Hugging Face's libraries and PyTorch
//! (fixtures/training).

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use saydo_model::adapter::Adapter;
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, LocalModel, Model, Prompt, ScoreRequest};
use saydo_train::{Event, Learned, Learner, OptimizerKind, Schedule, Settings, Tokens, train};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const NAMES: [&str; 6] = ["llama", "llama-tied", "qwen2", "gpt2", "bart", "t5"];
const FULL: [&str; 6] = ["llama-tied", "gpt2", "bart", "t5", "t5-adafactor", "t5-gated-adafactor"];

fn folder(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name)
}

fn recorded(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/training")).join(name)
}

fn expected(name: &str) -> Value {
    let text = std::fs::read_to_string(recorded(name).join("expected.json")).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn ids(value: &Value) -> Vec<u32> {
    numbers(value).into_iter().map(|x| x as u32).collect()
}

fn flat(x: &candle_core::Tensor) -> Vec<f32> {
    x.flatten_all().expect("flat").to_vec1::<f32>().expect("floats")
}

/// The examples of a fixture.
fn examples(set: &Value) -> Vec<Tokens> {
    let examples = set["examples"].as_array().expect("a list").iter().enumerate();
    examples.map(|(task, pair)| Tokens { task, prompt: ids(&pair[0]), output: ids(&pair[1]), held_to: None }).collect()
}

fn number(set: &Value, key: &str) -> f64 {
    set[key].as_f64().expect("a number")
}

/// Two steps over all examples at a constant rate.
fn settings(set: &Value, learned: Learned) -> Settings {
    Settings {
        learned,
        steps: 2,
        batch: 3,
        per_task: 3,
        rate: number(set, "rate"),
        schedule: Schedule::Constant,
        warm_up: 0,
        clip: number(set, "clip"),
        smoothing: set["smoothing"].as_f64().unwrap_or_default() as f32,
        optimizer: OptimizerKind::AdamW {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: set["epsilon"].as_f64().unwrap_or(1e-8),
            weight_decay: number(set, "weight_decay"),
        },
        validate_every: 0,
        // The references ran without.
        model_dropout: false,
        ..Settings::default()
    }
}

/// Trains, and holds losses and lengths of gradients against those of the fixture.
fn compare_steps(name: &str, learner: &Learner, settings: &Settings, expected: &Value) -> tempfile::TempDir {
    let (mut losses, mut norms) = (Vec::new(), Vec::new());
    let mut watch = |event: &Event| {
        if let Event::Step { loss, gradient_norm, .. } = event {
            losses.push(f64::from(*loss));
            norms.push(*gradient_norm);
        }
    };
    let out = tempfile::tempdir().expect("a scratch folder");
    let stop = AtomicBool::new(false);
    let examples = examples(&expected["settings"]);
    train(learner, &examples, settings, (out.path(), "d"), None, &mut watch, &stop).expect("trains");
    for (ours, theirs) in losses.iter().zip(numbers(&expected["losses"])) {
        assert!((ours - theirs).abs() < 1e-4, "{name}: loss {ours}, expected {theirs}");
    }
    for (ours, theirs) in norms.iter().zip(numbers(&expected["norms"])) {
        assert!((ours - theirs).abs() < 1e-4 * (1.0 + theirs), "{name}: gradient {ours}, expected {theirs}");
        assert!(theirs > settings.clip, "{name}: clipping is tested");
    }
    out
}

#[test]
fn two_steps_of_an_adapter_are_the_references_in_loss_gradient_and_weights() {
    for name in NAMES {
        let expected = expected(name);
        let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets: Vec::new() };
        let settings = settings(&expected["settings"], learned.clone());
        let weights = Weights::open(&folder(name), learned.purpose()).expect("opens");
        let learner = Learner::new(&weights, &learned, 0, 2).expect("a learner");
        learner.start_from(&Adapter::load(&recorded(name).join("before")).expect("loads")).expect("fits");
        compare_steps(name, &learner, &settings, &expected);
        let after = Adapter::load(&recorded(name).join("after")).expect("loads");
        for (ours, theirs) in learner.adapter().expect("an adapter").layers.iter().map(|ours| {
            (ours, after.layers.iter().find(|theirs| theirs.name == ours.name).expect("the layer is there"))
        }) {
            for (ours, theirs) in [(&ours.down, &theirs.down), (&ours.up, &theirs.up)] {
                for (x, y) in flat(ours).iter().zip(flat(theirs)) {
                    assert!((x - y).abs() < 1e-4, "{name}: weight {x}, expected {y}");
                }
            }
        }
    }
}

/// The tensors of a safetensors file as floats.
fn tensors(path: &Path) -> BTreeMap<String, Vec<f32>> {
    let bytes = std::fs::read(path).expect("the file is there");
    let file = SafeTensors::deserialize(&bytes).expect("safetensors");
    let values = |view: &TensorView<'_>| match view.dtype() {
        Dtype::F16 => {
            view.data().chunks_exact(2).map(|x| half::f16::from_le_bytes([x[0], x[1]]).to_f32()).collect::<Vec<f32>>()
        }
        _ => view.data().chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]])).collect(),
    };
    file.tensors().into_iter().map(|(name, view)| (name, values(&view))).collect()
}

#[test]
fn two_steps_of_all_weights_are_the_references_in_loss_gradient_and_weights() {
    for case in FULL {
        let place = recorded("full").join(case);
        let expected = expected(&format!("full/{case}"));
        let set = &expected["settings"];
        let learned = Learned::Full { frozen_embeddings: set["frozen_embeddings"] == true };
        let mut settings = settings(set, learned.clone());
        if set["optimizer"] == "adafactor" {
            settings.optimizer = OptimizerKind::Adafactor { weight_decay: number(set, "weight_decay") };
        }
        let source = folder(set["checkpoint"].as_str().expect("a name"));
        let weights = Weights::open(&source, learned.purpose()).expect("opens");
        let learner = Learner::new(&weights, &learned, 0, 2).expect("a learner");
        let out = compare_steps(case, &learner, &settings, &expected);
        let before = tensors(&source.join("model.safetensors"));
        let after = tensors(&out.path().join("last/model.safetensors"));
        let changes = tensors(&place.join("change.safetensors"));
        for (name, after) in &after {
            let before = &before[name];
            match changes.get(name) {
                Some(change) => {
                    for ((x, y), theirs) in after.iter().zip(before).step_by(3).zip(change) {
                        assert!((x - y - theirs).abs() < 1e-4, "{case}: {name} by {}, expected {theirs}", x - y);
                    }
                }
                None => assert_eq!(before, after, "{case}: {name} does not learn"),
            }
        }
        assert!(changes.keys().all(|name| after.contains_key(name)), "{case}: every tensor is written");
    }
}

#[test]
fn an_adapter_made_elsewhere_gives_the_same_logits_here() {
    // Networks with an encoder show the same by their first loss.
    for name in &NAMES[..4] {
        let expected = expected(name);
        let prompt = ids(&expected["settings"]["examples"][0][0]);
        let logits = numbers(&expected["logits"]);
        let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets: Vec::new() };
        let weights = Weights::open(&folder(name), learned.purpose()).expect("opens");
        let adapter = Adapter::load(&recorded(name).join("before")).expect("loads");
        let learner = Learner::new(&weights, &learned, 0, 2).expect("a learner");
        learner.start_from(&adapter).expect("fits");
        let rows = learner.logits(&prompt).expect("runs");
        let ours = flat(&rows.get(prompt.len() - 1).expect("the last row"));
        for (ours, theirs) in ours.iter().zip(&logits) {
            assert!((f64::from(*ours) - theirs).abs() < 1e-4, "{name}: logit {ours}, expected {theirs}");
        }
    }
}

#[test]
fn an_adapter_that_was_saved_is_the_same_when_it_runs() {
    let out = tempfile::tempdir().expect("a scratch folder");
    let adapter = Adapter::load(&recorded("llama").join("before")).expect("loads");
    adapter.save(out.path()).expect("saves");
    let again = Adapter::load(out.path()).expect("loads");
    let score = |adapter: &Adapter| {
        let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
        let model = LocalModel::load(&folder("llama"), engine).expect("loads").with_adapter(adapter).expect("attaches");
        let request = ScoreRequest::new(Prompt::plain("Rain falls"), vec![" on the".into(), " up".into()]);
        let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
        scores.iter().map(|score| score.log_prob).collect::<Vec<f64>>()
    };
    let plain = {
        let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
        let model = LocalModel::load(&folder("llama"), engine).expect("loads");
        let request = ScoreRequest::new(Prompt::plain("Rain falls"), vec![" on the".into()]);
        model.score(vec![request]).expect("runs").remove(0).expect("scores")[0].log_prob
    };
    let (before, after) = (score(&adapter), score(&again));
    assert!((before[0] - plain).abs() > 1e-3, "the adapter changes something");
    for (x, y) in before.iter().zip(&after) {
        // Files hold half precision.
        assert!((x - y).abs() < 1e-2, "{x} {y}");
    }
}

#[test]
fn a_merged_model_says_what_base_and_adapter_say() {
    for name in NAMES {
        let out = tempfile::tempdir().expect("a scratch folder");
        let adapter = Adapter::load(&recorded(name).join("before")).expect("loads");
        adapter.merge(&folder(name), out.path()).expect("merges");
        let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
        let score = |model: &LocalModel| {
            let continuations = vec![" on the".into(), " up".into(), " Rain".into()];
            let request = ScoreRequest::new(Prompt::plain("Rain falls"), continuations);
            let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
            scores.iter().map(|score| score.log_prob).collect::<Vec<f64>>()
        };
        let base = LocalModel::load(&folder(name), engine.clone()).expect("loads");
        let plain = score(&base);
        let together = score(&base.with_adapter(&adapter).expect("attaches"));
        let merged = score(&LocalModel::load(out.path(), engine).expect("loads"));
        assert!((plain[0] - together[0]).abs() > 1e-3, "{name}: the adapter changes something");
        for (x, y) in together.iter().zip(&merged) {
            assert!((x - y).abs() < 1e-4 * (1.0 + x.abs()), "{name}: {x} together, {y} merged");
        }
    }
}
