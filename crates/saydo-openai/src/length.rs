//! The max length of a reply, in the server's tokens.

use crate::Error;
use crate::field::Unusable;
use crate::served::Served;
use crate::server::Server;
use crate::transport::Target;
use saydo_model::MaxTokens;
use serde_json::{Value, json};

/// How many characters a token is taken to have if the server does not count: few, so that replies are not cut short.
const CHARACTERS_PER_TOKEN: usize = 3;

/// The number of tokens `max_tokens` stands for.
pub(crate) async fn resolve(served: &Served, max_tokens: &MaxTokens) -> Result<usize, Error> {
    match max_tokens {
        MaxTokens::Count(count) => Ok(*count),
        MaxTokens::Beyond { text, plus } => Ok(count(served, text).await?.saturating_add(*plus)),
    }
}

/// The number of tokens of `text`: counted by the server's `/tokenize` if it has one, else estimated.
async fn count(served: &Served, text: &str) -> Result<usize, Error> {
    if !served.without_tokenize.is_on() {
        match ask(served, text).await {
            Err(Error::Status { .. } | Error::Malformed { .. } | Error::Unauthorized { .. }) => {
                served.without_tokenize.turn_on();
            }
            counted => return counted,
        }
    }
    let urls: Vec<String> = served.servers().iter().map(|server| server.address.shown()).collect();
    served.note(format!(
        "{} counts no tokens, so the length of a reply that depends on a text's is estimated: {CHARACTERS_PER_TOKEN} \
         characters of the text as one token",
        urls.join(" or ")
    ));
    Ok(estimated(text))
}

/// The number of tokens `max_tokens` stands for, if no server can be asked.
pub(crate) fn estimate(max_tokens: &MaxTokens) -> usize {
    match max_tokens {
        MaxTokens::Count(count) => *count,
        MaxTokens::Beyond { text, plus } => estimated(text).saturating_add(*plus),
    }
}

fn estimated(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_PER_TOKEN)
}

/// Asks in the words of vLLM and of llama-server at once; each ignores the other's.
async fn ask(served: &Served, text: &str) -> Result<usize, Error> {
    let body = json!({
        "model": served.settings.model,
        "prompt": text,
        "add_special_tokens": false,
        "content": text,
        "add_special": false,
    });
    let read = |_: &Server, answer: &Value| {
        let tokens = answer.get("tokens").and_then(Value::as_array);
        tokens.map(Vec::len).ok_or(Unusable::Lacks("tokens"))
    };
    served.transport.ask(Target::beside("tokenize"), |_| Some(body.clone()), read, |_, _| false).await
}
