//! Every architecture against Hugging Face's implementation, over tiny checkpoints made with it (fixtures/checkpoints).

use candle_core::{Device, Tensor};
use saydo_model::arch::Network;
use saydo_model::cache::SequenceCache;
use saydo_model::kernel::{KvPrecision, Pool, ops};
use saydo_model::nn::{CachedRows, LowRank, Matrix, Pass, Span};
use saydo_model::weights::{Purpose, Weights};
use saydo_model::{
    BatchSize, Decoding, EngineSettings, LocalModel, Model, Prompt, Reply, Request, ScoreRequest, Strategy,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CHECKPOINTS: [&str; 8] = ["llama", "llama-tied", "qwen2", "gemma3", "gpt2", "bart", "t5", "t5-gated"];

fn folder(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name)
}

fn expected(name: &str) -> Value {
    let json = std::fs::read(folder(name).join("expected.json")).expect("the fixture is there");
    serde_json::from_slice(&json).expect("the fixture is JSON")
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().map(|id| id.as_u64().expect("a token") as u32).collect()
}

fn floats(value: &Value) -> Vec<f32> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number") as f32).collect()
}

/// Logits of all decoder rows, through caches in passes of `chunk` rows.
fn cached(network: &Network, prompt: &Value, chunk: usize, pool: &Pool) -> Vec<Vec<f32>> {
    let shape = network.cache_shape(KvPrecision::Full);
    let source = network.source(&ids(&prompt["ids"]), KvPrecision::Full, pool);
    let source = source.map(|source| Arc::new(source.expect("the encoder runs")));
    let tokens = if source.is_some() { ids(&prompt["decoder_ids"]) } else { ids(&prompt["ids"]) };
    let mut cache = SequenceCache::new(&shape, Vec::new(), source);
    let mut rows = Vec::new();
    for tokens in tokens.chunks(chunk) {
        let mut pass = Pass::cached(pool, vec![CachedRows { cache: &mut cache, rows: tokens.len() }]);
        let hidden = network.hidden(tokens, &mut pass).expect("the network runs");
        rows.extend(network.logits(&hidden, pool).expect("the head runs").to_vec2::<f32>().expect("floats"));
    }
    rows
}

/// Logits of all decoder rows, as tensor operations with gradients.
fn whole(network: &Network, prompt: &Value, pool: &Pool) -> Tensor {
    let input = ids(&prompt["ids"]);
    let rows = std::iter::once(0..input.len()).collect::<Vec<_>>();
    let encoded = network.encode(&input, &rows, None, pool).map(|encoded| encoded.expect("the encoder runs"));
    let tokens = if encoded.is_some() { ids(&prompt["decoder_ids"]) } else { input.clone() };
    let spans = vec![Span { rows: 0..tokens.len(), after: None }];
    let source = encoded.map(|encoded| (encoded, rows));
    let hidden = network.hidden(&tokens, &mut Pass::whole(pool, spans, source)).expect("the network runs");
    network.logits(&hidden, pool).expect("the head runs")
}

fn check_logits(name: &str, prompt: &Value, rows: &[Vec<f32>]) {
    for expected in prompt["logits"].as_array().expect("a list") {
        let position = expected["position"].as_u64().expect("a position") as usize;
        for (ours, theirs) in rows[position].iter().zip(floats(&expected["values"])) {
            assert!((ours - theirs).abs() < 1e-4, "{name}, position {position}: {ours}, expected {theirs}");
        }
    }
}

#[test]
fn logits_are_within_a_ten_thousandth_of_the_reference() {
    let pool = Pool::new(2);
    for name in CHECKPOINTS {
        let (expected, folder) = (expected(name), folder(name));
        let packed = Network::load(&Weights::open(&folder, Purpose::Inference).expect("opens")).expect("loads");
        let plain =
            Network::load(&Weights::open(&folder, Purpose::Training(Device::Cpu)).expect("opens")).expect("loads");
        for prompt in expected["prompts"].as_array().expect("a list") {
            check_logits(name, prompt, &cached(&packed, prompt, 64, &pool));
            check_logits(name, prompt, &whole(&plain, prompt, &pool).to_vec2::<f32>().expect("floats"));
        }
    }
}

