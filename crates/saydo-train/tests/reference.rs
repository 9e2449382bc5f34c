//! Adapters and training steps against Hugging Face's PEFT and PyTorch (fixtures/training).

use candle_core::Device;
use saydo_model::adapter::Adapter;
use saydo_model::weights::{Purpose, Weights};
use saydo_model::{EngineSettings, LocalModel, Model, Prompt, ScoreRequest};
use saydo_train::{Event, Learned, Learner, OptimizerKind, Schedule, Settings, Tokens, train};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const NAMES: [&str; 3] = ["llama", "llama-tied", "qwen2"];

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

#[test]
fn two_steps_are_the_references_in_loss_gradient_and_weights() {
    for name in NAMES {
        let expected = expected(name);
        let set = &expected["settings"];
        let examples = set["examples"].as_array().expect("a list").iter().enumerate();
        let examples: Vec<Tokens> =
            examples.map(|(task, pair)| Tokens { task, prompt: ids(&pair[0]), output: ids(&pair[1]) }).collect();
        let number = |key: &str| set[key].as_f64().expect("a number");
        let learned = Learned::Adapter { rank: 4, alpha: 8.0, targets: Vec::new() };
        let settings = Settings {
            learned: learned.clone(),
            steps: 2,
            batch: 3,
            per_task: 3,
            rate: number("rate"),
            schedule: Schedule::Constant,
            warm_up: 0,
            clip: number("clip"),
            optimizer: OptimizerKind::AdamW {
                beta1: 0.9,
                beta2: 0.999,
                epsilon: 1e-8,
                weight_decay: number("weight_decay"),
            },
            validate_every: 0,
            ..Settings::default()
        };
        let weights = Weights::open(&folder(name), Purpose::Training(Device::Cpu)).expect("opens");
        let learner = Learner::new(&weights, &learned, 0, 2).expect("a learner");
        learner.start_from(&Adapter::load(&recorded(name).join("before")).expect("loads")).expect("fits");
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
        for (ours, theirs) in losses.iter().zip(numbers(&expected["losses"])) {
            assert!((ours - theirs).abs() < 1e-4, "{name}: loss {ours}, expected {theirs}");
        }
        for (ours, theirs) in norms.iter().zip(numbers(&expected["norms"])) {
            assert!((ours - theirs).abs() < 1e-4 * (1.0 + theirs), "{name}: gradient {ours}, expected {theirs}");
        }
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

#[test]
fn an_adapter_made_elsewhere_gives_the_same_logits_here() {
    for name in NAMES {
        let expected = expected(name);
        let prompt = ids(&expected["settings"]["examples"][0][0]);
        let logits = numbers(&expected["logits"]);
        let weights = Weights::open(&folder(name), Purpose::Training(Device::Cpu)).expect("opens");
        let adapter = Adapter::load(&recorded(name).join("before")).expect("loads");
        let learned = Learned::Adapter { rank: 4, alpha: 8.0, targets: Vec::new() };
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
        let request =
            ScoreRequest { prompt: Prompt::plain("Rain falls"), continuations: vec![" on the".into(), " up".into()] };
        let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
        scores.iter().map(|score| score.log_prob).collect::<Vec<f64>>()
    };
    let plain = {
        let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
        let model = LocalModel::load(&folder("llama"), engine).expect("loads");
        let request = ScoreRequest { prompt: Prompt::plain("Rain falls"), continuations: vec![" on the".into()] };
        model.score(vec![request]).expect("runs").remove(0).expect("scores")[0].log_prob
    };
    let (before, after) = (score(&adapter), score(&again));
    assert!((before[0] - plain).abs() > 1e-3, "the adapter changes something");
    for (x, y) in before.iter().zip(&after) {
        // Files hold half precision.
        assert!((x - y).abs() < 1e-2, "{x} {y}");
    }
}
