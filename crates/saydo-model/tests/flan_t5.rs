//! flan-t5-small, as `saydo models pull` converts it, against Hugging Face's transformers in 32 bits
//! (fixtures/flan-t5-small).

use saydo_model::{Decoding, EngineSettings, LocalModel, Model, Prompt, Request};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    let folder = std::env::var_os("SAYDO_TEST_MODELS").expect("SAYDO_TEST_MODELS names the folder with the models");
    PathBuf::from(folder).join("flan-t5-small")
}

fn recorded() -> Value {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/flan-t5-small/replies.json"));
    serde_json::from_slice(&std::fs::read(path).expect("the fixture is there")).expect("the fixture is JSON")
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().map(|id| id.as_u64().expect("a token") as u32).collect()
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn flan_t5_small_replies_as_hugging_face_does_token_by_token() {
    let recorded = recorded();
    let prompts = recorded["prompts"].as_array().expect("a list");
    assert_eq!(prompts.len(), 100);
    let most = recorded["new_tokens"].as_u64().expect("a number") as usize;
    let model = LocalModel::load(&folder(), EngineSettings::default()).expect("the model loads");
    let text = |prompt: &Value| prompt["prompt"].as_str().expect("a text").to_owned();
    let request = |prompt: &Value| Request::new(Prompt::plain(text(prompt)), Decoding::greedy(most));
    let replies = model.generate(prompts.iter().map(request).collect()).expect("the model runs");
    for (reply, prompt) in replies.into_iter().zip(prompts) {
        let reply = reply.expect("a reply");
        assert_eq!(reply.usage.prompt_tokens, ids(&prompt["prompt_ids"]).len(), "{}", prompt["prompt"]);
        assert_eq!(reply.tokens, ids(&prompt["reply_ids"]), "{}", prompt["prompt"]);
        assert_eq!(reply.text.trim(), prompt["reply"].as_str().expect("a text").trim(), "{}", prompt["prompt"]);
    }
}