#[test]
fn cached_passes_of_any_size_give_the_same_bits() {
    let pool = Pool::new(2);
    for name in CHECKPOINTS {
        let network = Network::load(&Weights::open(&folder(name), Purpose::Inference).expect("opens")).expect("loads");
        for prompt in expected(name)["prompts"].as_array().expect("a list") {
            let at_once = cached(&network, prompt, 64, &pool);
            assert_eq!(at_once, cached(&network, prompt, 1, &pool), "{name}");
            assert_eq!(at_once, cached(&network, prompt, 5, &pool), "{name}");
        }
    }
}

#[test]
fn given_continuations_have_the_reference_log_probabilities() {
    let pool = Pool::new(2);
    for name in CHECKPOINTS {
        let network = Network::load(&Weights::open(&folder(name), Purpose::Inference).expect("opens")).expect("loads");
        for prompt in expected(name)["prompts"].as_array().expect("a list") {
            for continuation in prompt["continuations"].as_array().expect("a list") {
                let tokens = ids(&continuation["ids"]);
                let mut prompt = prompt.clone();
                let (key, start) = match network.decoder_start() {
                    Some(start) => ("decoder_ids", vec![start]),
                    None => ("ids", ids(&prompt["ids"])),
                };
                prompt[key] = [start.clone(), tokens.clone()].concat().into();
                let rows = cached(&network, &prompt, 64, &pool);
                let log_prob = |(row, token): (&Vec<f32>, &u32)| row[*token as usize] - ops::log_sum_exp(row);
                let ours: f32 = rows[start.len() - 1..].iter().zip(&tokens).map(log_prob).sum();
                let theirs = continuation["logprob"].as_f64().expect("a number") as f32;
                assert!((ours - theirs).abs() < 1e-3, "{name}: {ours}, expected {theirs}");
            }
        }
    }
}

/// The checkpoint without tokens forced at a reply's ends, which the recorded replies were made without.
fn without_forced(name: &str, scratch: &Path) -> PathBuf {
    let copy = scratch.join(name);
    std::fs::create_dir(&copy).expect("a new folder");
    for file in std::fs::read_dir(folder(name)).expect("a folder") {
        let from = file.expect("a file").path();
        let to = copy.join(from.file_name().expect("a name"));
        std::fs::copy(&from, &to).expect("copies");
        if to.ends_with("generation_config.json") || to.ends_with("config.json") {
            let mut json: Value = serde_json::from_slice(&std::fs::read(&to).expect("reads")).expect("JSON");
            let settings = json.as_object_mut().expect("an object");
            settings.retain(|key, _| !key.starts_with("forced_"));
            std::fs::write(&to, json.to_string()).expect("writes");
        }
    }
    copy
}

fn settings(batch_size: usize, rows_per_pass: usize) -> EngineSettings {
    EngineSettings { threads: 2, batch_size: BatchSize::Count(batch_size), rows_per_pass, ..EngineSettings::default() }
}

fn prompts(expected: &Value) -> Vec<String> {
    let prompts = expected["prompts"].as_array().expect("a list");
    prompts.iter().map(|prompt| prompt["text"].as_str().expect("a text").to_owned()).collect()
}

fn replies(model: &LocalModel, prompts: &[String], decoding: Decoding) -> Vec<Reply> {
    let decoding = Arc::new(decoding);
    let requests = prompts.iter().map(|prompt| Request::new(Prompt::plain(prompt), Arc::clone(&decoding)));
    let replies = model.generate(requests.collect()).expect("the model runs");
    replies.into_iter().map(|reply| reply.expect("a reply")).collect()
}

#[test]
fn greedy_replies_are_the_references_token_for_token() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for name in CHECKPOINTS {
        let expected = expected(name);
        let model = LocalModel::load(&without_forced(name, scratch.path()), settings(4, 16)).expect("loads");
        let replies = replies(&model, &prompts(&expected), Decoding::greedy(16));
        for (reply, prompt) in replies.iter().zip(expected["prompts"].as_array().expect("a list")) {
            assert_eq!(reply.tokens, ids(&prompt["greedy"]), "{name}: {}", prompt["text"]);
        }
    }
}

#[test]
fn tokens_forced_by_the_models_settings_are_there() {
    let expected = expected("bart");
    let model = LocalModel::load(&folder("bart"), settings(4, 16)).expect("loads");
    let replies = replies(&model, &prompts(&expected), Decoding::greedy(16));
    for (reply, prompt) in replies.iter().zip(expected["prompts"].as_array().expect("a list")) {
        assert_eq!(reply.tokens, ids(&prompt["forced"]), "{}", prompt["text"]);
    }
}

