//! What is learned from: a prompt in two parts and the output to give.

use crate::Error;
use saydo_encode::{Dropped, FittingEncoder, Layout};
use saydo_model::tokenizer::Tokenizer;
use saydo_model::{Form, Prompt, PromptEncoder};
use saydo_task::Task;
use saydo_task::seen::Trace;
use serde::{Deserialize, Serialize};

/// A prompt and what to reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Which task, or wording of a task, it is of: examples are packed with others of the same, behind what they have in
    /// common.
    pub task: usize,
    /// The prompt, as the model will be given it.
    pub prompt: Prompt,
    /// The output.
    pub output: String,
    /// A prompt of the same instance that tells more, if the model is to be held to what it says behind that one.
    pub told: Option<Prompt>,
    /// The task and input it is made of, for the record of what was learned.
    pub trace: Trace,
}

/// An example as tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// Which task it is of.
    pub task: usize,
    /// The prompt.
    pub prompt: Vec<u32>,
    /// The output with its end; the loss is on these.
    pub output: Vec<u32>,
    /// The prompt behind which the network, before it learned, said what it is held to say of the output, whatever the
    /// output is; `None` for an example that is learned from.
    pub held_to: Option<Vec<u32>>,
}

impl Tokens {
    /// The example as one that holds the network to what it said, behind the same prompt or behind `told`. The end token is
    /// excluded from the KL term, because other examples may change it.
    pub fn held(mut self, told: Option<Vec<u32>>) -> Self {
        if self.output.len() > 1 {
            self.output.pop();
        }
        let held_to = told.unwrap_or_else(|| self.prompt.clone());
        Self { held_to: Some(held_to), ..self }
    }

    /// The example as the network had it before it learned, if it is held to that.
    pub(crate) fn before(&self) -> Option<Self> {
        let prompt = self.held_to.clone()?;
        Some(Self { task: self.task, prompt, output: self.output.clone(), held_to: None })
    }

    /// Rows that it takes alone: its last token is only predicted.
    pub fn rows(&self) -> usize {
        self.prompt.len() + self.output.len().saturating_sub(1)
    }
}

impl Example {
    /// The examples that some instances of a task make under a layout: the first output of each. Prompts are as long as there
    /// is room for; with what each of them lacks.
    pub fn of_task(
        number: usize,
        task: &Task,
        instances: &[usize],
        layout: &Layout,
        room: Room<'_>,
    ) -> Result<Vec<(Self, Dropped)>, Error> {
        let encoder = FittingEncoder::new(task, layout, room.max_tokens, room.tokens)?;
        let with_output = instances.iter().filter_map(|i| Some((i, task.instances[*i].outputs.first()?)));
        let example = |(instance, output): (&usize, &String)| {
            let (prompt, dropped) = encoder.prompt(&task.instances[*instance].input);
            let prompt = Prompt { prefix: prompt.prefix, text: prompt.suffix, form: Form::Plain };
            let trace = Trace::of(task, &task.instances[*instance].input);
            (Self { task: number, prompt, output: output.clone(), told: None, trace }, dropped)
        };
        Ok(with_output.map(example).collect())
    }

    /// The example as tokens. In a plain prompt a space stands before the output unless the prompt ends in white space;
    /// where the tokens of both together begin otherwise than those of the prompt, the output is encoded on its own.
    pub fn tokens(&self, encoder: &PromptEncoder<'_>, ending: Ending) -> Result<Tokens, Error> {
        let text = self.prompt.whole();
        let is_joined = self.prompt.form != Form::Plain || text.ends_with(char::is_whitespace);
        // A chat has an end of its own.
        let is_line = ending != Ending::Token && self.prompt.form == Form::Plain;
        let (before, behind) = (if is_joined { "" } else { " " }, if is_line { "\n" } else { "" });
        let answer = format!("{before}{}{behind}", self.output.trim());
        let prompt = encoder.encode(&self.prompt.form, &text)?;
        let whole = match self.prompt.form {
            Form::Plain => encoder.encode(&Form::Plain, &[&*text, &*answer].concat())?,
            _ => Vec::new(),
        };
        let mut output = match whole.strip_prefix(&prompt[..]) {
            Some(output) => output.to_vec(),
            None => encoder.tokenizer.encode(&answer, false)?,
        };
        if !is_line || ending == Ending::LineAndToken {
            output.extend(encoder.tokenizer.eos());
        }
        Ok(Tokens { task: self.task, prompt, output, held_to: None })
    }

    /// The example for a network with an encoder: the prompt and the output as whole texts, with the tokens that stand
    /// around each, cut to so many tokens. The tokens around them stay.
    pub fn pair(&self, tokenizer: &Tokenizer, most: Most) -> Result<Tokens, Error> {
        let (before, behind) = tokenizer.frame();
        let end = if behind.is_empty() { tokenizer.eos().into_iter().collect() } else { behind };
        let framed = |text: &str, most: usize| -> Result<Vec<u32>, Error> {
            let mut tokens = tokenizer.encode(text, false)?;
            tokens.truncate(most.saturating_sub(before.len() + end.len()));
            Ok([&before[..], &tokens, &end].concat())
        };
        let prompt = framed(&self.prompt.whole(), most.source)?;
        Ok(Tokens { task: self.task, prompt, output: framed(self.output.trim(), most.target)?, held_to: None })
    }
}

/// How long prompts may be, and what counts their tokens.
#[derive(Debug, Clone, Copy)]
pub struct Room<'a> {
    /// Tokens of the longest prompt; `None` for any length.
    pub max_tokens: Option<usize>,
    /// The model's tokenizer.
    pub tokens: saydo_encode::Tokens<'a>,
}

impl Room<'static> {
    /// For when no model is known.
    pub const UNBOUNDED: Self = Self { max_tokens: None, tokens: saydo_encode::Tokens::UNCOUNTED };
}

/// What stands behind an output, and is learned with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The model's end token.
    #[default]
    Token,
    /// The end of the line, as behind the examples of a plain prompt: what a model that was never trained on the task
    /// writes there, so that learning goes into the output and not into its end.
    Line,
    /// The end of the line and then the end token: the output is learned as with a line, and replies end by themselves.
    LineAndToken,
}

/// The greatest numbers of tokens of prompts and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Of a prompt.
    pub source: usize,
    /// Of an output.
    pub target: usize,
}
