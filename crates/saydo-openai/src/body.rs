//! The JSON that is sent.

use crate::server::SchemaForm;
use crate::{Endpoint, Settings};
use saydo_model::{Decoding, Form, Prompt, Strategy};
use serde_json::{Map, Value, json};

/// Fields that are set here, and therefore by nobody else.
pub(crate) const OURS: [&str; 17] = [
    "model",
    "messages",
    "prompt",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "seed",
    "n",
    "use_beam_search",
    "length_penalty",
    "stop",
    "logprobs",
    "top_logprobs",
    "echo",
    "response_format",
    "stream",
];

/// How many stop strings OpenAI takes. All are looked for here as well, so the rest is not lost.
const STOPS_SENT: usize = 4;

/// Whether a prompt goes to the chat endpoint.
pub(crate) fn is_chat(endpoint: Endpoint, prompt: &Prompt) -> bool {
    match endpoint {
        Endpoint::Auto => matches!(prompt.form, Form::Chat { .. }),
        Endpoint::Chat => true,
        Endpoint::Completions => false,
    }
}

/// What the body of one generation depends on, beside the settings.
pub(crate) struct Generation<'a> {
    pub(crate) prompt: &'a Prompt,
    pub(crate) decoding: &'a Decoding,
    pub(crate) schema: Option<&'a Value>,
    pub(crate) schema_form: SchemaForm,
    pub(crate) max_tokens: usize,
    pub(crate) renamed_max_tokens: bool,
    /// How many of the likeliest tokens to list with the reply's own; none for no log-probabilities at all.
    pub(crate) log_probs: Option<u32>,
}

impl Generation<'_> {
    pub(crate) fn body(&self, settings: &Settings) -> Value {
        let chat = is_chat(settings.endpoint, self.prompt);
        let mut body = start(settings, chat, self.prompt);
        let length = if chat && self.renamed_max_tokens { "max_completion_tokens" } else { "max_tokens" };
        body.insert(length.to_owned(), self.max_tokens.into());
        strategy(&mut body, self.decoding.strategy);
        let stop: Vec<&String> = self.decoding.stop.iter().filter(|stop| !stop.is_empty()).take(STOPS_SENT).collect();
        if !stop.is_empty() {
            body.insert("stop".to_owned(), json!(stop));
        }
        if let Some(listed) = self.log_probs {
            body.insert("logprobs".to_owned(), if chat { true.into() } else { listed.into() });
            if chat {
                // llama-cpp-python gives none without this number, llama-server twenty.
                body.insert("top_logprobs".to_owned(), listed.into());
            }
        }
        if let Some(format) = self.schema.and_then(|schema| format(schema, self.schema_form)) {
            body.insert("response_format".to_owned(), format);
        }
        body.extend(settings.extra_body.clone());
        Value::Object(body)
    }
}

fn format(schema: &Value, form: SchemaForm) -> Option<Value> {
    match form {
        SchemaForm::JsonSchema => {
            Some(json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": true}}))
        }
        SchemaForm::JsonObject => Some(json!({"type": "json_object", "schema": schema})),
        SchemaForm::Nothing => None,
    }
}

/// The body that asks for the log-probabilities of `text`.
///
/// One token is generated and thrown away: some servers refuse to generate none, and llama-cpp-python takes 0 to mean
/// no limit.
pub(crate) fn echo(settings: &Settings, text: &str) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(settings.model));
    body.insert("prompt".to_owned(), json!(text));
    body.insert("max_tokens".to_owned(), 1.into());
    body.insert("temperature".to_owned(), 0.into());
    body.insert("echo".to_owned(), true.into());
    body.insert("logprobs".to_owned(), 1.into());
    body.extend(settings.extra_body.clone());
    Value::Object(body)
}

fn start(settings: &Settings, chat: bool, prompt: &Prompt) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(settings.model));
    if chat {
        let system = system(prompt).map(|content| json!({"role": "system", "content": content}));
        let user = json!({"role": "user", "content": prompt.whole()});
        body.insert("messages".to_owned(), system.into_iter().chain([user]).collect());
    } else {
        body.insert("prompt".to_owned(), json!(bare(prompt)));
    }
    body
}

/// A prompt as one text: that of a chat has its system message in front.
pub(crate) fn bare(prompt: &Prompt) -> String {
    match system(prompt) {
        Some(system) => format!("{system}\n\n{}", prompt.whole()),
        None => prompt.whole(),
    }
}

fn system(prompt: &Prompt) -> Option<&str> {
    if let Form::Chat { system } = &prompt.form { system.as_deref() } else { None }
}

fn strategy(body: &mut Map<String, Value>, strategy: Strategy) {
    let fields = match strategy {
        Strategy::Greedy => json!({"temperature": 0}),
        Strategy::Sample { temperature, top_p, seed } => {
            json!({"temperature": temperature, "top_p": top_p, "seed": seed_sent(seed)})
        }
        Strategy::Beam { width, length_penalty, .. } => {
            json!({"temperature": 0, "use_beam_search": true, "n": width, "length_penalty": length_penalty})
        }
    };
    if let Value::Object(fields) = fields {
        body.extend(fields);
    }
}

/// A seed that every server takes: one below 2^31 as it is, a greater one folded.
fn seed_sent(seed: u64) -> u64 {
    (seed ^ (seed >> 31) ^ (seed >> 62)) & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_seeds_stay_and_great_ones_fit() {
        assert_eq!([0, 42, 0x7fff_ffff].map(seed_sent), [0, 42, 0x7fff_ffff]);
        assert!(seed_sent(u64::MAX) < 1 << 31);
        assert_ne!(seed_sent(1 << 31), 0);
    }
}
