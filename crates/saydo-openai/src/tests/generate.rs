//! What is sent for a prompt, and what is made of the answer.

use super::{chat, generate, model, model_with, plain};
use crate::Endpoint;
use crate::fake_server::{Action, FakeServer, Received};
use saydo_model::{Constraint, Decoding, Finish, Form, MaxTokens, Model, Prompt, Request, Strategy, Usage};
use serde_json::json;
use std::sync::{Arc, Barrier};

fn completion(text: &str) -> Action {
    Action::ok(json!({"choices": [{"text": text, "finish_reason": "stop"}]}))
}

/// Answers either endpoint.
fn either(received: &Received) -> Action {
    if received.line.ends_with("/chat/completions") { Action::chat("fine") } else { completion("fine") }
}

#[test]
fn a_chat_prompt_is_sent_as_messages_and_its_answer_read() {
    let server = FakeServer::start(|_, _| {
        Action::ok(json!({
            "choices": [{
                "message": {"role": "assistant", "content": "Blue."},
                "finish_reason": "stop",
                "logprobs": {"content": [{"token": "Blue", "logprob": -0.5}, {"token": ".", "logprob": -0.25}]},
            }],
            "usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}},
        }))
    });
    let form = Form::Chat { system: Some("Be brief.".into()) };
    let prompt = Prompt { form, ..Prompt::plain("Name one.") }.with_prefix("Colors. ");
    let reply = generate(&model(&server), Request::new(prompt, Decoding::greedy(8))).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish, reply.log_prob), ("Blue.", Finish::End, Some(-0.75)));
    assert_eq!(reply.usage, Usage { prompt_tokens: 9, cached_tokens: 4, reply_tokens: 3 });
    let received = &server.received()[0];
    assert_eq!((received.line.as_str(), &received.authorization), ("POST /v1/chat/completions", &None));
    insta::assert_snapshot!(received.body, @r#"{"model":"tiny","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Colors. Name one."}],"max_tokens":8,"temperature":0,"logprobs":true,"top_logprobs":1}"#);
}

#[test]
fn a_plain_prompt_is_sent_as_it_is() {
    let server = FakeServer::start(|_, _| {
        Action::ok(json!({
            "choices": [{
                "text": " red, green",
                "finish_reason": "length",
                "logprobs": {"tokens": [" red", ",", " green"], "token_logprobs": [-1.0, -0.5, -0.25]},
            }],
        }))
    });
    let strategy = Strategy::Sample { temperature: 0.5, top_p: 0.9, seed: 7 };
    let decoding = Decoding { strategy, ..Decoding::greedy(3) }.with_stop(["a", "b", "", "c", "d", ","]);
    let reply = generate(&model(&server), Request::new(Prompt::plain("Colors:"), decoding)).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), (" re", Finish::Stop));
    assert_eq!(reply.log_prob, Some(-1.0));
    assert_eq!(server.received()[0].line, "POST /v1/completions");
    insta::assert_snapshot!(server.bodies()[0], @r#"{"model":"tiny","prompt":"Colors:","max_tokens":3,"temperature":0.5,"top_p":0.9,"seed":7,"stop":["a","b","c","d"],"logprobs":1}"#);
}

#[test]
fn the_endpoint_can_be_chosen_for_all_prompts() {
    let server = FakeServer::start(|received, _| either(received));
    let (completions, _) = model_with(&server, |settings| settings.endpoint = Endpoint::Completions);
    let (chats, _) = model_with(&server, |settings| settings.endpoint = Endpoint::Chat);
    let prompt = Prompt { form: Form::Chat { system: Some("S".into()) }, ..Prompt::plain("T") };
    generate(&completions, Request::new(prompt, Decoding::greedy(1))).unwrap();
    generate(&chats, plain("T")).unwrap();
    let lines: Vec<String> = server.received().into_iter().map(|received| received.line).collect();
    assert_eq!(lines, ["POST /v1/completions", "POST /v1/chat/completions"]);
    assert_eq!(server.bodies()[0]["prompt"], "S\n\nT");
    assert_eq!(server.bodies()[1]["messages"], json!([{"role": "user", "content": "T"}]));
}

