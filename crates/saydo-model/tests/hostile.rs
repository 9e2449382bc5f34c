//! Model files from strangers: whatever is wrong becomes an error that names the file and the field.

use saydo_model::gguf::{Gguf, GgufWriter, Value};
use saydo_model::quant::BlockType;
use saydo_model::{EngineSettings, Error, LocalModel};
use serde_json::{Value as Json, json};
use std::error::Error as _;
use std::path::{Path, PathBuf};

fn checkpoint(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name)
}

/// A copy of a checkpoint in a scratch folder.
fn copy(name: &str, scratch: &Path) -> PathBuf {
    let copy = scratch.join(name);
    let _ = std::fs::remove_dir_all(&copy);
    std::fs::create_dir(&copy).expect("a new folder");
    for file in std::fs::read_dir(checkpoint(name)).expect("a folder") {
        let from = file.expect("a file").path();
        std::fs::copy(&from, copy.join(from.file_name().expect("a name"))).expect("copies");
    }
    copy
}

fn load(path: &Path) -> Result<LocalModel, Error> {
    LocalModel::load(path, EngineSettings { threads: 1, ..EngineSettings::default() })
}

/// The error and its causes in one line, the scratch folder left out.
fn message(path: &Path, scratch: &Path) -> String {
    let Err(error) = load(path) else { return "loads".to_owned() };
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text.replace(scratch.to_str().expect("a name in Unicode"), "SCRATCH")
}

/// What loading says when one setting of `config.json` is another.
fn with_setting(checkpoint: &str, key: &str, value: Json) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = copy(checkpoint, scratch.path());
    let path = folder.join("config.json");
    let mut config: Json = serde_json::from_slice(&std::fs::read(&path).expect("reads")).expect("JSON");
    config[key] = value;
    std::fs::write(&path, config.to_string()).expect("writes");
    message(&folder, scratch.path())
}

#[test]
fn absurd_settings_are_named() {
    let cases = [
        ("llama", "hidden_size", json!(-1)),
        ("llama", "hidden_size", json!(99_999_999)),
        ("llama", "vocab_size", json!(100_000_000)),
        ("llama", "num_hidden_layers", json!(100_000_000)),
        ("llama", "num_attention_heads", json!(0)),
        ("llama", "num_key_value_heads", json!(3)),
        ("llama", "head_dim", json!(12)),
        ("llama", "rms_norm_eps", json!("small")),
        ("llama", "rope_scaling", json!({ "rope_type": "yarn" })),
        ("llama", "model_type", json!("mamba")),
        ("gpt2", "n_positions", json!(4_000_000)),
        ("bart", "activation_function", json!("sine")),
        ("t5", "relative_attention_num_buckets", json!(1_000_000)),
    ];
    let said: Vec<String> = cases.into_iter().map(|(name, key, value)| with_setting(name, key, value)).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    cannot use SCRATCH/llama: setting "hidden_size" is -1, expected a whole number from 1 to 100 million
    cannot use SCRATCH/llama: tensor "model.embed_tokens.weight" has the shape [420, 48], expected [420, 99999999]
    cannot use SCRATCH/llama: tensor "model.embed_tokens.weight" has the shape [420, 48], expected [100000000, 48]
    cannot use SCRATCH/llama: there is no tensor "model.layers.2.input_layernorm.weight"
    cannot use SCRATCH/llama: setting "num_attention_heads" is 0, expected a whole number from 1 to 100 million
    cannot use SCRATCH/llama: setting "num_key_value_heads" is 3 for 4 heads, expected a divisor of the heads
    cannot use SCRATCH/llama: setting "head_dim" is 12, expected a multiple of 8
    cannot use SCRATCH/llama: setting "rms_norm_eps" is "small", expected a number
    cannot use SCRATCH/llama: setting "rope_scaling.rope_type" is "yarn", expected default, linear or llama3
    cannot use SCRATCH/llama: the architecture is "mamba", expected one of llama, qwen2, gemma3, gemma3_text, gpt2, bart, t5
    cannot use SCRATCH/gpt2: tensor "transformer.wpe.weight" has the shape [128, 48], expected [4000000, 48]
    cannot use SCRATCH/bart: setting "the activation function" is "sine", expected silu, gelu, gelu_new or relu
    cannot use SCRATCH/t5: tensor "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight" has the shape [16, 3], expected [1000000, 3]
    "#);
}

