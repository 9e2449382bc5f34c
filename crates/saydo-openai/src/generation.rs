//! One request to continue a prompt, from its checks to its reply.

use crate::body::{Generation, is_chat};
use crate::reply::ReplyReader;
use crate::served::Served;
use crate::server::{SchemaForm, Server, Switch};
use crate::transport::Target;
use crate::{Error, beam, length};
use saydo_model::{Constraint, Reply, Request, Strategy};
use serde_json::Value;
use std::sync::Arc;

/// Asks a server to continue a prompt. What it refuses to be told is left out the next time, here and ever after.
pub(crate) async fn generate(served: Arc<Served>, request: Request) -> Result<Reply, Error> {
    let schema = request.constraint.as_deref().map(schema).transpose()?;
    if matches!(request.decoding.strategy, Strategy::Beam { .. }) {
        beam::check(&served).await?;
    }
    let max_tokens = length::resolve(&served, &request.decoding.max_tokens).await?;
    let chat = is_chat(served.settings.endpoint, &request.prompt);
    let target = Target::below(if chat { "chat/completions" } else { "completions" });
    let reader = ReplyReader { chat, stop: &request.decoding.stop };
    // Whether this request goes without its schema, to see whether that was why it was refused.
    let goes_bare = Switch::default();
    let body = |server: &Server| {
        let generation = Generation {
            prompt: &request.prompt,
            decoding: &request.decoding,
            schema,
            schema_form: if goes_bare.is_on() { SchemaForm::Nothing } else { server.schema.form() },
            max_tokens,
            renamed_max_tokens: server.renamed_max_tokens.is_on(),
            log_probs: (!server.without_log_probs.is_on()).then_some(1),
        };
        Some(generation.body(&served.settings))
    };
    let read = |server: &Server, answer: &Value| {
        let reply = reader.read(answer)?;
        if goes_bare.is_on() {
            forgo_schema(&served, server);
        }
        Ok(reply)
    };
    let learn = |server: &Server, error: &Error| {
        if error.refuses("logprobs") && !server.without_log_probs.is_on() {
            server.without_log_probs.turn_on();
            served.note(format!("{} gives no log-probabilities of replies", server.address.shown()));
            return true;
        }
        if error.refuses("max_completion_tokens") && chat && !server.renamed_max_tokens.is_on() {
            server.renamed_max_tokens.turn_on();
            return true;
        }
        if schema.is_none() || goes_bare.is_on() || server.schema.form() == SchemaForm::Nothing {
            return false;
        }
        if server.schema.form() == SchemaForm::JsonSchema && error.refuses("json_object") {
            server.schema.lower_to(SchemaForm::JsonObject);
        } else if ["response_format", "json_schema", "json_object"].iter().any(|word| error.refuses(word)) {
            forgo_schema(&served, server);
        } else if matches!(error, Error::Status { status: 400 | 404 | 422, .. }) {
            goes_bare.turn_on();
        } else {
            return false;
        }
        true
    };
    served.transport.ask(target, body, read, learn).await
}

fn forgo_schema(served: &Served, server: &Server) {
    server.schema.lower_to(SchemaForm::Nothing);
    served
        .note(format!("{} holds no reply to a JSON schema, so replies are read as they come", server.address.shown()));
}

/// The schema of a constraint that a server can keep.
pub(crate) fn schema(constraint: &Constraint) -> Result<&Value, Error> {
    let name = match constraint {
        Constraint::Json(schema) => return Ok(schema),
        Constraint::Text(_) => "a fixed text",
        Constraint::OneOf(_) => "one of several texts",
        Constraint::Sequence(_) => "a sequence of texts",
        Constraint::Repeat { .. } => "a repeated text",
        Constraint::PieceOf { .. } => "a piece of a given text",
        Constraint::Line { .. } => "a line of bounded length",
        Constraint::Number => "a number",
    };
    Err(Error::Unsupported {
        what: format!("constraining a served model to {name}"),
        advice: "ask for JSON of a schema, score the possible replies, or run the model locally".to_owned(),
    })
}
