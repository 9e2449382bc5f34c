//! The model against a real server, which the caller starts and names in `SAYDO_TEST_BASE_URL`.
//!
//! `SAYDO_TEST_MODEL` names the model (default `model`), `SAYDO_TEST_EXTRA_BODY` holds additional fields as JSON.

use saydo_model::{Constraint, Decoding, MaxTokens, Model, Prompt, Request, ScoreRequest, Strategy};
use saydo_openai::{OpenAiModel, Settings};
use serde_json::json;
use std::env;
use std::sync::Arc;

fn model() -> OpenAiModel {
    let base_url = env::var("SAYDO_TEST_BASE_URL").expect("SAYDO_TEST_BASE_URL names a running server");
    let mut settings = Settings::new(base_url, env::var("SAYDO_TEST_MODEL").unwrap_or("model".to_owned()));
    if let Ok(extra) = env::var("SAYDO_TEST_EXTRA_BODY") {
        settings.extra_body = serde_json::from_str(&extra).expect("SAYDO_TEST_EXTRA_BODY is a JSON object");
    }
    OpenAiModel::new(settings).expect("the settings are good")
}

#[test]
#[ignore = "needs a server: SAYDO_TEST_BASE_URL=http://127.0.0.1:PORT cargo test -p saydo-openai -- --ignored --nocapture"]
fn generates() {
    let model = model();
    let sample = Strategy::Sample { temperature: 0.8, top_p: 0.95, seed: 1 };
    let beyond = MaxTokens::Beyond { text: "a few words of text".to_owned(), plus: 4 };
    let requests = vec![
        Request::new(Prompt::chat("Name a color in one word."), Decoding::greedy(8)),
        Request::new(Prompt::plain("The capital of France is"), Decoding::greedy(8).with_stop(["."])),
        Request::new(Prompt::plain("Once upon a"), Decoding { strategy: sample, ..Decoding::greedy(8) }),
        Request::new(Prompt::plain("One two three"), Decoding { max_tokens: beyond, ..Decoding::default() }),
    ];
    for reply in model.generate(requests).expect("the server can be reached") {
        let reply = reply.expect("the server replies");
        println!("{reply:?}");
        assert!(!reply.text.is_empty() && reply.usage.prompt_tokens > 0 && reply.usage.reply_tokens > 0);
    }
    println!("{:?}", model.notes());
}

#[test]
#[ignore = "needs a server: SAYDO_TEST_BASE_URL=http://127.0.0.1:PORT cargo test -p saydo-openai -- --ignored --nocapture"]
fn holds_replies_to_a_schema() {
    let schema = json!({
        "type": "object",
        "properties": {"color": {"type": "string"}},
        "required": ["color"],
        "additionalProperties": false,
    });
    let request = Request::new(Prompt::chat("Name a color as JSON with the field color."), Decoding::greedy(40));
    let request = Request { constraint: Some(Arc::new(Constraint::Json(schema))), ..request };
    let reply = model().generate(vec![request]).expect("the server can be reached").remove(0);
    println!("{reply:?}");
    let text = reply.expect("the server replies").text;
    let value: serde_json::Value = serde_json::from_str(&text).expect("the reply is JSON");
    assert!(value["color"].is_string());
}

#[test]
#[ignore = "needs a server with echo: SAYDO_TEST_BASE_URL=http://127.0.0.1:PORT cargo test -p saydo-openai -- --ignored --nocapture"]
fn scores() {
    let continuations = [" Paris", " London", " banana", " Paris and"].map(str::to_owned).to_vec();
    let request = ScoreRequest::new(Prompt::plain("The capital of France is"), continuations);
    let scores = model().score(vec![request]).expect("the server can be reached").remove(0);
    println!("{scores:?}");
    let scores = scores.expect("the server scores");
    assert!(scores[0].log_prob > scores[1].log_prob && scores[1].log_prob > scores[2].log_prob);
    assert!(scores[3].log_prob < scores[0].log_prob && scores[3].tokens == scores[0].tokens + 1);
}

#[test]
#[ignore = "needs a server with top_logprobs: SAYDO_TEST_BASE_URL=http://127.0.0.1:PORT cargo test -p saydo-openai -- --ignored --nocapture"]
fn tells_labels_of_a_chat_apart() {
    let question = "Paris is the capital of France.\n\nQuestion: Is Paris in France?\nAnswer Yes or No.";
    let continuations = ["Yes", "No", "Not stated"].map(str::to_owned).to_vec();
    let request = ScoreRequest::new(Prompt::chat(question), continuations);
    let scores = model().score(vec![request]).expect("the server can be reached").remove(0);
    println!("{scores:?}");
    let scores = scores.expect("the server lists tokens");
    assert!(scores[0].log_prob > scores[1].log_prob && scores[1].log_prob > scores[2].log_prob);
}
