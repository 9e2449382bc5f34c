//! Scores of continuations over the wire.

use super::model_with;
use crate::Endpoint;
use crate::fake_server::{Action, FakeServer, Received};
use saydo_model::{Error, Model, Prompt, Score, ScoreRequest};
use serde_json::{Value, json};

/// A server whose tokens are words with the space before them. The more letters, the less likely.
fn echo(received: &Received) -> Action {
    let prompt = received.body["prompt"].as_str().expect("a prompt is text");
    let text = format!("{prompt} more");
    let starts: Vec<usize> = text.char_indices().filter(|(at, c)| *at == 0 || *c == ' ').map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let tokens: Vec<&str> = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect();
    let log_prob = |token: &&str| -(token.len() as f64);
    let mut log_probs: Vec<Value> = tokens.iter().map(|token| json!(log_prob(token))).collect();
    let mut top: Vec<Value> = tokens.iter().map(|token| json!({" no": -3.0, *token: log_prob(token)})).collect();
    (log_probs[0], top[0]) = (Value::Null, Value::Null);
    let logprobs = json!({"tokens": tokens, "text_offset": starts, "token_logprobs": log_probs, "top_logprobs": top});
    Action::ok(json!({"choices": [{"text": text, "logprobs": logprobs}], "usage": {"completion_tokens": 1}}))
}

fn request(prompt: Prompt, continuations: &[&str]) -> ScoreRequest {
    ScoreRequest::new(prompt, continuations.iter().map(|text| (*text).to_owned()).collect())
}

fn score(server: &FakeServer, request: ScoreRequest) -> Result<Vec<Score>, Error> {
    let (model, _) = model_with(server, |_| {});
    model.score(vec![request]).expect("the call succeeds").remove(0)
}

#[test]
fn continuations_are_scored_in_order() {
    let server = FakeServer::start(|received, _| echo(received));
    let prompt = Prompt::plain("it?").with_prefix("Is ");
    let scores = score(&server, request(prompt, &[" no", " not sure", "", " yes"])).unwrap();
    let expected = [(-3.0, 1, true), (-9.0, 2, false), (0.0, 0, true), (-4.0, 1, false)];
    let expected = expected.map(|(log_prob, tokens, is_greedy)| Score { log_prob, tokens, is_greedy });
    assert_eq!(scores, expected);
    let bodies = server.bodies();
    assert_eq!(bodies.len(), 3);
    let sent = bodies.iter().find(|body| body["prompt"] == "Is it? no").unwrap();
    insta::assert_snapshot!(sent, @r#"{"model":"tiny","prompt":"Is it? no","max_tokens":1,"temperature":0,"echo":true,"logprobs":1}"#);
}

#[test]
fn many_requests_keep_to_the_bound_and_to_their_numbers() {
    let server =
        FakeServer::start(|received, before| if before % 7 == 3 { Action::error(503, "busy") } else { echo(received) });
    let (model, _) = model_with(&server, |settings| settings.max_connections = 4);
    let letters = |count: usize| format!(" {}", "x".repeat(count));
    let make = |count: usize| request(Prompt::plain("Is"), &[&letters(count), &letters(count + 1)]);
    let scores = model.score((0..40).map(make).collect()).unwrap();
    for (count, scores) in scores.into_iter().enumerate() {
        let found: Vec<f64> = scores.unwrap().iter().map(|score| score.log_prob).collect();
        assert_eq!(found, [-(count as f64 + 1.0), -(count as f64 + 2.0)]);
    }
    assert!(server.peak() <= 4, "{} at once", server.peak());
}

#[test]
fn servers_without_echo_are_told_from_broken_ones() {
    let unsupported = "scoring on a server that does not repeat the prompt with log-probabilities (`echo` and \
                       `logprobs`) is not supported; serve the model with vLLM, or run it locally";
    // llama-server refuses; Ollama ignores the parameter and gives no log-probabilities; others give the reply's only.
    let answers: [fn() -> Action; 4] = [
        || Action::error(500, "Only no echo is supported"),
        || Action::error(400, "logprobs are not available"),
        || Action::ok(json!({"choices": [{"text": "x"}]})),
        || {
            let logprobs = json!({"tokens": ["x"], "token_logprobs": [-1], "top_logprobs": [{}], "text_offset": [0]});
            Action::ok(json!({"choices": [{"text": "x", "logprobs": logprobs}], "usage": {"completion_tokens": 1}}))
        },
    ];
    for answer in answers {
        let server = FakeServer::start(move |_, _| answer());
        let error = score(&server, request(Prompt::plain("Is"), &[" no"])).unwrap_err();
        assert_eq!(error.to_string(), unsupported);
        assert_eq!(server.received().len(), 1);
    }
}

#[test]
fn chat_prompts_are_scored_whole_if_sent_bare() {
    let server = FakeServer::start(|received, _| echo(received));
    let (model, _) = model_with(&server, |settings| settings.endpoint = Endpoint::Completions);
    let chat = request(Prompt::chat("Is it?"), &[" no"]);
    assert_eq!(model.score(vec![chat]).unwrap().remove(0).unwrap()[0].log_prob, -3.0);
}

#[test]
fn chat_prompts_are_scored_by_the_first_token() {
    let server = FakeServer::start(|_, _| {
        let top = [("Yes", 0.75), ("Not", 0.125), ("No", 0.0625)];
        let top = top.map(|(token, p): (&str, f64)| json!({"token": token, "logprob": p.ln()}));
        let first = json!({"token": "Yes", "logprob": -0.1, "top_logprobs": top});
        Action::ok(json!({"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": [first]}}]}))
    });
    let scores = score(&server, request(Prompt::chat("Is it?"), &["Yes", "No", "Not stated"])).unwrap();
    let seen: Vec<(f64, bool)> =
        scores.iter().map(|score| ((score.log_prob.exp() * 1e6).round() / 1e6, score.is_greedy)).collect();
    assert_eq!(seen, [(0.75, true), (0.0625, false), (0.125, false)]);
    insta::assert_snapshot!(server.bodies()[0], @r#"{"model":"tiny","messages":[{"role":"user","content":"Is it?"}],"max_tokens":1,"temperature":0,"logprobs":true,"top_logprobs":20}"#);
}

#[test]
fn a_server_that_lists_no_tokens_is_not_asked_for_them_again() {
    let answers: [fn() -> Action; 3] = [
        || Action::chat("Yes"),
        || Action::error(400, "logprobs are not available"),
        || Action::error(500, "no logprobs"),
    ];
    for answer in answers {
        let server = FakeServer::start(move |_, _| answer());
        let (model, pauses) = model_with(&server, |_| {});
        for _ in 0..2 {
            let asked = request(Prompt::chat("Is it?"), &["Yes", "No"]);
            let error = model.score(vec![asked]).unwrap().remove(0).unwrap_err();
            let expected = "scoring of chat prompts on a server that does not list the likeliest tokens \
                            (`top_logprobs`) is not supported; use a plain prompt, or run the model locally";
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!((server.received().len(), pauses.lock().unwrap().len()), (1, 0));
    }
}
