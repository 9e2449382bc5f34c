//! All weights of a model in a GGUF file learn, and an adapter is merged into it: what comes out is a Hugging Face folder.
//!
//! The file is made here: a llama of two layers with a vocabulary of bytes.

use saydo_model::gguf::{GgufWriter, Value, ValueType};
use saydo_model::quant::BlockType;
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, LocalModel, Model, Prompt, PromptEncoder, ScoreRequest};
use saydo_task::seen::Trace;
use saydo_train::{Ending, Example, Learned, Learner, Schedule, Settings, Tokens, train};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const WIDTH: usize = 32;
const INNER: usize = 64;
const HEADS: usize = 4;
const KV_HEADS: usize = 2;
const VOCABULARY: usize = 258;

/// GPT-2's characters for bytes: those that print stand for themselves, the others follow from 256 on.
fn characters() -> Vec<String> {
    let prints = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut next = 256;
    let character = |byte: u32| {
        let code = if prints(byte) {
            byte
        } else {
            next += 1;
            next - 1
        };
        char::from_u32(code).expect("a character").to_string()
    };
    (0..256).map(character).collect()
}

fn write_model(path: &Path, architecture: &str, vocabulary: &str) {
    let mut writer = GgufWriter::new();
    writer.set("general.architecture", Value::Text(architecture));
    let numbers = [
        ("embedding_length", WIDTH),
        ("feed_forward_length", INNER),
        ("block_count", 2),
        ("attention.head_count", HEADS),
        ("attention.head_count_kv", KV_HEADS),
        ("context_length", 256),
    ];
    for (key, value) in numbers {
        writer.set(&format!("{architecture}.{key}"), Value::U32(value as u32));
    }
    writer.set(&format!("{architecture}.attention.layer_norm_rms_epsilon"), Value::F32(1e-5));
    writer.set(&format!("{architecture}.rope.freq_base"), Value::F32(10_000.0));
    writer.set("tokenizer.ggml.model", Value::Text(vocabulary));
    writer.set("tokenizer.ggml.pre", Value::Text("smollm"));
    writer.set("tokenizer.chat_template", Value::Text("{{ messages[0].content }}"));
    let mut tokens = characters();
    tokens.extend(["th".to_owned(), "<|im_end|>".to_owned()]);
    let texts = tokens.iter().map(|token| Value::Text(token));
    writer.set_array("tokenizer.ggml.tokens", ValueType::Text, texts).expect("texts");
    let kinds = (0..VOCABULARY).map(|id| Value::I32(if id == 257 { 3 } else { 1 }));
    writer.set_array("tokenizer.ggml.token_type", ValueType::I32, kinds).expect("numbers");
    let scores = (0..VOCABULARY).map(|_| Value::F32(0.0));
    writer.set_array("tokenizer.ggml.scores", ValueType::F32, scores).expect("numbers");
    writer.set_array("tokenizer.ggml.merges", ValueType::Text, [Value::Text("t h")]).expect("texts");
    writer.set("tokenizer.ggml.eos_token_id", Value::U32(257));
    let kv = KV_HEADS * WIDTH / HEADS;
    let mut tensors =
        vec![("token_embd.weight".to_owned(), vec![WIDTH, VOCABULARY]), ("output_norm.weight".to_owned(), vec![WIDTH])];
    for layer in 0..2 {
        let parts = [
            ("attn_norm", vec![WIDTH]),
            ("attn_q", vec![WIDTH, WIDTH]),
            ("attn_k", vec![WIDTH, kv]),
            ("attn_v", vec![WIDTH, kv]),
            ("attn_output", vec![WIDTH, WIDTH]),
            ("ffn_norm", vec![WIDTH]),
            ("ffn_gate", vec![WIDTH, INNER]),
            ("ffn_up", vec![WIDTH, INNER]),
            ("ffn_down", vec![INNER, WIDTH]),
        ];
        tensors.extend(parts.map(|(name, shape)| (format!("blk.{layer}.{name}.weight"), shape)));
    }
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    let data: Vec<Vec<u8>> = tensors
        .iter()
        .map(|(name, shape)| {
            let center = if name.contains("norm") { 1.0 } else { 0.0 };
            (0..shape.iter().product()).flat_map(|_| (center + 0.5 * next()).to_le_bytes()).collect()
        })
        .collect();
    for ((name, shape), bytes) in tensors.iter().zip(&data) {
        writer.tensor(name, shape, BlockType::F32, bytes).expect("a sound tensor");
    }
    let mut out = Vec::new();
    writer.write(&mut out).expect("writes into memory");
    std::fs::write(path, out).expect("writes");
}

fn engine() -> EngineSettings {
    EngineSettings { threads: 1, ..EngineSettings::default() }
}

