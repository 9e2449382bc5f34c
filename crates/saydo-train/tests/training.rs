//! Training over the tiny checkpoints: packing changes nothing, a batch is memorized, resuming equals never having stopped.

use candle_core::Device;
use saydo_model::adapter::Adapter;
use saydo_model::weights::Weights;
use saydo_model::{Decoding, EngineSettings, LocalModel, Model, Prompt, Request, ScoreRequest};
use saydo_train::{
    Checkpoint, Error, Event, Learned, Learner, Optimizer, OptimizerKind, Packer, Precision, Schedule, Settings,
    Tokens, train,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn folder(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name)
}

fn learned() -> Learned {
    Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets: Vec::new() }
}

fn learner(name: &str) -> Learner {
    learner_of(name, &learned())
}

fn learner_of(name: &str, learned: &Learned) -> Learner {
    let weights = Weights::open(&folder(name), learned.purpose()).expect("opens");
    Learner::new(&weights, learned, 7, 2).expect("a learner")
}

/// Two tasks, the second of which has a longer instruction.
fn examples() -> Vec<Tokens> {
    let example = |task: usize, tail: u32, output: &[u32]| {
        let prefix: Vec<u32> = (0..10 + 6 * task as u32).map(|i| 5 + (i * 7 + task as u32) % 60).collect();
        Tokens { task, prompt: [&prefix[..], &[tail, tail + 1]].concat(), output: output.to_vec(), held_to: None }
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
        model_dropout: false,
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
            let packer = Packer { max_rows: 1000, is_shared, context: 1000, decoder_start: None };
            // All together behind what they share, or every example in a pass of its own.
            let parts: Vec<&[&Tokens]> = if is_shared { vec![&refs] } else { refs.chunks(1).collect() };
            let packs: Vec<_> = parts.iter().flat_map(|part| packer.pack(part).expect("packs").0).collect();
            assert_eq!(packs.len(), parts.len());
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
    if model.tokenizer().encode(&text, false).unwrap() == example.prompt {
        let request = Request::new(Prompt::plain(text), Decoding::greedy(3));
        let reply = model.generate(vec![request]).expect("runs").remove(0).expect("a reply");
        assert_eq!(reply.tokens, example.output[..3]);
    }
}

#[test]
fn examples_that_hold_keep_the_network_where_it_was_while_others_are_learned() {
    for name in ["llama", "bart"] {
        let (out, apart) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let held = examples().remove(4).held(None);
        assert_eq!((&held.held_to, &held.output[..]), (&Some(held.prompt.clone()), &[38, 39][..]), "without its end");
        let learned = examples().remove(0);
        let learner = |_: usize| learner(name);
        let [with, without] = [0, 1].map(learner);
        let settings = Settings { steps: 80, batch: 2, per_task: 1, checkpoint_every: 0, ..settings() };
        let train = |learner: &Learner, examples: &[Tokens], out: &Path| {
            let stop = AtomicBool::new(false);
            train(learner, examples, &settings, (out, "data"), None, &mut |_| {}, &stop).expect("trains");
        };
        let distance = |learner: &Learner, example: &Tokens| {
            let (packs, _) = learner.packer(&settings).pack(&[example]).expect("packs");
            learner.loss(&packs[0], 0.0).expect("a loss").to_scalar::<f32>().expect("a number")
        };
        assert!(distance(&with, &held).abs() < 1e-5, "{name}: nothing is learned yet");
        train(&with, &[learned.clone(), held.clone()], out.path());
        train(&without, std::slice::from_ref(&learned), apart.path());
        let (near, far) = (distance(&with, &held), distance(&without, &held));
        assert!(near < 0.2 * far, "{name}: {near} from where it was, {far} without being held");
        assert!(distance(&with, &learned) < 0.1, "{name}: what is not held is learned");
    }
}

#[test]
fn behind_a_short_prompt_the_network_learns_to_say_what_it_said_behind_one_that_tells_more() {
    for name in ["llama", "bart"] {
        let out = tempfile::tempdir().expect("a folder");
        let short = examples().remove(0);
        let told = [&[61, 47, 18, 33][..], &short.prompt].concat();
        let held = short.held(Some(told));
        let learner = learner(name);
        let settings = Settings { steps: 60, batch: 1, per_task: 1, checkpoint_every: 0, ..settings() };
        let distance = || {
            let (packs, _) = learner.packer(&settings).pack(&[&held]).expect("packs");
            learner.loss(&packs[0], 0.0).expect("a loss").to_scalar::<f32>().expect("a number")
        };
        let at_first = distance();
        let stop = AtomicBool::new(false);
        let examples = std::slice::from_ref(&held);
        train(&learner, examples, &settings, (out.path(), "data"), None, &mut |_| {}, &stop).expect("trains");
        let at_last = distance();
        assert!(at_first > 1e-4 && at_last < 0.1 * at_first, "{name}: {at_first} to {at_last}");
    }
}

#[test]
fn every_architecture_memorizes_a_batch_of_four_by_an_adapter_and_by_all_weights() {
    let four: Vec<Tokens> = examples().into_iter().take(4).collect();
    for name in ["llama", "llama-tied", "qwen2", "gemma3", "gpt2", "bart", "t5", "t5-gated"] {
        let full = Learned::Full { frozen_embeddings: name == "bart" };
        for (learned, rate) in [(learned(), 2e-2), (full, 4e-3)] {
            let learner = learner_of(name, &learned);
            let settings =
                Settings { learned, rate, steps: 60, batch: 4, per_task: 4, checkpoint_every: 0, ..settings() };
            let out = tempfile::tempdir().expect("a scratch folder");
            let (stop, mut losses) = (AtomicBool::new(false), Vec::new());
            let mut watch = |event: &Event| {
                if let Event::Step { loss, .. } = event {
                    losses.push(*loss);
                }
            };
            train(&learner, &four, &settings, (out.path(), "four"), None, &mut watch, &stop).expect("trains");
            assert!(losses[0] > 2.0 && losses[59] < 0.3, "{name}: {} to {}", losses[0], losses[59]);
        }
    }
}

#[test]
fn rounded_weights_learn_nearly_the_same_and_hold_to_what_they_were() {
    for name in ["llama", "qwen2", "gemma3", "gpt2", "bart", "t5"] {
        let scratch = || tempfile::tempdir().expect("a scratch folder");
        let (exact, rounded) = (learner(name), learner(name).with_precision(Precision::Bf16).expect("rounds"));
        let settings = Settings { batch: 5, per_task: 5, ..settings() };
        let ours = run(&rounded, &settings, scratch().path(), usize::MAX);
        // Later losses are those of parameters that rounding has led elsewhere.
        for (x, y) in ours.iter().zip(run(&exact, &settings, scratch().path(), usize::MAX)).take(3) {
            assert!(*x != y && (x - y).abs() < 0.03 * (1.0 + y), "{name}: {x}, in full {y}");
        }
        assert!(ours[11] < 0.8 * ours[0], "{name}: {} to {}", ours[0], ours[11]);
        let fresh = learner(name).with_precision(Precision::Bf16).expect("rounds");
        let held = examples().remove(3).held(None);
        let (packs, _) = fresh.packer(&settings).pack(&[&held]).expect("packs");
        let loss = fresh.loss(&packs[0], 0.0).expect("a loss").to_scalar::<f32>().expect("a number");
        assert!(loss.abs() < 1e-6, "{name}: nothing is learned yet, and {loss} is lost");
        let moved = rounded.loss(&packs[0], 0.0).expect("a loss").to_scalar::<f32>().expect("a number");
        assert!(moved > 1e-3, "{name}: what was learned shows, and {moved} is lost");
    }
    let full = learner_of("llama", &Learned::Full { frozen_embeddings: false });
    assert!(matches!(full.with_precision(Precision::Bf16).err(), Some(Error::NoAdapter)));
}

#[test]
fn weights_rounded_as_they_are_read_learn_nearly_the_same() {
    for name in ["llama", "qwen2", "gemma3", "gpt2", "bart", "t5"] {
        let scratch = || tempfile::tempdir().expect("a scratch folder");
        let settings = Settings { precision: Precision::Bf16, ..settings() };
        let weights = Weights::open(&folder(name), settings.purpose()).expect("opens");
        let read = Learner::new(&weights, &settings.learned, 7, 2).expect("a learner");
        let read = read.with_precision(Precision::Bf16).expect("rounds");
        let later = learner(name).with_precision(Precision::Bf16).expect("rounds");
        let ours = run(&read, &settings, scratch().path(), usize::MAX);
        // Tables of tokens are rounded, too, if weights are read for it.
        for (x, y) in ours.iter().zip(run(&later, &settings, scratch().path(), usize::MAX)).take(3) {
            assert!((x - y).abs() < 0.03 * (1.0 + y), "{name}: {x}, rounded later {y}");
        }
    }
}

#[test]
fn a_model_whose_weights_learned_is_a_folder_that_runs_as_the_learner_does() {
    for name in ["llama-tied", "gpt2", "bart", "t5-gated"] {
        let out = tempfile::tempdir().expect("a scratch folder");
        let learned = Learned::Full { frozen_embeddings: false };
        let learner = learner_of(name, &learned);
        run(&learner, &Settings { learned, rate: 2e-3, ..settings() }, out.path(), usize::MAX);
        let engine = EngineSettings { threads: 2, ..EngineSettings::default() };
        let score = |model: &LocalModel| {
            let continuations = vec![" on the".into(), " up".into()];
            let request = ScoreRequest::new(Prompt::plain("Rain falls"), continuations);
            let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
            scores.iter().map(|score| score.log_prob).collect::<Vec<f64>>()
        };
        let before = score(&LocalModel::load(&folder(name), engine.clone()).expect("loads"));
        let saved = score(&LocalModel::load(&out.path().join("last"), engine.clone()).expect("loads"));
        let own = score(&learner.model(engine).expect("a model"));
        assert_eq!(saved, own, "{name}");
        assert!((saved[0] - before[0]).abs() > 1e-3, "{name} changed: {before:?} to {saved:?}");
    }
}

fn bits(learner: &Learner) -> Vec<Vec<u32>> {
    let bits = |parameter: &saydo_train::Parameter| {
        let values = parameter.value.flatten_all().expect("flat").to_vec1::<f32>().expect("floats");
        values.into_iter().map(f32::to_bits).collect()
    };
    learner.parameters.iter().map(bits).collect()
}

#[test]
fn resumed_training_equals_training_that_never_stopped_to_the_last_bit() {
    let with_dropout = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.2, targets: Vec::new() };
    let full = Learned::Full { frozen_embeddings: false };
    let adafactor = OptimizerKind::Adafactor { weight_decay: 0.1 };
    let cases = [
        ("llama", learned(), OptimizerKind::default()),
        ("llama", with_dropout.clone(), OptimizerKind::default()),
        ("bart", with_dropout, OptimizerKind::default()),
        ("gpt2", full.clone(), OptimizerKind::default()),
        ("t5", full, adafactor),
    ];
    for (name, learned, optimizer) in cases {
        let (whole, parts) = (tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch"));
        let settings = Settings { learned: learned.clone(), optimizer, rate: 2e-3, model_dropout: true, ..settings() };
        let uninterrupted = learner_of(name, &learned);
        let losses = run(&uninterrupted, &settings, whole.path(), usize::MAX);
        let mut resumed = Vec::new();
        let mut last = learner_of(name, &learned);
        for _ in 0..4 {
            last = learner_of(name, &learned);
            resumed.extend(run(&last, &settings, parts.path(), 4));
        }
        assert_eq!(resumed, losses, "{name} {learned:?}");
        assert_eq!(bits(&last), bits(&uninterrupted), "{name} {learned:?}");
    }
}

#[test]
fn dropout_changes_what_is_learned_but_not_what_is_answered_and_is_written_down() {
    let with_dropout = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.3, targets: Vec::new() };
    let (plain, dropped) = (learner("llama"), learner_of("llama", &with_dropout));
    let outs = [tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch")];
    let losses = run(&plain, &settings(), outs[0].path(), usize::MAX);
    let others = run(&dropped, &Settings { learned: with_dropout, ..settings() }, outs[1].path(), usize::MAX);
    assert_eq!(losses[0], others[0], "B is nothing at first");
    assert_ne!(losses[5], others[5]);
    let tokens = &examples()[0].prompt;
    let logits = || dropped.logits(tokens).expect("runs").to_vec2::<f32>().expect("floats");
    assert_eq!(logits(), logits());
    assert_eq!(Adapter::load(&outs[1].path().join("last")).expect("loads").config.dropout, 0.3);
}

#[test]
fn networks_with_an_encoder_drop_values_inside_in_training_alone_as_their_settings_say() {
    for (name, drops) in [("bart", true), ("t5", true), ("llama", false)] {
        let outs = [tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch")];
        let [plain, dropped] =
            [false, true].map(|model_dropout| (learner(name), Settings { model_dropout, ..settings() }));
        let losses = run(&plain.0, &plain.1, outs[0].path(), usize::MAX);
        let others = run(&dropped.0, &dropped.1, outs[1].path(), usize::MAX);
        assert_eq!(losses[0] != others[0], drops, "{name}: {} {}", losses[0], others[0]);
        assert_eq!(run(&learner(name), &dropped.1, tempfile::tempdir().expect("scratch").path(), usize::MAX), others);
        let (packs, _) = dropped.0.packer(&settings()).pack(&examples().iter().collect::<Vec<_>>()).expect("packs");
        let loss = || dropped.0.loss(&packs[0], 0.0).expect("runs").to_scalar::<f32>().expect("a number");
        assert_eq!(loss().to_bits(), loss().to_bits(), "{name} drops nothing when nothing is learned");
    }
}

#[test]
fn the_latest_checkpoints_are_kept_as_folders() {
    let out = tempfile::tempdir().expect("a scratch folder");
    run(&learner("llama"), &Settings { checkpoint_every: 3, keep: 2, ..settings() }, out.path(), usize::MAX);
    let mut kept: Vec<String> = std::fs::read_dir(out.path().join("kept"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    kept.sort();
    assert_eq!(kept, ["step-000009", "step-000012"]);
    Adapter::load(&out.path().join("kept/step-000009")).expect("loads");
}

#[test]
fn a_layer_that_is_not_there_and_weights_that_cannot_learn_are_refused() {
    let targets = vec!["q_proj".to_owned(), "qproj".to_owned()];
    let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets };
    let weights = Weights::open(&folder("llama"), learned.purpose()).expect("opens");
    let message = Learner::new(&weights, &learned, 0, 1).err().expect("an error").to_string();
    assert!(message.contains("qproj") && message.contains("down_proj"), "{message}");
    let full = Learned::Full { frozen_embeddings: false };
    let error = Learner::new(&weights, &full, 0, 1).err().expect("an error");
    assert!(matches!(error, Error::FrozenWeights), "{error}");
    let weights = Weights::open(&folder("llama"), full.purpose()).expect("opens");
    let learner = Learner::new(&weights, &full, 0, 1).expect("a learner");
    assert!(matches!(learner.adapter(), Err(Error::NoAdapter)));
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

/// What training says of its checkpoint when it goes on, and the first step it makes then.
fn goes_on(out: &Path) -> Result<(Option<Event>, usize), Error> {
    let stop = AtomicBool::new(false);
    let (mut fell_back, mut first) = (None, None);
    let mut watch = |event: &Event| match event {
        Event::FellBack { .. } => fell_back = Some(event.clone()),
        Event::Step { step, .. } => first = first.or(Some(*step)),
        Event::Validated { .. } => {}
    };
    let settings = Settings { checkpoint_every: 2, ..settings() };
    train(&learner("llama"), &examples(), &settings, (out, "data"), None, &mut watch, &stop)?;
    Ok((fell_back, first.expect("there are steps left")))
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    let settings = Settings { checkpoint_every: 2, ..settings() };
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 5] = [
        ("state.json", |path| std::fs::write(path, "").expect("writes")),
        ("state.json", |path| std::fs::write(path, "{\"step\": 4").expect("writes")),
        ("state.safetensors", |path| std::fs::write(path, "").expect("writes")),
        ("state.safetensors", |path| {
            let mut bytes = std::fs::read(path).expect("reads");
            *bytes.last_mut().expect("bytes") ^= 1;
            std::fs::write(path, bytes).expect("writes");
        }),
        ("state.safetensors", |path| std::fs::remove_file(path).expect("removes")),
    ];
    for (name, damage) in damages {
        let out = tempfile::tempdir().expect("a scratch folder");
        run(&learner("llama"), &settings, out.path(), 4);
        let latest = out.path().join("checkpoint").join(name);
        damage(&latest);
        let (fell_back, first) = goes_on(out.path()).expect("trains");
        let Some(Event::FellBack { step, path, .. }) = fell_back else { panic!("it did not say so") };
        assert_eq!((step, path, first), (2, latest, 3));
    }
}

#[test]
fn without_a_readable_checkpoint_training_says_what_to_do() {
    let out = tempfile::tempdir().expect("a scratch folder");
    run(&learner("llama"), &Settings { checkpoint_every: 2, ..settings() }, out.path(), 4);
    for folder in ["checkpoint", "checkpoint.old"] {
        std::fs::write(out.path().join(folder).join("state.json"), "").expect("writes");
    }
    let message = goes_on(out.path()).expect_err("nothing to go on from").to_string();
    let expected = "checkpoint/state.json: it is empty; delete its folder to train from the start";
    assert!(message.starts_with("cannot read the checkpoint ") && message.ends_with(expected), "{message}");
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_of_a_checkpoint_leaves_the_old_or_the_new_one() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let settings = settings();
    let checkpoint = |step: usize| Checkpoint {
        step,
        settings: settings.clone(),
        data: "data".to_owned(),
        best: None,
        since_best: 0,
    };
    // The parameters are the step's number, so that a mixture of two steps shows.
    let learner = learner("llama");
    let optimizer = || Optimizer::new(settings.optimizer, &learner.parameters);
    let fill = |value: f32| {
        for parameter in &learner.parameters {
            let shape = parameter.value.shape().clone();
            parameter
                .value
                .set(&candle_core::Tensor::full(value, shape, &Device::Cpu).expect("numbers"))
                .expect("sets");
        }
    };
    let save = |folder: &Path, step: usize| {
        fill(step as f32);
        checkpoint(step).save(&folder.join("checkpoint"), &learner, &optimizer())
    };
    let load = |folder: &Path| {
        fill(0.0);
        let mut optimizer = optimizer();
        let found = Checkpoint::load(&folder.join("checkpoint"), &settings, "data", &learner, &mut optimizer);
        let (found, damage) = found.expect("reads").expect("there is one");
        let is_of_step = |bits: &u32| *bits == (found.step as f32).to_bits();
        assert!(bits(&learner).iter().flatten().all(is_of_step), "parameters of another step");
        (found.step, damage)
    };
    let before = |folder: &Path| [1, 2].into_iter().for_each(|step| save(folder, step).expect("saves"));
    let after = |folder: &Path, trial: &Trial<Error>| {
        let (step, damage) = load(folder);
        assert!(damage.is_none() && (step == 2 || step == 3), "{trial}: step {step}, {damage:?}");
        assert!(trial.outcome.is_err() || step == 3, "{trial}: it said that it had saved");
        save(folder, 4).expect("the next one goes well");
        assert_eq!(load(folder).0, 4, "{trial}");
    };
    let points = at_every_step("checkpoint", scratch.path(), before, |folder| save(folder, 3), after);
    assert!(points > 8, "{points}");
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_the_old_or_the_new_adapter_or_model() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let full = Learned::Full { frozen_embeddings: false };
    for (name, learned, file) in
        [("adapter", learned(), "adapter_model.safetensors"), ("model", full, "model.safetensors")]
    {
        let (old, new) = (learner_of("llama", &learned), learner_of("llama", &learned));
        for parameter in &new.parameters {
            let ones = candle_core::Tensor::ones(parameter.value.shape(), candle_core::DType::F32, &Device::Cpu);
            parameter.value.set(&ones.expect("numbers")).expect("sets");
        }
        let bytes = |folder: &Path| std::fs::read(folder.join(file)).expect("there is one");
        let of = |learner: &Learner| {
            let folder = tempfile::tempdir().expect("a scratch folder");
            learner.save(folder.path()).expect("saves");
            bytes(folder.path())
        };
        let (old_bytes, new_bytes) = (of(&old), of(&new));
        let after = |folder: &Path, trial: &Trial<Error>| {
            let found = bytes(folder);
            assert!(found == old_bytes || found == new_bytes, "{name}: {trial}");
            assert!(trial.outcome.is_err() || found == new_bytes, "{name}: {trial}: it said that it had saved");
            match name {
                "adapter" => drop(Adapter::load(folder).expect("it loads")),
                _ => drop(LocalModel::load(folder, EngineSettings::default()).expect("it loads")),
            }
        };
        let before = |folder: &Path| old.save(folder).expect("saves");
        assert!(at_every_step(name, scratch.path(), before, |folder| new.save(folder), after) >= 8);
    }
}

#[test]
fn an_adapter_with_other_settings_never_meets_the_old_weights() {
    let out = tempfile::tempdir().expect("a scratch folder");
    let adapter = learner("llama").adapter().expect("an adapter");
    adapter.save(out.path()).expect("saves");
    let mut other = adapter.clone();
    other.config.alpha = 99.0;
    // A folder in the place of the weights lets writing them fail.
    let weights = out.path().join("adapter_model.safetensors");
    std::fs::remove_file(&weights).expect("removes");
    std::fs::create_dir(&weights).expect("makes");
    assert!(other.save(out.path()).is_err());
    assert!(!out.path().join("adapter_config.json").exists(), "settings without their weights");
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