#[test]
fn beam_search_gives_the_references_best_reply_token_for_token() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for name in CHECKPOINTS {
        let expected = expected(name);
        let model = LocalModel::load(&without_forced(name, scratch.path()), settings(16, 32)).expect("loads");
        for kind in ["beam", "beam_early"] {
            let set = &expected["beam_settings"][kind];
            let length_penalty = set["length_penalty"].as_f64().expect("a number");
            let strategy = Strategy::Beam {
                width: set["width"].as_u64().expect("a width") as usize,
                length_penalty,
                early_stopping: set["early_stopping"].as_bool().expect("a flag"),
            };
            let replies = replies(&model, &prompts(&expected), Decoding { strategy, ..Decoding::greedy(16) });
            for (reply, prompt) in replies.iter().zip(expected["prompts"].as_array().expect("a list")) {
                let best = &prompt[kind][0];
                assert_eq!(reply.tokens, ids(&best["ids"]), "{name}, {kind}: {}", prompt["text"]);
                let score = reply.log_prob.expect("known") / (reply.tokens.len() as f64).powf(length_penalty);
                assert!((score - best["score"].as_f64().expect("a number")).abs() < 1e-3, "{name}: {score}");
            }
        }
    }
}

#[test]
fn neither_batch_nor_pass_nor_prefix_changes_a_reply() {
    for name in CHECKPOINTS {
        let prompts: Vec<String> = prompts(&expected(name)).into_iter().cycle().take(16).collect();
        let model = |batch_size, rows| LocalModel::load(&folder(name), settings(batch_size, rows)).expect("loads");
        let alone = replies(&model(1, 256), &prompts, Decoding::greedy(12));
        assert_eq!(alone, replies(&model(16, 256), &prompts, Decoding::greedy(12)), "{name}");
        assert_eq!(alone, replies(&model(5, 7), &prompts, Decoding::greedy(12)), "{name}");
        let prefix = "A beginning that all share: dogs bark.\n";
        let with_prefix = |share_prefixes| {
            let settings = EngineSettings { share_prefixes, ..settings(16, 64) };
            let model = LocalModel::load(&folder(name), settings).expect("loads");
            let requests = prompts
                .iter()
                .map(|prompt| Request::new(Prompt::plain(prompt).with_prefix(prefix), Decoding::greedy(12)));
            let replies = model.generate(requests.collect()).expect("the model runs").into_iter();
            replies.map(|reply| reply.expect("a reply")).collect::<Vec<_>>()
        };
        let (shared, whole) = (with_prefix(true), with_prefix(false));
        for (shared, whole) in shared.iter().zip(&whole) {
            assert_eq!((&shared.tokens, shared.log_prob), (&whole.tokens, whole.log_prob), "{name}");
        }
        let has_encoder = matches!(name, "bart" | "t5" | "t5-gated");
        assert_eq!(shared[15].usage.cached_tokens > 10, !has_encoder, "{name}");
    }
}

#[test]
fn a_greedy_replys_log_probability_is_its_score() {
    for name in ["llama", "qwen2", "gpt2"] {
        let model = LocalModel::load(&folder(name), settings(8, 64)).expect("loads");
        let prompt = Prompt::plain("Rain falls on the");
        let reply = &replies(&model, &[prompt.whole()], Decoding::greedy(6))[0];
        let request = ScoreRequest::new(prompt, vec![reply.text.clone(), " x".into(), " x y z 1 2".into()]);
        let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
        if scores[0].tokens == reply.tokens.len() {
            assert!((scores[0].log_prob - reply.log_prob.expect("known")).abs() < 1e-6, "{name}");
            assert!(scores[0].is_greedy);
        }
        assert!(scores[1].log_prob > scores[2].log_prob);
    }
}

