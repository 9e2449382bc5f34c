//! From a prompt to the tokens a model sees.

use super::LocalModel;
use super::prefix::common;
use crate::Error;
use crate::chat::{ChatTemplate, Message};
use crate::model::{Form, Prompt};
use crate::tokenizer::Tokenizer;

/// Stand for what messages say where that must be encoded apart.
const SYSTEM_MARK: &str = "\u{e000}system\u{e001}";
const CONTENT_MARK: &str = "\u{e000}content\u{e001}";

/// Turns the text of a prompt into tokens, those around it included.
#[derive(Clone, Copy)]
pub struct PromptEncoder<'a> {
    /// The model's tokenizer.
    pub tokenizer: &'a Tokenizer,
    /// Its chat template, if it has one.
    pub template: Option<&'a ChatTemplate>,
    /// Whether prompts go to an encoder, which sees the end of its input marked.
    pub has_encoder: bool,
}

/// A prompt as tokens.
pub(super) struct PromptTokens {
    /// All tokens, those around the text included.
    pub tokens: Vec<u32>,
    /// How many at the beginning belong to the shared prefix.
    pub shared: usize,
}

impl LocalModel {
    /// The tokens of a prompt; an error if the context cannot hold them and one more.
    pub(super) fn prompt_tokens(&self, prompt: &Prompt) -> Result<PromptTokens, Error> {
        let encoder = self.prompt_encoder();
        let tokens = encoder.encode(&prompt.form, &prompt.whole())?;
        let context = self.network.context();
        if tokens.len() >= context {
            return Err(Error::PromptTooLong { tokens: tokens.len(), context });
        }
        let shared = if prompt.prefix.is_empty() || encoder.has_encoder {
            0
        } else {
            let key = format!("{:?}\n{}", prompt.form, prompt.prefix);
            let encode = || encoder.encode(&prompt.form, &prompt.prefix);
            let prefix = self.lock_prefixes().tokens(&key, encode)?;
            // Where the texts part, tokens may differ from those of the prefix alone; and one token must be left to
            // compute, or there would be no logits.
            common(&prefix, &tokens).min(tokens.len().saturating_sub(1))
        };
        Ok(PromptTokens { tokens, shared })
    }

    /// What turns prompts into tokens.
    pub fn prompt_encoder(&self) -> PromptEncoder<'_> {
        PromptEncoder {
            tokenizer: &self.tokenizer,
            template: self.template.as_ref(),
            has_encoder: self.network.decoder_start().is_some(),
        }
    }
}

impl PromptEncoder<'_> {
    /// The tokens of a whole text in a form.
    pub fn encode(&self, form: &Form, text: &str) -> Result<Vec<u32>, Error> {
        let tokens = match form {
            Form::Plain | Form::Rendered => {
                let (before, behind) = self.tokenizer.frame();
                let behind = if self.has_encoder { behind } else { Vec::new() };
                [before, self.tokenizer.encode(text, *form == Form::Rendered)?, behind].concat()
            }
            Form::Chat { system } => self.encode_chat(system.as_deref(), text)?,
        };
        if tokens.is_empty() { Err(Error::EmptyPrompt) } else { Ok(tokens) }
    }

    /// The tokens of a user's turn. Markup of the template counts as control tokens, the same text in what is said does
    /// not: neither a document nor a system message can end its own turn.
    fn encode_chat(&self, system: Option<&str>, text: &str) -> Result<Vec<u32>, Error> {
        let template = self.template.ok_or(Error::NoChatTemplate)?;
        let render = |system: Option<&str>, content: &str| {
            let system = system.map(|system| Message::new("system", system));
            let messages: Vec<Message> = system.into_iter().chain([Message::new("user", content)]).collect();
            template.render(&messages, true)
        };
        let tokenizer = self.tokenizer;
        let spells = |text: &str| tokenizer.spells_control(text);
        let is_spelled = spells(text)? || system.map(spells).transpose()?.unwrap_or(false);
        let tokens = if is_spelled {
            let rendered = render(system.map(|_| SYSTEM_MARK), CONTENT_MARK)?;
            self.encode_said(&rendered, system.unwrap_or_default(), text)?
        } else {
            tokenizer.encode(&render(system, text)?, true)?
        };
        // A template may write the first token itself.
        match tokenizer.bos().filter(|_| tokenizer.add_bos()) {
            Some(bos) if tokens.first() != Some(&bos) => Ok([&[bos], &tokens[..]].concat()),
            _ => Ok(tokens),
        }
    }

    /// The tokens of a conversation that was rendered with marks, with what is said in their places.
    fn encode_said(&self, rendered: &str, system: &str, text: &str) -> Result<Vec<u32>, Error> {
        let mut tokens = Vec::new();
        let mut rest = rendered;
        loop {
            let marks = [(SYSTEM_MARK, system), (CONTENT_MARK, text)];
            let found = marks.into_iter().filter_map(|(mark, said)| Some((rest.find(mark)?, mark, said)));
            let Some((at, mark, said)) = found.min() else { break };
            tokens.extend(self.tokenizer.encode(&rest[..at], true)?);
            tokens.extend(self.tokenizer.encode(said, false)?);
            rest = &rest[at + mark.len()..];
        }
        tokens.extend(self.tokenizer.encode(rest, true)?);
        Ok(tokens)
    }
}