#[test]
fn files_that_lie_are_named() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut said = Vec::new();
    let folder = copy("llama", scratch.path());
    let weights = folder.join("model.safetensors");
    let bytes = std::fs::read(&weights).expect("reads");
    let huge = [&(1_u64 << 60).to_le_bytes()[..], &bytes[8..]].concat();
    let other_type = String::from_utf8_lossy(&bytes[8..4096]).replacen("\"F32\"", "\"I32\"", 1).into_bytes();
    let retyped = [&bytes[..8], &other_type[..bytes[8..4096].len()], &bytes[4096..]].concat();
    for bad in [&bytes[..bytes.len() / 2], &bytes[..7], &huge, b"", &retyped] {
        std::fs::write(&weights, bad).expect("writes");
        said.push(message(&folder, scratch.path()));
    }
    std::fs::remove_file(&weights).expect("removes");
    said.push(message(&folder, scratch.path()));
    let index = json!({ "weight_map": { "model.norm.weight": "../../secret.safetensors" } });
    std::fs::write(folder.join("model.safetensors.index.json"), index.to_string()).expect("writes");
    said.push(message(&folder, scratch.path()));
    std::fs::write(folder.join("config.json"), "{\"model_type\": ").expect("writes");
    said.push(message(&folder, scratch.path()));
    insta::assert_snapshot!(said.join("\n"), @r#"
    cannot use SCRATCH/llama/model.safetensors: the safetensors header cannot be read: incomplete metadata, file not fully covered
    cannot use SCRATCH/llama/model.safetensors: the safetensors header cannot be read: header too small
    cannot use SCRATCH/llama/model.safetensors: the safetensors header cannot be read: header too large
    cannot use SCRATCH/llama/model.safetensors: the safetensors header cannot be read: header too small
    cannot use SCRATCH/llama: tensor "lm_head.weight" is stored as I32, expected F32, F16 or BF16
    cannot read SCRATCH/llama/model.safetensors: No such file or directory (os error 2)
    cannot use SCRATCH/llama/model.safetensors.index.json: setting "weight_map" is "../../secret.safetensors", expected names of files beside it
    cannot use SCRATCH/llama/config.json: the file is not valid JSON: EOF while parsing a value at line 1 column 15
    "#);
}

#[test]
fn a_vocabulary_larger_than_the_network_is_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = copy("gpt2", scratch.path());
    std::fs::copy(checkpoint("llama").join("tokenizer.json"), folder.join("tokenizer.json")).expect("copies");
    insta::assert_snapshot!(message(&folder, scratch.path()), @"cannot use SCRATCH/gpt2: the tokenizer has 420 tokens, expected at most the 400 rows of the token embedding");
}

/// A GGUF file of a llama with one tensor, for the header alone.
fn gguf(keys: &[(&str, Value<'_>)], tensor: Option<(&str, &[usize])>) -> Vec<u8> {
    let mut writer = GgufWriter::new();
    for (key, value) in keys {
        writer.set(key, *value);
    }
    let bytes = tensor.map(|(_, shape)| vec![0_u8; 4 * shape.iter().product::<usize>()]).unwrap_or_default();
    if let Some((name, shape)) = tensor {
        writer.tensor(name, shape, BlockType::F32, &bytes).expect("a sound tensor");
    }
    let mut out = Vec::new();
    writer.write(&mut out).expect("writes into memory");
    Gguf::parse(&out[..]).expect("what we write we read");
    out
}

#[test]
fn a_gguf_file_that_lacks_what_its_architecture_needs_says_what() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("model.gguf");
    let tokens = [("general.architecture", Value::Text("llama")), ("tokenizer.ggml.model", Value::Text("gpt2"))];
    let mut said = Vec::new();
    for bytes in [gguf(&[], None), gguf(&tokens[..1], None), gguf(&tokens, Some(("token_embd.weight", &[32, 4])))] {
        std::fs::write(&path, &bytes).expect("writes");
        said.push(message(&path, scratch.path()));
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("writes");
        let _ = load(&path);
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    cannot use SCRATCH/model.gguf: metadata key "general.architecture" is missing, expected text
    cannot use SCRATCH/model.gguf: metadata key "tokenizer.ggml.model" is missing, expected text
    cannot use SCRATCH/model.gguf: metadata key "tokenizer.ggml.pre" is missing, expected text
    "#);
}