#[test]
fn gradients_reach_low_rank_additions_on_every_linear_layer() {
    let pool = Pool::new(2);
    for name in CHECKPOINTS {
        let weights = Weights::open(&folder(name), Purpose::Training(Device::Cpu)).expect("opens");
        let mut network = Network::load(&weights).expect("loads");
        let mut variables = Vec::new();
        for linear in network.linears_mut() {
            let Matrix::Plain(weight) = linear.matrix() else { panic!("training has plain tensors") };
            let (outputs, inputs) = weight.dims2().expect("a matrix");
            let seed = variables.len() as f32;
            let (down, up) = (spread((2, inputs), seed), spread((outputs, 2), seed + 0.5));
            let low_rank = LowRank {
                down: Matrix::Plain(down.as_tensor().clone()),
                up: Matrix::Plain(up.as_tensor().clone()),
                scale: 0.5,
                dropout: None,
            };
            variables.push((linear.name().to_owned(), down, up));
            linear.set_low_rank(Some(low_rank));
        }
        let prompt = &expected(name)["prompts"][1];
        let loss = || whole(&network, prompt, &pool).sqr().expect("squares").mean_all().expect("a mean");
        let gradients = loss().backward().expect("gradients");
        for (layer, down, up) in &variables {
            for variable in [down, up] {
                let gradient = gradients.get(variable).unwrap_or_else(|| panic!("{name}: no gradient at {layer}"));
                let norm =
                    gradient.sqr().expect("squares").sum_all().expect("a sum").to_scalar::<f32>().expect("a number");
                assert!(norm.is_finite() && norm > 0.0, "{name}: gradient {norm} at {layer}");
            }
        }
        check_by_differences(name, &variables[0].1, &gradients, &loss);
        check_by_differences(name, &variables[variables.len() / 2].2, &gradients, &loss);
    }
}

/// A variable with values around 0 that are the same in every run: drawn ones once in a while put a step across the bend of
/// a ReLU, where a slope is no gradient.
fn spread(shape: (usize, usize), seed: f32) -> candle_core::Var {
    let values = (0..shape.0 * shape.1).map(|i| 0.14 * (12.9898 * i as f32 + 7.3 * seed).sin()).collect();
    let tensor = Tensor::from_vec(values, shape, &Device::Cpu).expect("a tensor");
    candle_core::Var::from_tensor(&tensor).expect("a variable")
}

/// Moves one value of a variable both ways and compares the change of the loss with the gradient.
fn check_by_differences(
    name: &str,
    variable: &candle_core::Var,
    gradients: &candle_core::backprop::GradStore,
    loss: &impl Fn() -> Tensor,
) {
    let gradient =
        gradients.get(variable).expect("a gradient").flatten_all().expect("flat").to_vec1::<f32>().expect("floats");
    let at = (0..gradient.len()).max_by(|a, b| gradient[*a].abs().total_cmp(&gradient[*b].abs())).expect("some");
    let values = variable.flatten_all().expect("flat").to_vec1::<f32>().expect("floats");
    let step = 1e-2;
    let loss_at = |change: f32| {
        let mut moved = values.clone();
        moved[at] += change;
        variable.set(&Tensor::from_vec(moved, variable.shape(), &Device::Cpu).expect("a tensor")).expect("sets");
        f64::from(loss().to_scalar::<f32>().expect("a number"))
    };
    let slope = (loss_at(step) - loss_at(-step)) / f64::from(2.0 * step);
    loss_at(0.0);
    let exact = f64::from(gradient[at]);
    assert!((slope - exact).abs() < 0.03 * exact.abs() + 1e-4, "{name}: slope {slope}, gradient {exact}");
}

#[test]
fn a_shared_prefix_in_one_pass_equals_sequences_apart() {
    let pool = Pool::new(2);
    for name in ["llama", "qwen2", "gemma3", "gpt2"] {
        let weights = Weights::open(&folder(name), Purpose::Training(Device::Cpu)).expect("opens");
        let network = Network::load(&weights).expect("loads");
        let (prefix, tails) = ([5_u32, 9, 33, 70, 12, 8], [[40_u32, 41, 42], [60, 61, 62]]);
        let apart: Vec<Vec<f32>> = tails
            .iter()
            .flat_map(|tail| {
                let tokens = [&prefix[..], tail].concat();
                let spans = vec![Span { rows: 0..9, after: None }];
                let hidden = network.hidden(&tokens, &mut Pass::whole(&pool, spans, None)).expect("runs");
                network.logits(&hidden, &pool).expect("runs").to_vec2::<f32>().expect("floats").split_off(6)
            })
            .collect();
        let tokens = [&prefix[..], &tails[0], &tails[1]].concat();
        let spans = vec![
            Span { rows: 0..6, after: None },
            Span { rows: 6..9, after: Some(0..6) },
            Span { rows: 9..12, after: Some(0..6) },
        ];
        let hidden = network.hidden(&tokens, &mut Pass::whole(&pool, spans, None)).expect("runs");
        let together = network.logits(&hidden, &pool).expect("runs").to_vec2::<f32>().expect("floats").split_off(6);
        for (a, b) in apart.iter().flatten().zip(together.iter().flatten()) {
            assert!((a - b).abs() < 1e-5, "{name}: {a}, {b}");
        }
    }
}
