//! One request to continue a prompt, from its checks to its reply.

use crate::body::{Generation, is_chat};
use crate::reply::ReplyReader;
use crate::served::Served;
use crate::{Error, beam, length};
use saydo_model::{Constraint, Reply, Request, Strategy};
use serde_json::Value;
use std::sync::Arc;

/// Asks the server to continue a prompt. What it refuses to be told is left out the next time, here and ever after.
pub(crate) async fn generate(served: Arc<Served>, request: Request) -> Result<Reply, Error> {
    let schema = request.constraint.as_deref().map(schema).transpose()?;
    if matches!(request.decoding.strategy, Strategy::Beam { .. }) {
        beam::check(&served).await?;
    }
    let max_tokens = length::resolve(&served, &request.decoding.max_tokens).await?;
    let chat = is_chat(served.settings.endpoint, &request.prompt);
    let url = served.address.endpoint(if chat { "chat/completions" } else { "completions" });
    let reader = ReplyReader { chat, stop: &request.decoding.stop };
    loop {
        let generation = Generation {
            prompt: &request.prompt,
            decoding: &request.decoding,
            schema,
            schema_in_json_object: served.schema_in_json_object.is_on(),
            max_tokens,
            renamed_max_tokens: served.renamed_max_tokens.is_on(),
            log_probs: !served.without_log_probs.is_on(),
        };
        let body = generation.body(&served.settings);
        match served.transport.ask(&url, Some(&body), |answer| reader.read(answer)).await {
            Err(error) if error.refuses("logprobs") && generation.log_probs => {
                served.without_log_probs.turn_on();
                served.note(format!("{} gives no log-probabilities of replies", served.address.shown()));
            }
            Err(error) if error.refuses("max_completion_tokens") && chat && !generation.renamed_max_tokens => {
                served.renamed_max_tokens.turn_on();
            }
            Err(error) if error.refuses("json_object") && schema.is_some() && !generation.schema_in_json_object => {
                served.schema_in_json_object.turn_on();
            }
            result => return result,
        }
    }
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
        what: format!("a served model's reply held to {name}"),
        advice: "ask for JSON of a schema, score the possible replies, or run the model locally".to_owned(),
    })
}
