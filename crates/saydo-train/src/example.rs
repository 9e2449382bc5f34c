//! What is learned from: a prompt in two parts and the output to give.

use crate::Error;
use saydo_encode::{Encoder, Layout};
use saydo_model::tokenizer::Tokenizer;
use saydo_task::Task;

/// A prompt and what to reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Which task it is of: examples are packed with others of the same task.
    pub task: usize,
    /// What the prompts of the task have in common.
    pub prefix: String,
    /// The rest of the prompt.
    pub input: String,
    /// The output.
    pub output: String,
}

/// An example as tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// Which task it is of.
    pub task: usize,
    /// The prompt.
    pub prompt: Vec<u32>,
    /// The output, its end token included; the loss is on these.
    pub output: Vec<u32>,
}

impl Tokens {
    /// Rows that it takes alone: its last token is only predicted.
    pub fn rows(&self) -> usize {
        self.prompt.len() + self.output.len().saturating_sub(1)
    }
}

impl Example {
    /// The examples that some instances of a task make under a layout: the first output of each.
    pub fn of_task(number: usize, task: &Task, instances: &[usize], layout: &Layout) -> Result<Vec<Self>, Error> {
        let encoder = Encoder::new(task, layout, saydo_encode::Tokens::UNCOUNTED)?;
        let with_output = instances.iter().filter_map(|i| Some((i, task.instances[*i].outputs.first()?)));
        let example = |(instance, output): (&usize, &String)| {
            let prompt = encoder.prompt(&task.instances[*instance].input);
            Self { task: number, prefix: prompt.prefix.to_string(), input: prompt.suffix, output: output.clone() }
        };
        Ok(with_output.map(example).collect())
    }

    /// The example as tokens. A space stands between prompt and output unless the prompt ends in white space; where the
    /// tokens of both together begin otherwise than those of the prompt, the output is encoded on its own.
    pub fn tokens(&self, tokenizer: &Tokenizer) -> Tokens {
        let text = [&*self.prefix, &*self.input].concat();
        let space = if text.ends_with(char::is_whitespace) { "" } else { " " };
        let answer = format!("{space}{}", self.output.trim());
        let (mut prompt, _) = tokenizer.frame();
        let start = prompt.len();
        prompt.extend(tokenizer.encode(&text, false));
        let whole = tokenizer.encode(&[&*text, &*answer].concat(), false);
        let mut output = match whole.strip_prefix(&prompt[start..]) {
            Some(output) => output.to_vec(),
            None => tokenizer.encode(&answer, false),
        };
        output.extend(tokenizer.eos());
        Tokens { task: self.task, prompt, output }
    }
}
