//! OpenAI's API over the loaded model, so that other tools can use it, and Saydo itself as `openai:NAME`.
//!
//! The model gives whole replies, so a stream is one piece and the end.

use crate::failure::{Answered, Failure};
use crate::input::Input;
use crate::{Access, App, Route, secret};
use axum::Json;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use saydo_model::{Decoding, Finish, Form, MaxTokens, Prompt, Reply, Request, Strategy};
use serde::Deserialize;
use serde_json::{Value, json};

/// Tokens of a reply where nobody says, and at most.
const MAX_TOKENS: usize = 256;
const MOST_TOKENS: usize = 4096;

pub(super) fn routes() -> Vec<Route> {
    let sampling = json!({
        "model": {"type": "string"},
        "max_tokens": {"type": "integer", "minimum": 1, "maximum": MOST_TOKENS},
        "temperature": {"type": "number", "minimum": 0},
        "top_p": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "seed": {"type": "integer", "minimum": 0},
        "stop": {"type": ["string", "array"], "items": {"type": "string"}},
        "stream": {"type": "boolean"},
    });
    let with = |name: &str, schema: Value| {
        let mut properties = sampling.clone();
        properties[name] = schema;
        json!({"type": "object", "required": [name], "properties": properties})
    };
    let messages = json!({"type": "array", "minItems": 1, "items": {
        "type": "object",
        "required": ["role", "content"],
        "properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": {"type": "string"}},
    }});
    vec![
        Route::api(Method::POST, "/v1/chat/completions", Access::Owner, "The model's turn in a conversation", chat)
            .takes(with("messages", messages))
            .streams("text/event-stream"),
        Route::api(Method::POST, "/v1/completions", Access::Owner, "The model's continuation of a prompt", complete)
            .takes(with("prompt", json!({"type": "string"})))
            .streams("text/event-stream"),
    ]
}

/// How a reply is wanted. Fields of OpenAI's API that the model has no use for are let pass.
#[derive(Deserialize)]
struct Sampling {
    model: Option<String>,
    max_tokens: Option<usize>,
    max_completion_tokens: Option<usize>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    seed: Option<u64>,
    stop: Option<Value>,
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
struct Chat {
    messages: Vec<Message>,
    #[serde(flatten)]
    sampling: Sampling,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: String,
}

#[derive(Deserialize)]
struct Completion {
    prompt: String,
    #[serde(flatten)]
    sampling: Sampling,
}

async fn chat(State(app): State<App>, Input(chat): Input<Chat>) -> Answered<Response> {
    let engine = app.engine(chat.sampling.model.as_deref())?;
    let prompt = conversation(chat.messages, engine.is_chat())?;
    let reply = engine.generate(Request::new(prompt, chat.sampling.decoding()?)).await?;
    let (id, created, model) = (format!("chatcmpl-{}", &secret::token()?[..24]), app.now(), engine.name());
    let finish = finish(&reply);
    if chat.sampling.stream {
        let piece = |delta: Value, finish: Value| {
            json!({"id": id, "object": "chat.completion.chunk", "created": created, "model": model,
                   "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        };
        let first = piece(json!({"role": "assistant", "content": reply.text}), Value::Null);
        return Ok(stream(&[first, piece(json!({}), json!(finish))]));
    }
    Ok(Json(json!({
        "id": id, "object": "chat.completion", "created": created, "model": model,
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": reply.text},
            "logprobs": null,
            "finish_reason": finish,
        }],
        "usage": usage(&reply),
    }))
    .into_response())
}

async fn complete(State(app): State<App>, Input(completion): Input<Completion>) -> Answered<Response> {
    let engine = app.engine(completion.sampling.model.as_deref())?;
    let request = Request::new(Prompt::plain(completion.prompt), completion.sampling.decoding()?);
    let reply = engine.generate(request).await?;
    let body = json!({
        "id": format!("cmpl-{}", &secret::token()?[..24]),
        "object": "text_completion", "created": app.now(), "model": engine.name(),
        "choices": [{"index": 0, "text": reply.text, "logprobs": null, "finish_reason": finish(&reply)}],
        "usage": usage(&reply),
    });
    Ok(if completion.sampling.stream { stream(&[body]) } else { Json(body).into_response() })
}

/// A conversation as one prompt. The model's template knows a system message and one turn; earlier turns are written out
/// before the last one.
fn conversation(messages: Vec<Message>, is_chat: bool) -> Answered<Prompt> {
    let (system, turns): (Vec<Message>, Vec<Message>) = messages.into_iter().partition(|one| one.role == "system");
    if let Some(odd) = turns.iter().find(|one| !["user", "assistant"].contains(&one.role.as_str())) {
        return Err(Failure::bad(format!("a message by {:?}, expected system, user or assistant", odd.role)));
    }
    let text = match turns.as_slice() {
        [] => return Err(Failure::bad("there is no message by the user")),
        [one] => one.content.clone(),
        several => several.iter().map(|one| format!("{}: {}", one.role, one.content)).collect::<Vec<_>>().join("\n\n"),
    };
    let system: Vec<String> = system.into_iter().map(|one| one.content).collect();
    let system = Some(system.join("\n\n")).filter(|system| !system.is_empty());
    if is_chat {
        return Ok(Prompt { form: Form::Chat { system: system.map(Into::into) }, ..Prompt::plain(text) });
    }
    Ok(Prompt::plain(system.into_iter().chain([text]).collect::<Vec<_>>().join("\n\n")))
}

impl Sampling {
    fn decoding(&self) -> Answered<Decoding> {
        let max_tokens = self.max_completion_tokens.or(self.max_tokens).unwrap_or(MAX_TOKENS);
        if !(1..=MOST_TOKENS).contains(&max_tokens) {
            return Err(Failure::bad(format!("max_tokens is {max_tokens}, expected 1 to {MOST_TOKENS}")));
        }
        let temperature = self.temperature.unwrap_or(0.0);
        let top_p = self.top_p.unwrap_or(1.0);
        if !(temperature >= 0.0 && temperature.is_finite() && top_p > 0.0 && top_p <= 1.0) {
            return Err(Failure::bad("expected a temperature of 0 or more, and a top_p above 0 and up to 1"));
        }
        let strategy = match temperature > 0.0 {
            true => Strategy::Sample { temperature, top_p, seed: self.seed.unwrap_or(0) },
            false => Strategy::Greedy,
        };
        let stop = match &self.stop {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => vec![text.clone()],
            Some(list) => serde_json::from_value(list.clone())
                .map_err(|_| Failure::bad("expected stop to be a text or a list of texts"))?,
        };
        let stop = stop.into_iter().filter(|text: &String| !text.is_empty()).collect();
        Ok(Decoding { strategy, max_tokens: MaxTokens::Count(max_tokens), min_tokens: 0, stop })
    }
}

fn finish(reply: &Reply) -> &'static str {
    if reply.finish == Finish::Length { "length" } else { "stop" }
}

fn usage(reply: &Reply) -> Value {
    let (prompt, written) = (reply.usage.prompt_tokens, reply.usage.reply_tokens);
    json!({"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written})
}

fn stream(pieces: &[Value]) -> Response {
    let lines: String = pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], lines + "data: [DONE]\n\n").into_response()
}
