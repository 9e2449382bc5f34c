//! From a server's answer to a reply.

use crate::Error;
use crate::field::{Unusable, choice, usage};
use saydo_model::{Finish, Reply, Usage};
use serde_json::Value;

/// What it takes to read an answer.
pub(crate) struct ReplyReader<'a> {
    /// Whether it comes from the chat endpoint.
    pub(crate) chat: bool,
    /// The stop strings of the request, all of them: a server may know fewer, or leave them in.
    pub(crate) stop: &'a [String],
}

impl ReplyReader<'_> {
    pub(crate) fn read(&self, answer: &Value) -> Result<Reply, Unusable> {
        let choice = choice(answer)?;
        let mut text = if self.chat { chat_text(choice)? } else { completion_text(choice)? };
        let finish = finish(choice)?;
        let cut = self.cut(&text);
        let log_prob = log_prob(choice, cut.map(|(_, end)| end));
        text.truncate(cut.map_or(text.len(), |(start, _)| start));
        let usage = Usage {
            prompt_tokens: usage(answer, "/prompt_tokens"),
            cached_tokens: usage(answer, "/prompt_tokens_details/cached_tokens"),
            reply_tokens: usage(answer, "/completion_tokens"),
        };
        Ok(Reply {
            text,
            tokens: Vec::new(),
            finish: if cut.is_some() { Finish::Stop } else { finish },
            log_prob,
            first_log_prob: choice.get("logprobs").and_then(tokens).and_then(|tokens| tokens.first()?.1),
            opening_log_odds: None,
            usage,
        })
    }

    /// Where the first stop string starts and ends.
    fn cut(&self, text: &str) -> Option<(usize, usize)> {
        let stop = self.stop.iter().filter(|stop| !stop.is_empty());
        stop.filter_map(|stop| text.find(stop).map(|start| (start, start + stop.len()))).min()
    }
}

/// The content, the words of a refusal, or nothing if the server says so.
fn chat_text(choice: &Value) -> Result<String, Unusable> {
    let message = choice.get("message").ok_or(Unusable::Lacks("choices[0].message"))?;
    match message.get("content") {
        Some(Value::String(content)) => Ok(content.clone()),
        Some(Value::Null) => Ok(message.get("refusal").and_then(Value::as_str).unwrap_or_default().to_owned()),
        _ => Err(Unusable::Lacks("choices[0].message.content")),
    }
}

fn completion_text(choice: &Value) -> Result<String, Unusable> {
    let text = choice.get("text").and_then(Value::as_str);
    text.map(str::to_owned).ok_or(Unusable::Lacks("choices[0].text"))
}

/// Why it ended. Only vLLM tells a stop string from the model's own end; for others both are the end.
fn finish(choice: &Value) -> Result<Finish, Unusable> {
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("length") => Ok(Finish::Length),
        Some("content_filter") => Err(Unusable::Final(Error::Withheld { reason: "content_filter".to_owned() })),
        _ if choice.get("stop_reason").is_some_and(Value::is_string) => Ok(Finish::Stop),
        _ => Ok(Finish::End),
    }
}

/// The sum of the log-probabilities of the tokens that start before `end`, a byte of the text.
fn log_prob(choice: &Value, end: Option<usize>) -> Option<f64> {
    let tokens = tokens(choice.get("logprobs")?)?;
    let mut start = 0;
    let mut sum = 0.0;
    for (length, log_prob) in &tokens {
        if end.is_some_and(|end| start >= end) {
            break;
        }
        sum += (*log_prob)?;
        start += length;
    }
    (!tokens.is_empty()).then_some(sum)
}

/// Each token's length in bytes and log-probability: as objects (chat, and llama-server everywhere) or as two lists.
fn tokens(log_probs: &Value) -> Option<Vec<(usize, Option<f64>)>> {
    let length = |token: &Value| token.as_str().map_or(0, str::len);
    if let Some(content) = log_probs.get("content").and_then(Value::as_array) {
        let bytes = |token: &Value| token.get("bytes").and_then(Value::as_array).map(Vec::len);
        let read = |token: &Value| {
            let length = bytes(token).unwrap_or_else(|| token.get("token").map_or(0, length));
            (length, token.get("logprob").and_then(Value::as_f64))
        };
        return Some(content.iter().map(read).collect());
    }
    let texts = log_probs.get("tokens")?.as_array()?;
    let log_probs = log_probs.get("token_logprobs")?.as_array()?;
    Some(texts.iter().zip(log_probs).map(|(text, log_prob)| (length(text), log_prob.as_f64())).collect())
}

#[cfg(test)]
mod tests;
