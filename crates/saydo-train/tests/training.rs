//! Training over the tiny checkpoints: packing changes nothing, a batch is memorized, resuming equals never having stopped.

use candle_core::Device;
use saydo_model::adapter::Adapter;
use saydo_model::weights::{Purpose, Weights};
use saydo_model::{Decoding, EngineSettings, LocalModel, Model, Prompt, Request};
use saydo_train::{Error, Event, Learned, Learner, Packer, Schedule, Settings, Tokens, train};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn folder(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name)
}

fn learned() -> Learned {
    Learned::Adapter { rank: 4, alpha: 8.0, targets: Vec::new() }
}

fn learner(name: &str) -> Learner {
    let weights = Weights::open(&folder(name), Purpose::Training(Device::Cpu)).expect("opens");
    Learner::new(&weights, &learned(), 7, 2).expect("a learner")
}

/// Two tasks, the second of which has a longer instruction.
fn examples() -> Vec<Tokens> {
    let example = |task: usize, tail: u32, output: &[u32]| {
        let prefix: Vec<u32> = (0..10 + 6 * task as u32).map(|i| 5 + (i * 7 + task as u32) % 60).collect();
        Tokens { task, prompt: [&prefix[..], &[tail, tail + 1]].concat(), output: output.to_vec() }
    };
    vec![
        example(0, 20, &[31, 32, 2]),
        example(0, 25, &[33, 2]),
        example(0, 40, &[34, 35, 36, 2]),
        example(1, 22, &[37, 2]),
        example(1, 44, &[38, 39, 2]),
    ]
}

fn settings() -> Settings {
    Settings {
        learned: learned(),
        steps: 12,
        batch: 4,
        per_task: 2,
        rate: 2e-2,
        schedule: Schedule::Linear,
        warm_up: 2,
        checkpoint_every: 5,
        validate_every: 0,
        ..Settings::default()
    }
}

fn run(learner: &Learner, settings: &Settings, out: &Path, stop_after: usize) -> Vec<f32> {
    let stop = AtomicBool::new(false);
    let mut losses = Vec::new();
    let mut watch = |event: &Event| {
        if let Event::Step { loss, .. } = event {
            losses.push(*loss);
        }
        if losses.len() == stop_after {
            stop.store(true, Ordering::Relaxed);
        }
    };
    train(learner, &examples(), settings, (out, "data"), None, &mut watch, &stop).expect("trains");
    losses
}

#[test]
fn a_shared_instruction_changes_neither_loss_nor_gradients() {
    for name in ["llama", "llama-tied", "qwen2", "gemma3", "gpt2"] {
        let learner = learner(name);
        // Where B is nothing the gradient of A is nothing too, so B starts elsewhere here.
        for parameter in &learner.parameters {
            let shape = parameter.value.shape().clone();
            let some = candle_core::Tensor::randn(0.0_f32, 0.1, shape, &Device::Cpu).expect("numbers");
            parameter.value.set(&some).expect("sets");
        }
        let all = examples();
        let refs: Vec<&Tokens> = all.iter().collect();
        let total = |is_shared| {
            let (packs, _) = Packer { max_rows: 1000, is_shared }.pack(&refs).expect("packs");
            let mut sum: Option<candle_core::Tensor> = None;
            for pack in &packs {
                let loss = learner.loss(pack, 0.1).expect("a loss");
                sum = Some(sum.map_or(loss.clone(), |sum| (sum + loss).expect("a sum")));
            }
            let sum = sum.expect("packs");
            let gradients = sum.backward().expect("gradients");
            let norm = |parameter: &saydo_train::Parameter| {
                let gradient = gradients.get(&parameter.value).expect("a gradient");
                gradient.flatten_all().expect("flat").to_vec1::<f32>().expect("floats")
            };
            let loss = sum.to_scalar::<f32>().expect("a number");
            (loss, learner.parameters.iter().flat_map(norm).collect::<Vec<f32>>())
        };
        let ((packed, packed_gradients), (apart, apart_gradients)) = (total(true), total(false));
        assert!((packed - apart).abs() < 1e-5 * apart.abs(), "{name}: {packed}, apart {apart}");
        for (x, y) in packed_gradients.iter().zip(&apart_gradients) {
            assert!((x - y).abs() < 1e-4 * (1.0 + y.abs()), "{name}: {x}, apart {y}");
        }
    }
}

