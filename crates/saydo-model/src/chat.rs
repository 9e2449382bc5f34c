//! Chat templates: from a conversation to the prompt a model was trained on.
//!
//! A template is a Jinja program that comes with the weights, written for Python's Jinja with the settings and extras
//! of Hugging Face's `apply_chat_template`; here it renders to the same text. It comes from a stranger, so its steps,
//! its depth and what it writes are bounded. What it keeps in variables is not: a template that doubles a text over
//! and over can still use up memory.

mod json;
mod limit;
#[cfg(test)]
mod tests;

use crate::Error;
use limit::Limited;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};
use serde::{Deserialize, Serialize};

/// Steps that any template may take.
const BASE_STEPS: u64 = 50_000;
/// Further steps for each message. Published templates take fewer than two hundred.
const STEPS_PER_MESSAGE: u64 = 2_000;
const MAX_DEPTH: usize = 100;
/// What a prompt may take besides the messages themselves.
const MAX_FRAME_BYTES: usize = 1 << 20;

const NAME: &str = "chat template";

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks: `system`, `user` or `assistant`.
    pub role: String,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message.
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Self {
        Self { role: role.into(), content: content.into() }
    }
}

/// A parsed chat template.
///
/// ```
/// use saydo_model::chat::{ChatTemplate, Message};
///
/// let template = ChatTemplate::new("{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}")?;
/// assert_eq!(template.render(&[Message::new("user", "Hello.")], false)?, "<user>Hello.");
/// # Ok::<(), saydo_model::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    bos_token: String,
    eos_token: String,
}

impl ChatTemplate {
    /// Parses a template.
    pub fn new(source: impl Into<String>) -> Result<Self, Error> {
        let mut environment = environment();
        environment.add_template_owned(NAME, source.into()).map_err(Error::TemplateSyntax)?;
        Ok(Self { environment, bos_token: String::new(), eos_token: String::new() })
    }

    /// Sets what the template knows as `bos_token` and `eos_token`; both are empty otherwise.
    pub fn with_tokens(self, bos_token: impl Into<String>, eos_token: impl Into<String>) -> Self {
        Self { bos_token: bos_token.into(), eos_token: eos_token.into(), ..self }
    }

    /// The prompt for a conversation. `add_generation_prompt` asks for the beginning of the reply behind it. A template
    /// may refuse a conversation, such as one that does not start with the user.
    pub fn render(&self, messages: &[Message], add_generation_prompt: bool) -> Result<String, Error> {
        let said: usize = messages.iter().map(|message| message.role.len() + message.content.len()).sum();
        let mut out = Limited::new(MAX_FRAME_BYTES.saturating_add(said.saturating_mul(4)));
        let (bos_token, eos_token) = (&self.bos_token, &self.eos_token);
        let turn = |message: &Message| context! { role => &message.role, content => &message.content };
        let turns: Vec<Value> = messages.iter().map(turn).collect();
        let context = context! { messages => turns, add_generation_prompt, bos_token, eos_token };
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(BASE_STEPS + STEPS_PER_MESSAGE.saturating_mul(messages.len() as u64)));
        let template = environment.get_template(NAME).expect("the template was added when this was made");
        template.render_captured_to(context, &mut out).map_err(Error::TemplateRender)?;
        Ok(out.into_text())
    }
}

/// The settings and extras that Hugging Face gives templates.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the delimiters are the default ones"));
    environment.set_recursion_limit(MAX_DEPTH);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_function("raise_exception", |message: String| -> Result<(), minijinja::Error> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, message))
    });
    environment.add_filter("tojson", json::to_json);
    environment
}
