//! Chat templates: from a conversation to the prompt a model was trained on.
//!
//! A template is a Jinja program that comes with the weights, written for Python's Jinja with the settings and extras
//! of Hugging Face's `apply_chat_template`; here it renders to the same text. It comes from a stranger, so everything is
//! bounded: its source, its steps, its depth, what it makes and what it writes.

mod budget;
mod guard;
#[cfg(test)]
mod hostile;
mod json;
mod rewrite;
mod source;
#[cfg(test)]
mod tests;

use crate::Error;
use budget::Budget;
use minijinja::machinery;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value, context};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps that any template may take.
const BASE_STEPS: u64 = 20_000;
/// Further steps for each message. Published templates take fewer than two hundred.
const STEPS_PER_MESSAGE: u64 = 2_000;
const MAX_DEPTH: usize = 100;
/// What a prompt, or any other value, may have besides the messages themselves.
const MAX_FRAME_BYTES: u64 = 1 << 20;
/// How much a template may make in all: so many times the largest value, and so many times more for each message.
const VALUES: u64 = 64;
const VALUES_PER_MESSAGE: u64 = 4;

const NAME: &str = "chat template";

/// One message of a conversation.
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
        let (source, syntax) = (source.into(), syntax());
        source::check(&source, &syntax).map_err(Error::TemplateSyntax)?;
        let mut environment = Environment::empty();
        environment.set_syntax(syntax);
        environment.add_template_owned(NAME, source).map_err(Error::TemplateSyntax)?;
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
        let value_bytes = MAX_FRAME_BYTES.saturating_add((said as u64).saturating_mul(4));
        let count = messages.len() as u64;
        let values = VALUES.saturating_add(VALUES_PER_MESSAGE.saturating_mul(count));
        let budget = Arc::new(Budget::new(value_bytes, value_bytes.saturating_mul(values)));
        let (bos_token, eos_token) = (&self.bos_token, &self.eos_token);
        let turn = |message: &Message| context! { role => &message.role, content => &message.content };
        let turns: Vec<Value> = messages.iter().map(turn).collect();
        let context = context! { messages => turns, add_generation_prompt, bos_token, eos_token };
        let fuel = BASE_STEPS + STEPS_PER_MESSAGE.saturating_mul(count);
        self.evaluate(context, &budget, fuel).map_err(Error::TemplateRender)
    }

    fn evaluate(&self, context: Value, budget: &Arc<Budget>, fuel: u64) -> Result<String, minijinja::Error> {
        let template = self.environment.get_template(NAME).expect("the template was added when this was made");
        let compiled = machinery::get_compiled_template(&template);
        let instructions = rewrite::rewritten(&compiled.instructions)?;
        let blocks = compiled.blocks.iter().map(|(name, block)| Ok((*name, rewrite::rewritten(block)?)));
        let blocks = blocks.collect::<Result<BTreeMap<_, _>, minijinja::Error>>()?;
        // An environment without templates: none can be included.
        let mut environment = Environment::empty();
        environment.set_recursion_limit(MAX_DEPTH);
        environment.set_fuel(Some(fuel));
        // Errors would otherwise hold the messages.
        environment.set_debug(false);
        guard::equip(&mut environment, budget);
        let mut prompt = String::new();
        let out = &mut machinery::make_string_output(&mut prompt);
        machinery::eval(&environment, &instructions, context, &blocks, out, AutoEscape::None)?;
        if prompt.len() as u64 > budget.value_bytes {
            return Err(budget::refused(format!("the prompt has more than {} bytes", budget.value_bytes)));
        }
        Ok(prompt)
    }
}

/// The settings that Hugging Face gives templates.
fn syntax() -> SyntaxConfig {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    syntax.expect("the delimiters are the default ones")
}