#[test]
fn a_few_examples_are_memorized_and_the_adapter_says_them_when_it_is_loaded() {
    let out = tempfile::tempdir().expect("a scratch folder");
    let learner = learner("llama");
    let settings = Settings { steps: 150, batch: 5, per_task: 5, checkpoint_every: 0, ..settings() };
    let losses = run(&learner, &settings, out.path(), usize::MAX);
    assert!(losses[0] > 2.0 && losses[149] < 0.05, "{} to {}", losses[0], losses[149]);
    let adapter = Adapter::load(&out.path().join("last")).expect("loads");
    let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
    let model = LocalModel::load(&folder("llama"), engine).expect("loads").with_adapter(&adapter).expect("attaches");
    let example = &examples()[2];
    let text = model.tokenizer().decode(&example.prompt);
    if model.tokenizer().encode(&text, false) == example.prompt {
        let request = Request::new(Prompt::plain(text), Decoding::greedy(3));
        let reply = model.generate(vec![request]).expect("runs").remove(0).expect("a reply");
        assert_eq!(reply.tokens, example.output[..3]);
    }
}

#[test]
fn resumed_training_equals_training_that_never_stopped_to_the_last_bit() {
    let (whole, parts) = (tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch"));
    let values = |learner: &Learner| -> Vec<Vec<u32>> {
        let bits = |parameter: &saydo_train::Parameter| {
            let values = parameter.value.flatten_all().expect("flat").to_vec1::<f32>().expect("floats");
            values.into_iter().map(f32::to_bits).collect()
        };
        learner.parameters.iter().map(bits).collect()
    };
    let uninterrupted = learner("llama");
    let losses = run(&uninterrupted, &settings(), whole.path(), usize::MAX);
    let mut resumed = Vec::new();
    let mut last = learner("llama");
    for _ in 0..4 {
        last = learner("llama");
        resumed.extend(run(&last, &settings(), parts.path(), 4));
    }
    assert_eq!(resumed, losses);
    assert_eq!(values(&last), values(&uninterrupted));
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let out = tempfile::tempdir().expect("a scratch folder");
    run(&learner("llama"), &settings(), out.path(), 2);
    let other = Settings { rate: 1.0, ..settings() };
    let stop = AtomicBool::new(false);
    let error = train(&learner("llama"), &examples(), &other, (out.path(), "data"), None, &mut |_| {}, &stop);
    assert!(matches!(error, Err(Error::OtherTraining { .. })), "{error:?}");
    let error = train(&learner("llama"), &examples(), &settings(), (out.path(), "d2"), None, &mut |_| {}, &stop);
    assert!(error.is_err_and(|error| error.to_string().contains("its data differ")));
}

#[test]
fn the_best_validated_adapter_is_kept_and_patience_ends() {
    let out = tempfile::tempdir().expect("a scratch folder");
    let settings = Settings { validate_every: 1, patience: 3, ..settings() };
    let mut scores = [1.0, 3.0, 2.0, 2.5, 1.0, 9.0].into_iter();
    let mut validate = |_: &Learner, _: usize| Ok(scores.next().expect("enough scores"));
    let stop = AtomicBool::new(false);
    let place = (out.path(), "data");
    let outcome = train(&learner("llama"), &examples(), &settings, place, Some(&mut validate), &mut |_| {}, &stop)
        .expect("trains");
    // The first score is that of the untrained model.
    assert_eq!((outcome.step, outcome.best, outcome.is_early), (4, Some((1, 3.0)), true));
    assert!(out.path().join("best/adapter_model.safetensors").is_file());
}
