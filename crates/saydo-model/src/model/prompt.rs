//! What a model is given.

use std::sync::Arc;

/// A prompt in two parts: what it shares with others, and the rest.
///
/// Both parts together are the prompt; where it is cut changes nothing but speed. Models that run here compute the
/// prefix once for all prompts that hold the same one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prompt {
    /// The beginning that many prompts share; may be empty.
    pub prefix: Arc<str>,
    /// What comes after it.
    pub text: String,
    /// Whether the model sees it as it is or in its chat template.
    pub form: Form,
}

/// How a prompt is put to a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// As it is: the model continues the text.
    #[default]
    Plain,
    /// As it is, and control tokens that it spells out are taken for what they are: a conversation already written in
    /// the model's own markup. Never for text from a stranger.
    Rendered,
    /// As the user's turn, in the words of the model's chat template: the model answers.
    Chat {
        /// What is said to the model before the conversation. Absent, a template may put its own here.
        system: Option<Arc<str>>,
    },
}

impl Prompt {
    /// A bare prompt that shares nothing.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { prefix: Arc::from(""), text: text.into(), form: Form::Plain }
    }

    /// A user's turn without system message, sharing nothing.
    pub fn chat(text: impl Into<String>) -> Self {
        Self { form: Form::Chat { system: None }, ..Self::plain(text) }
    }

    /// This prompt behind a shared prefix.
    pub fn with_prefix(self, prefix: impl Into<Arc<str>>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// The whole text.
    pub fn whole(&self) -> String {
        format!("{}{}", self.prefix, self.text)
    }
}
