//! Tokens of the tiny checkpoints against what Hugging Face's library gives.
//!
//! The checkpoints and what is expected of them lie in the workspace's `fixtures/checkpoints/`; its `SOURCE.md` says how
//! they were made. One folder per architecture and kind of tokenizer.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use saydo_model::tokenizer::Tokenizer;
use serde::Deserialize;
use std::path::PathBuf;

/// The part of `expected.json` that is about tokens.
#[derive(Deserialize)]
struct Expected {
    tokenizations: Vec<Tokenization>,
}

/// A text and its tokens, without any before or behind it.
#[derive(Deserialize)]
struct Tokenization {
    text: String,
    /// Special tokens that the text spells out are taken for what they are.
    ids: Vec<u32>,
    /// They are text like any other.
    as_text: Vec<u32>,
}

fn folder(model: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/checkpoints").join(model)
}

fn check_tokens(model: &str) {
    let tokenizer = Tokenizer::load_json(&folder(model).join("tokenizer.json")).unwrap();
    let expected = std::fs::read(folder(model).join("expected.json")).unwrap();
    let expected: Expected = serde_json::from_slice(&expected).unwrap();
    assert!(expected.tokenizations.len() > 40);
    for Tokenization { text, ids, as_text } in expected.tokenizations {
        assert_eq!(tokenizer.encode(&text, true).unwrap(), ids, "{model}: {text:?}");
        assert_eq!(tokenizer.encode(&text, false).unwrap(), as_text, "{model}: {text:?} without special tokens");
    }
}

#[test]
fn a_llama_3_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("llama");
}

#[test]
fn a_smollm2_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("llama-tied");
}

#[test]
fn a_qwen2_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("qwen2");
}

#[test]
fn a_gpt2_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("gpt2");
}

#[test]
fn a_bart_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("bart");
}

#[test]
fn a_t5_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("t5");
    check_tokens("t5-gated");
}

#[test]
fn a_gemma3_tokenizer_gives_the_tokens_of_hugging_face() {
    check_tokens("gemma3");
}