fn scores(model: &LocalModel) -> Vec<f64> {
    let continuations = vec![" the".into(), " 12".into(), "!".into()];
    let request = ScoreRequest::new(Prompt::plain("With a long path, 7"), continuations);
    let scores = model.score(vec![request]).expect("runs").remove(0).expect("scores");
    scores.iter().map(|score| score.log_prob).collect()
}

fn close(x: &[f64], y: &[f64], what: &str) {
    assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-4 * (1.0 + x.abs())), "{what}: {x:?} {y:?}");
}

fn trained(path: &Path, learned: &Learned, out: &Path) -> Learner {
    let weights = Weights::open(path, learned.purpose()).expect("opens");
    let learner = Learner::new(&weights, learned, 3, 1).expect("a learner");
    let settings = Settings {
        learned: learned.clone(),
        steps: 4,
        rate: 1e-2,
        schedule: Schedule::Constant,
        warm_up: 0,
        validate_every: 0,
        ..Settings::default()
    };
    let examples = [Tokens { task: 0, prompt: vec![70, 71, 72, 73], output: vec![80, 257], held_to: None }];
    train(&learner, &examples, &settings, (out, "d"), None, &mut |_| {}, &AtomicBool::new(false)).expect("trains");
    learner
}

#[test]
fn weights_of_a_gguf_file_learn_into_a_folder_that_runs_the_same() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for architecture in ["llama", "qwen2"] {
        let (path, out) = (scratch.path().join(format!("{architecture}.gguf")), scratch.path().join(architecture));
        write_model(&path, architecture, "gpt2");
        let learner = trained(&path, &Learned::Full { frozen_embeddings: false }, &out);
        let before = LocalModel::load(&path, engine()).expect("loads");
        let own = learner.model(engine()).expect("a model");
        let saved = LocalModel::load(&out.join("last"), engine()).expect("loads");
        close(&scores(&own), &scores(&saved), architecture);
        assert!((scores(&own)[0] - scores(&before)[0]).abs() > 1e-2, "{architecture} learned something");
        let text = "With a path: 123 things\n\n ok";
        assert_eq!(saved.tokenizer().encode(text, false).unwrap(), before.tokenizer().encode(text, false).unwrap());
        assert_eq!((saved.tokenizer().eos(), saved.has_chat()), (Some(257), true));
    }
}

#[test]
fn an_adapter_is_merged_into_a_gguf_file() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (path, out) = (scratch.path().join("llama.gguf"), scratch.path().join("out"));
    write_model(&path, "llama", "gpt2");
    let learned = Learned::Adapter { rank: 2, alpha: 8.0, dropout: 0.0, targets: Vec::new() };
    let learner = trained(&path, &learned, &out);
    let adapter = learner.adapter().expect("an adapter");
    adapter.merge(&path, &scratch.path().join("merged")).expect("merges");
    let together = LocalModel::load(&path, engine()).expect("loads").with_adapter(&adapter).expect("attaches");
    let merged = LocalModel::load(&scratch.path().join("merged"), engine()).expect("loads");
    close(&scores(&together), &scores(&merged), "merged");
}

#[test]
fn an_output_ends_with_the_end_token_with_its_line_or_with_both() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("llama.gguf");
    write_model(&path, "llama", "gpt2");
    let model = LocalModel::load(&path, engine()).expect("loads");
    let tokenizer = model.tokenizer();
    let encoder = PromptEncoder { tokenizer, template: None, has_encoder: false };
    let example = Example {
        task: 0,
        prompt: Prompt::plain("input: a\noutput:"),
        output: "the b ".to_owned(),
        told: None,
        trace: Trace::default(),
    };
    let tokens = |ending| example.tokens(&encoder, ending).expect("encodes");
    let (token, line) = (tokens(Ending::Token), tokens(Ending::Line));
    assert_eq!(token.output, [tokenizer.encode(" the b", false).unwrap(), vec![257]].concat());
    assert_eq!(line.output, tokenizer.encode(" the b\n", false).unwrap());
    assert_eq!(token.prompt, line.prompt);
    let both = tokens(Ending::LineAndToken);
    assert_eq!(both.output, [line.output, vec![257]].concat());
}

#[test]
fn a_gguf_file_that_no_folder_can_say_is_refused_before_training() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("model.gguf");
    write_model(&path, "llama", "llama");
    let learned = Learned::Full { frozen_embeddings: false };
    let weights = Weights::open(&path, learned.purpose()).expect("opens");
    let message = Learner::new(&weights, &learned, 0, 1).err().expect("an error").to_string();
    assert!(message.contains("whose vocabulary is of the kind \"llama\""), "{message}");
    assert!(message.contains("start from its Hugging Face folder"), "{message}");
}
