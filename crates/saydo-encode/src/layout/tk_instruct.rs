//! Tk-Instruct: task name, definition, examples and input as the Super-NaturalInstructions models were trained on them.
//!
//! Examples are packed while they fit; what is still too long is cut at the end, where the input and the word `Output`
//! stand. Each field ends in a punctuation mark, a full stop being added where there is none.
//! Rules TK1 to TK4 of docs/layouts.md.

use crate::strip::strip;
use crate::{Prompt, Tokens};
use saydo_task::{Example, Task};
use std::sync::Arc;

const INPUT_HEAD: &str = "Now complete the following example -\nInput: ";

/// Which parts a prompt has, and how long it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TkInstruct {
    /// Whether the task's id comes first.
    pub task_name: bool,
    /// Whether the definition is given.
    pub definition: bool,
    /// Max positive examples.
    pub num_positive: usize,
    /// Max negative examples.
    pub num_negative: usize,
    /// Whether examples are explained.
    pub explanations: bool,
    /// The longest prompt in tokens.
    pub max_source_length: usize,
}

impl TkInstruct {
    /// Definition and two positive examples: what the published models are evaluated with.
    pub const DEFINITION_POSITIVE: Self = Self {
        task_name: false,
        definition: true,
        num_positive: 2,
        num_negative: 0,
        explanations: false,
        max_source_length: 1024,
    };
    /// The definition alone.
    pub const DEFINITION: Self = Self { num_positive: 0, ..Self::DEFINITION_POSITIVE };
    /// Two positive examples alone.
    pub const POSITIVE: Self = Self { definition: false, ..Self::DEFINITION_POSITIVE };
    /// Definition, two positive and two negative examples.
    pub const DEFINITION_POSITIVE_NEGATIVE: Self = Self { num_negative: 2, ..Self::DEFINITION_POSITIVE };
    /// Definition and two positive examples with explanations.
    pub const DEFINITION_POSITIVE_EXPLAINED: Self = Self { explanations: true, ..Self::DEFINITION_POSITIVE };

    /// The five schemes that training draws from at random.
    pub const SCHEMES: [Self; 5] = [
        Self::DEFINITION,
        Self::POSITIVE,
        Self::DEFINITION_POSITIVE,
        Self::DEFINITION_POSITIVE_NEGATIVE,
        Self::DEFINITION_POSITIVE_EXPLAINED,
    ];
}

impl Default for TkInstruct {
    fn default() -> Self {
        Self::DEFINITION_POSITIVE
    }
}

/// The parts of a task's prompt, written out and waiting for an input.
pub(crate) struct Blocks<'a> {
    name: String,
    definition: String,
    positive: Vec<String>,
    negative: Vec<String>,
    max_tokens: usize,
    /// Whether a prompt that is longer loses its end, as in the released code.
    pub(crate) is_cut: bool,
    tokens: Tokens<'a>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(task: &Task, layout: TkInstruct, tokens: Tokens<'a>) -> Self {
        let examples = |kind, examples: &[Example], count| -> Vec<String> {
            let numbered = examples.iter().take(count).enumerate();
            numbered.map(|(i, example)| example_block(kind, i + 1, example, layout.explanations)).collect()
        };
        let definition = super::description(task).filter(|_| layout.definition);
        Self {
            name: if layout.task_name { format!("{}. ", strip(&task.id)) } else { String::new() },
            definition: definition.map_or(String::new(), |text| closed("Definition: ", text) + "\n\n"),
            positive: examples("Positive", &task.positive, layout.num_positive),
            negative: examples("Negative", &task.negative, layout.num_negative),
            max_tokens: layout.max_source_length,
            is_cut: true,
            tokens,
        }
    }

    pub(crate) fn prompt(&self, input: &str) -> Prompt {
        let block = input_block(input);
        let [positive, negative] = self.shown(&block);
        let prefix = [&*self.name, &self.definition, &positive.concat(), &negative.concat(), INPUT_HEAD].concat();
        let suffix = block[INPUT_HEAD.len()..].to_owned();
        let prompt = Prompt { prefix: Arc::from(prefix), suffix, is_cut: false };
        if self.is_cut { prompt.cut_to(self.max_tokens, self.tokens) } else { prompt }
    }

    /// How many examples the prompt of an input shows.
    pub(crate) fn num_shown(&self, input: &str) -> usize {
        self.shown(&input_block(input)).iter().map(|blocks| blocks.len()).sum()
    }

    /// The positive and the negative examples that fit.
    fn shown(&self, block: &str) -> [&[String]; 2] {
        let positive = self.fitting(&self.definition, &self.positive, block);
        let negative = self.fitting(&(self.definition.clone() + &positive.join(" ")), &self.negative, block);
        [positive, negative]
    }

    /// The first of `blocks` that fit between `head` and `input`, up to the first that does not. As in the released
    /// code, accepted blocks count as joined by a space, which is not written, and the task's name does not count.
    fn fitting<'b>(&self, head: &str, blocks: &'b [String], input: &str) -> &'b [String] {
        let fits = |i: usize| {
            let source = [head, &blocks[..i].join(" "), &blocks[i], input].concat();
            (self.tokens.count)(&source) <= self.max_tokens
        };
        let count = (0..blocks.len()).take_while(|i| fits(*i)).count();
        &blocks[..count]
    }
}

fn input_block(input: &str) -> String {
    closed(INPUT_HEAD, input) + "\nOutput: "
}

fn example_block(kind: &str, number: usize, example: &Example, explained: bool) -> String {
    let input = closed("Input: ", &example.input);
    let output = closed(" Output: ", &example.output);
    let explanation = match example.reason.as_deref().filter(|_| explained) {
        Some(reason) => closed(" Explanation: ", reason) + "\n",
        None => String::new(),
    };
    format!(" {kind} Example {number} -\n{input}\n{output}\n{explanation}\n")
}

/// The label and the stripped text, with a full stop unless they end in an ASCII punctuation mark.
fn closed(label: &str, text: &str) -> String {
    let mut line = format!("{label}{}", strip(text));
    if !line.ends_with(|c: char| c.is_ascii_punctuation()) {
        line.push('.');
    }
    line
}

#[cfg(test)]
mod tests;
