//! Greedy replies of the catalog's models against those that llama.cpp gave (fixtures/llama-cpp).
//!
//! The two round activations and caches differently, so a near-tie between two tokens may fall either way, and from
//! there on replies are different texts. llama.cpp differs from itself in the same way: with flash attention it gives
//! 53 of SmolLM2's 100 replies again.
//!
//! Two things are asked. That 95 of 100 replies are equal over 24 tokens: this is the aim, and it is missed (51, 72 and
//! 56, see docs/performance.md), so those tests fail. And that 95 are equal, or equal up to a token where llama.cpp's own
//! best two are within half a logit: this holds, and guards against errors that are larger than rounding. The half was
//! set after the partings had been seen; SmolLM2's gaps differ from those of the same weights in full precision by 0.54
//! at the 99th percentile.

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

/// Half a logit.
const NEAR_TIE: f64 = 0.5;

/// Runs all prompts and gives the percentages of replies that are equal, and that are equal or part at a near-tie.
/// Prints where the others part.
fn compare(name: &str) -> (usize, usize) {
    let (fixture, model) = (fixture(name), load(name));
    let prompts = fixture["prompts"].as_array().expect("a list");
    let request = |prompt: &Value| {
        let text = prompt["prompt"].as_str().expect("a text");
        let form = if prompt["special"] == true { Form::Rendered } else { Form::Plain };
        Request::new(Prompt { form, ..Prompt::plain(text) }, Decoding::greedy(24))
    };
    let replies = model.generate(prompts.iter().map(request).collect()).expect("the model runs");
    let (mut equal, mut up_to_a_tie) = (0, 0);
    for (reply, prompt) in replies.iter().zip(prompts) {
        let reply = reply.as_ref().expect("a reply");
        assert_eq!(reply.usage.prompt_tokens, prompt["prompt_ids"].as_array().expect("a list").len());
        let theirs = prompt["reply_ids"].as_array().expect("a list");
        let ours: Vec<Value> = reply.tokens.iter().map(|token| Value::from(*token)).collect();
        if ours == *theirs {
            equal += 1;
            continue;
        }
        let place = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
        let gap = prompt["gaps"][place].as_f64().expect("a gap for every token");
        if gap <= NEAR_TIE {
            up_to_a_tie += 1;
        } else {
            eprintln!("{name}: parts at token {place}, where the gap is {gap}: {}", prompt["prompt"]);
        }
    }
    eprintln!("{name}: of {} replies {equal} equal, {up_to_a_tie} more up to a near-tie", prompts.len());
    (equal * 100 / prompts.len(), (equal + up_to_a_tie) * 100 / prompts.len())
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_replies_as_llama_cpp_does() {
    let (equal, _) = compare("smollm2-135m");
    assert!(equal >= 95, "{equal} of 100 replies are equal");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_parts_from_llama_cpp_only_at_near_ties() {
    let (_, up_to_a_tie) = compare("smollm2-135m");
    assert!(up_to_a_tie >= 95, "{up_to_a_tie} of 100 replies are equal up to a near-tie");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn qwen_replies_as_llama_cpp_does() {
    let (equal, _) = compare("qwen2.5-coder-1.5b");
    assert!(equal >= 95, "{equal} of 100 replies are equal");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn qwen_parts_from_llama_cpp_only_at_near_ties() {
    let (_, up_to_a_tie) = compare("qwen2.5-coder-1.5b");
    assert!(up_to_a_tie >= 95, "{up_to_a_tie} of 100 replies are equal up to a near-tie");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn gemma_replies_as_llama_cpp_does() {
    let (equal, _) = compare("gemma3-270m");
    assert!(equal >= 95, "{equal} of 100 replies are equal");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn gemma_parts_from_llama_cpp_only_at_near_ties() {
    let (_, up_to_a_tie) = compare("gemma3-270m");
    assert!(up_to_a_tie >= 95, "{up_to_a_tie} of 100 replies are equal up to a near-tie");
}
