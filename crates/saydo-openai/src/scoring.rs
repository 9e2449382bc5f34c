//! One request to score continuations: the server repeats the whole text with each token's log-probability.

use crate::body::{bare, echo, is_chat};
use crate::field::{Unusable, choice, usage_given};
use crate::served::Served;
use crate::server::Server;
use crate::transport::Target;
use crate::{Error, first_token, spelling};
use saydo_model::{Score, ScoreRequest};
use serde_json::Value;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Scores all continuations of a request at once, as far as the connections allow.
pub(crate) async fn score(served: Arc<Served>, request: ScoreRequest) -> Result<Vec<Score>, Error> {
    if is_chat(served.settings.endpoint, &request.prompt) {
        return first_token::score(&served, &request).await;
    }
    let prompt: Arc<str> = bare(&request.prompt).into();
    let mut scores = vec![Score { log_prob: 0.0, tokens: 0, is_greedy: true }; request.continuations.len()];
    let mut tasks = JoinSet::new();
    for (index, continuation) in request.continuations.into_iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let (served, prompt) = (Arc::clone(&served), Arc::clone(&prompt));
        tasks.spawn(async move { (index, score_one(&served, &prompt, &continuation).await) });
    }
    while let Some(joined) = tasks.join_next().await {
        let (index, score) = joined.map_err(|_| Error::Lost)?;
        scores[index] = score?;
    }
    Ok(scores)
}

async fn score_one(served: &Served, prompt: &str, continuation: &str) -> Result<Score, Error> {
    let body = echo(&served.settings, &format!("{prompt}{continuation}"));
    let read = |_: &Server, answer: &Value| read(answer, prompt, continuation);
    let result = served.transport.ask(Target::below("completions"), |_| Some(body.clone()), read, |_, _| false).await;
    result.map_err(|error| if error.refuses("echo") || error.refuses("logprobs") { unsupported() } else { error })
}

/// Sums the log-probabilities of the continuation's tokens.
fn read(answer: &Value, prompt: &str, continuation: &str) -> Result<Score, Unusable> {
    let log_probs = choice(answer)?.get("logprobs").filter(|value| !value.is_null());
    let log_probs = log_probs.ok_or_else(|| Unusable::Final(unsupported()))?;
    let list = |name: &str| log_probs.get(name).and_then(Value::as_array);
    let tokens = list("tokens").ok_or_else(|| Unusable::Final(unsupported()))?;
    let tokens: Vec<&str> = tokens.iter().map(|token| token.as_str().unwrap_or_default()).collect();
    // The tokens generated behind the text, at most the one asked for, are not part of it.
    let generated = usage_given(answer, "/completion_tokens").unwrap_or(1);
    let tokens = &tokens[..tokens.len().saturating_sub(generated)];
    if tokens.is_empty() {
        return Err(Unusable::Final(unsupported()));
    }
    let offsets = list("text_offset").ok_or(Unusable::Lacks("choices[0].logprobs.text_offset"))?;
    let offsets: Vec<usize> = offsets.iter().map_while(|offset| offset.as_u64()?.try_into().ok()).collect();
    let start = spelling::start(tokens, &offsets, prompt, continuation).filter(|_| !is_shifted(answer, tokens.len()));
    let start = start.ok_or_else(|| Unusable::Final(misaligned()))?;
    let token_log_probs = list("token_logprobs").ok_or(Unusable::Lacks("choices[0].logprobs.token_logprobs"))?;
    let top = list("top_logprobs").ok_or(Unusable::Lacks("choices[0].logprobs.top_logprobs"))?;
    let mut score = Score { log_prob: 0.0, tokens: tokens.len() - start, is_greedy: true };
    for token in start..tokens.len() {
        let log_prob = token_log_probs.get(token).and_then(Value::as_f64).ok_or_else(|| unknown(token))?;
        let best = top.get(token).and_then(best).ok_or(Unusable::Lacks("choices[0].logprobs.top_logprobs"))?;
        score.log_prob += log_prob;
        score.is_greedy &= log_prob >= best;
    }
    Ok(score)
}

/// Whether the log-probabilities may be those of the next token. llama-cpp-python's are, for models that put no token
/// in front of a text; it shows when the model generates nothing. Servers that generate something list it.
fn is_shifted(answer: &Value, tokens: usize) -> bool {
    let counts = (usage_given(answer, "/completion_tokens"), usage_given(answer, "/prompt_tokens"));
    counts == (Some(0), Some(tokens))
}

/// The greatest log-probability among a token's rivals.
fn best(top: &Value) -> Option<f64> {
    top.as_object()?.values().filter_map(Value::as_f64).reduce(f64::max)
}

/// What a token without log-probability means: of the first one, nobody can say how likely it is.
fn unknown(token: usize) -> Unusable {
    if token > 0 {
        return Unusable::Lacks("choices[0].logprobs.token_logprobs");
    }
    Unusable::Final(Error::Unsupported {
        what: "the score of a text's first token".to_owned(),
        advice: "put a prompt of at least one token in front of the continuations".to_owned(),
    })
}

fn unsupported() -> Error {
    Error::Unsupported {
        what: "scoring on a server that does not repeat the prompt with log-probabilities (`echo` and `logprobs`)"
            .to_owned(),
        advice: "serve the model with vLLM, or run it locally".to_owned(),
    }
}

fn misaligned() -> Error {
    Error::Unsupported {
        what: "scoring on a server whose log-probabilities do not line up with the text".to_owned(),
        advice: "serve the model with vLLM, or run it locally".to_owned(),
    }
}

#[cfg(test)]
mod tests;