#[test]
fn additional_fields_go_with_every_request_unless_they_are_set_already() {
    let server = FakeServer::start(|received, _| either(received));
    let (model, _) = model_with(&server, |settings| {
        settings.extra_body.insert("repeat_penalty".to_owned(), json!(1.0));
    });
    generate(&model, chat("x")).unwrap();
    assert_eq!(server.bodies()[0]["repeat_penalty"], json!(1.0));
    let mut settings = crate::Settings::new(server.url(), "tiny");
    settings.extra_body.insert("temperature".to_owned(), json!(1));
    let error = crate::OpenAiModel::new(settings).err().unwrap();
    insta::assert_snapshot!(error, @r#"extra_body holds "temperature", which is set from the request, expected other fields"#);
}

#[test]
fn a_schema_is_sent_and_other_constraints_are_refused_one_by_one() {
    let server = FakeServer::start(|received, _| either(received));
    let held = |constraint| Request { constraint: Some(Arc::new(constraint)), ..chat("x") };
    let schema = json!({"type": "object", "properties": {"b": {}, "a": {}}});
    let requests = vec![held(Constraint::Text("x".to_owned())), held(Constraint::Json(schema)), chat("x")];
    let replies = model(&server).generate(requests).unwrap();
    insta::assert_snapshot!(replies[0].as_ref().unwrap_err(), @"constraining a served model to a fixed text is not supported; ask for JSON of a schema, score the possible replies, or run the model locally");
    assert!(replies[1].is_ok() && replies[2].is_ok());
    let bodies = server.bodies();
    let sent = bodies.iter().find(|body| body.get("response_format").is_some()).unwrap();
    assert_eq!(bodies.len(), 2);
    insta::assert_snapshot!(sent["response_format"], @r#"{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","properties":{"b":{},"a":{}}},"strict":true}}"#);
}

#[test]
fn a_schema_is_sent_the_older_way_to_servers_that_know_no_other() {
    let server = FakeServer::start(|received, _| match received.body["response_format"]["type"].as_str() {
        Some("json_schema") => Action::error(500, "response_format.type: Input should be 'text' or 'json_object'"),
        _ => Action::chat("{}"),
    });
    let (model, _) = model_with(&server, |settings| settings.max_retries = 0);
    let request = Request { constraint: Some(Arc::new(Constraint::Json(json!({"type": "object"})))), ..chat("x") };
    generate(&model, request.clone()).unwrap();
    generate(&model, request).unwrap();
    assert_eq!(server.received().len(), 3);
    insta::assert_snapshot!(server.bodies()[2]["response_format"], @r#"{"type":"json_object","schema":{"type":"object"}}"#);
}

#[test]
fn a_relative_length_is_counted_by_the_server_if_it_can() {
    let server = FakeServer::start(|received, _| match received.line.as_str() {
        "POST /tokenize" => Action::ok(json!({"tokens": [5, 6, 7]})),
        _ => either(received),
    });
    let model = model(&server);
    let max_tokens = MaxTokens::Beyond { text: "one two three".to_owned(), plus: 20 };
    generate(&model, Request::new(Prompt::chat("x"), Decoding { max_tokens, ..Decoding::default() })).unwrap();
    insta::assert_snapshot!(server.bodies()[0], @r#"{"model":"tiny","prompt":"one two three","add_special_tokens":false,"content":"one two three","add_special":false}"#);
    assert_eq!(server.bodies()[1]["max_tokens"], 23);
    assert!(model.notes().is_empty());
}

#[test]
fn a_relative_length_is_estimated_if_the_server_cannot_count() {
    let server = FakeServer::start(|received, _| match received.line.as_str() {
        "POST /tokenize" => Action::error(404, "Not Found"),
        _ => either(received),
    });
    let model = model(&server);
    let max_tokens = MaxTokens::Beyond { text: "ü".repeat(10), plus: 20 };
    let request = Request::new(Prompt::chat("x"), Decoding { max_tokens, ..Decoding::default() });
    generate(&model, request.clone()).unwrap();
    generate(&model, request).unwrap();
    assert_eq!(server.received().iter().filter(|received| received.line == "POST /tokenize").count(), 1);
    assert_eq!(server.bodies()[1]["max_tokens"], 24);
    let notes = model.notes().join("\n").replace(&server.url(), "http://SERVER");
    insta::assert_snapshot!(notes, @"http://SERVER/v1 counts no tokens, so the length of a reply that depends on a text's is estimated: 3 characters of the text as one token");
}

#[test]
fn beams_are_for_vllm_alone() {
    let beam = Strategy::Beam { width: 4, length_penalty: 0.5, early_stopping: true };
    let request = Request::new(Prompt::chat("x"), Decoding { strategy: beam, ..Decoding::greedy(8) });
    for (owner, supported) in [("vllm", true), ("llamacpp", false)] {
        let server = FakeServer::start(move |received, _| match received.line.as_str() {
            "GET /v1/models" => Action::ok(json!({"data": [{"id": "tiny", "owned_by": owner}]})),
            _ => either(received),
        });
        let result = generate(&model(&server), request.clone());
        assert_eq!(result.is_ok(), supported);
        if supported {
            insta::assert_snapshot!(server.bodies()[1], @r#"{"model":"tiny","messages":[{"role":"user","content":"x"}],"max_tokens":8,"temperature":0,"use_beam_search":true,"n":4,"length_penalty":0.5,"logprobs":true,"top_logprobs":1}"#);
        } else {
            insta::assert_snapshot!(result.unwrap_err(), @"beam search on a server other than vLLM is not supported; run the model locally, serve it with vLLM, or decode greedily");
        }
    }
}

#[test]
fn log_probabilities_that_are_refused_are_not_asked_for_again() {
    let server = FakeServer::start(|received, _| match received.body.get("logprobs") {
        Some(_) => Action::error(400, "logprobs is not supported by this model"),
        None => Action::chat("fine"),
    });
    let (model, pauses) = model_with(&server, |_| {});
    assert_eq!(generate(&model, chat("a")).unwrap().log_prob, None);
    assert_eq!(generate(&model, chat("b")).unwrap().text, "fine");
    let asked: Vec<bool> = server.bodies().iter().map(|body| body.get("logprobs").is_some()).collect();
    assert_eq!(asked, [true, false, false]);
    assert!(pauses.lock().unwrap().is_empty());
    assert_eq!(model.notes(), [format!("{}/v1 gives no log-probabilities of replies", server.url())]);
}

/// A request for JSON of a schema.
fn held(text: &str) -> Request {
    Request { constraint: Some(Arc::new(Constraint::Json(json!({"type": "object"})))), ..chat(text) }
}

#[test]
fn a_server_that_refuses_schemas_is_asked_without() {
    // One that names the parameter, one that names another form first, one that says nothing of use.
    let refusals: [(u16, &str, usize); 4] = [
        (400, "response_format is not supported", 3),
        (422, "json_schema: unknown; expected text or json_object", 4),
        (404, "bad request", 3),
        (422, "unprocessable", 3),
    ];
    for (status, message, requests) in refusals {
        let server = FakeServer::start(move |received, _| match received.body.get("response_format") {
            Some(_) => Action::error(status, message),
            None => Action::chat("{}"),
        });
        let model = model(&server);
        assert_eq!(generate(&model, held("a")).unwrap().text, "{}");
        assert_eq!(generate(&model, held("b")).unwrap().text, "{}");
        let asked = server.bodies();
        assert_eq!(asked.len(), requests, "{message}");
        assert!(asked.last().is_some_and(|body| body.get("response_format").is_none()));
        let note = format!("{}/v1 holds no reply to a JSON schema, so replies are read as they come", server.url());
        assert_eq!(model.notes(), [note]);
    }
}

#[test]
fn a_request_that_fails_without_its_schema_too_says_nothing_about_schemas() {
    let server = FakeServer::start(|received, _| match received.body["messages"][0]["content"].as_str() {
        Some("bad") => Action::error(400, "too long"),
        _ => Action::chat("{}"),
    });
    let model = model(&server);
    assert!(generate(&model, held("bad")).is_err());
    generate(&model, held("good")).unwrap();
    let asked: Vec<bool> = server.bodies().iter().map(|body| body.get("response_format").is_some()).collect();
    assert_eq!((asked, model.notes().len()), (vec![true, false, true], 0));
}

#[test]
fn a_renamed_length_is_remembered() {
    let server = FakeServer::start(|received, _| match received.body.get("max_tokens") {
        Some(_) => Action::error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        None => Action::chat("fine"),
    });
    let model = model(&server);
    generate(&model, chat("a")).unwrap();
    generate(&model, chat("b")).unwrap();
    let bodies = server.bodies();
    assert_eq!((bodies.len(), &bodies[2]["max_completion_tokens"]), (3, &json!(8)));
}

#[test]
fn requests_overlap_up_to_the_bound_and_never_beyond() {
    // Nobody passes the barrier unless three are in flight at once.
    let barrier = Barrier::new(3);
    let server = FakeServer::start(move |_, _| {
        barrier.wait();
        Action::chat("fine")
    });
    let (model, _) = model_with(&server, |settings| settings.max_connections = 3);
    let replies = model.generate((0..9).map(|number| chat(&number.to_string())).collect()).unwrap();
    assert!(replies.iter().all(Result::is_ok));
    assert_eq!(server.peak(), 3);
}

#[test]
fn the_model_can_be_used_and_dropped_on_an_async_thread() {
    let server = FakeServer::start(|_, _| Action::chat("fine"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    runtime.block_on(async { assert_eq!(generate(&model(&server), chat("x")).unwrap().text, "fine") });
}
