//! Greedy replies of the catalog's models against those that llama.cpp gave (fixtures/llama-cpp).
//!
//! The two round activations and caches differently, so a near-tie between two tokens may fall either way; ninety-five
//! of a hundred replies must be the same over 24 tokens.

use saydo_model::{Decoding, EngineSettings, Form, LocalModel, Model, Prompt, Request};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn fixture(model: &str) -> Value {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/llama-cpp"));
    let json = std::fs::read(folder.join(format!("{model}.json"))).expect("the fixture is there");
    serde_json::from_slice(&json).expect("the fixture is JSON")
}

fn load(model: &str) -> LocalModel {
    let folder = std::env::var_os("SAYDO_TEST_MODELS").expect("SAYDO_TEST_MODELS names the folder with the models");
    let path = PathBuf::from(folder).join(format!("{model}.gguf"));
    LocalModel::load(&path, EngineSettings::default()).expect("the model loads")
}

/// Runs all prompts and counts the replies that are equal; prints where the others part, and by how little.
fn check(name: &str) {
    let (fixture, model) = (fixture(name), load(name));
    let prompts = fixture["prompts"].as_array().expect("a list");
    let request = |prompt: &Value| {
        let text = prompt["prompt"].as_str().expect("a text");
        let form = if prompt["special"] == true { Form::Rendered } else { Form::Plain };
        Request::new(Prompt { form, ..Prompt::plain(text) }, Decoding::greedy(24))
    };
    let replies = model.generate(prompts.iter().map(request).collect()).expect("the model runs");
    let mut equal = 0;
    for (reply, prompt) in replies.iter().zip(prompts) {
        let reply = reply.as_ref().expect("a reply");
        assert_eq!(reply.usage.prompt_tokens, prompt["prompt_ids"].as_array().expect("a list").len());
        let theirs: Vec<u64> =
            prompt["reply_ids"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        let ours: Vec<u64> = reply.tokens.iter().map(|token| u64::from(*token)).collect();
        match ours.iter().zip(&theirs).position(|(a, b)| a != b) {
            None if ours.len() == theirs.len() => equal += 1,
            place => {
                let gap = place.map(|place| prompt["gaps"][place].clone());
                eprintln!("{name}: parts at {place:?}, gap {gap:?}: {}", prompt["prompt"]);
            }
        }
    }
    eprintln!("{name}: {equal} of {} replies are equal", prompts.len());
    assert!(equal * 100 >= 95 * prompts.len(), "{name}: {equal} of {} replies are equal", prompts.len());
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_replies_as_llama_cpp_does() {
    check("smollm2-135m");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn qwen_replies_as_llama_cpp_does() {
    check("qwen2.5-coder-1.5b");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn gemma_replies_as_llama_cpp_does() {
    check("gemma3-270m");
}
