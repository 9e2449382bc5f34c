//! Tokens and prompts of the catalog's models against what llama.cpp and Hugging Face give.
//!
//! The vocabularies and templates come from the weight files, so these tests need them: `SAYDO_TEST_MODELS` names a
//! folder that holds `smollm2-135m.gguf`, `qwen2.5-coder-1.5b.gguf` and `gemma3-270m.gguf`. What is expected lies under
//! `fixtures/`.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use saydo_model::chat::{ChatTemplate, Message};
use saydo_model::gguf::Gguf;
use saydo_model::mapping::Mapping;
use saydo_model::tokenizer::Tokenizer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

fn open(model: &str) -> Gguf<Mapping> {
    let folder = std::env::var_os("SAYDO_TEST_MODELS").expect("SAYDO_TEST_MODELS names the folder with the models");
    Gguf::open(PathBuf::from(folder).join(format!("{model}.gguf"))).unwrap()
}

fn fixture<T: DeserializeOwned>(path: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Compares every text of the fixture, and decodes what was encoded.
fn check_tokens(model: &str) {
    let tokenizer = Tokenizer::from_gguf(&open(model)).unwrap();
    let texts: Vec<String> = fixture("tokenization/texts.json");
    // One list of tokens, or two if asking for special tokens makes a difference.
    let expected: Vec<Vec<Vec<u32>>> = fixture(&format!("tokenization/{model}.json"));
    assert_eq!(texts.len(), expected.len());
    let mut wrong = Vec::new();
    for (text, expected) in texts.iter().zip(&expected) {
        let found = [tokenizer.encode(text, false).unwrap(), tokenizer.encode(text, true).unwrap()];
        if found[0] != expected[0] || found[1] != expected[expected.len() - 1] {
            wrong.push((text, found, expected));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} texts differ, such as {:?}",
        wrong.len(),
        texts.len(),
        &wrong[..wrong.len().min(5)]
    );
}

/// Encodes and decodes every text. `expected` says what becomes of a text.
fn check_round_trip(model: &str, expected: impl Fn(&str) -> String) {
    let tokenizer = Tokenizer::from_gguf(&open(model)).unwrap();
    for text in fixture::<Vec<String>>("tokenization/texts.json") {
        for special in [false, true] {
            let tokens = tokenizer.encode(&text, special).unwrap();
            assert_eq!(tokenizer.decode(&tokens), expected(&text), "{text:?}");
            let mut stream = tokenizer.decode_stream();
            let mut streamed: String = tokens.iter().map(|token| stream.push(*token)).collect();
            streamed.push_str(&stream.finish());
            assert_eq!(streamed, tokenizer.decode(&tokens));
        }
    }
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn smollm2_gives_the_tokens_of_llama_cpp() {
    check_tokens("smollm2-135m");
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn qwen_gives_the_tokens_of_llama_cpp() {
    check_tokens("qwen2.5-coder-1.5b");
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn gemma_gives_the_tokens_of_llama_cpp() {
    check_tokens("gemma3-270m");
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn encoded_text_decodes_to_itself() {
    check_round_trip("qwen2.5-coder-1.5b", str::to_owned);
    // SentencePiece writes spaces with a mark, and cannot tell them from that mark in the text.
    check_round_trip("gemma3-270m", |text| text.replace('▁', " "));
}

/// A conversation and the prompt that Hugging Face's settings give for it.
#[derive(Deserialize)]
struct Conversation {
    messages: Vec<Message>,
    add_generation_prompt: bool,
    prompt: String,
}

fn check_prompts(model: &str) {
    let gguf = open(model);
    let template = ChatTemplate::new(gguf.text("tokenizer.chat_template").unwrap()).unwrap();
    let conversations: Vec<Conversation> = fixture(&format!("chat/{model}.json"));
    assert!(!conversations.is_empty());
    for conversation in conversations {
        let prompt = template.render(&conversation.messages, conversation.add_generation_prompt).unwrap();
        assert_eq!(prompt, conversation.prompt);
    }
}

#[test]
#[ignore = "needs model weights: set SAYDO_TEST_MODELS and run with --ignored"]
fn chat_templates_give_the_prompts_of_hugging_face() {
    check_prompts("smollm2-135m");
    check_prompts("qwen2.5-coder-1.5b");
}
