//! One task under one layout, ready to meet inputs.

use crate::layout::natural_instructions::Shown;
use crate::layout::tk_instruct::Blocks;
use crate::layout::{self, bare, natural_instructions, turking, zest_bart, zest_t5};
use crate::{Error, Layout, Prompt, Result, Tokens};
use saydo_task::Task;
use std::sync::Arc;

/// Makes the prompts of one task. What does not depend on the input is built once.
pub struct Encoder<'a> {
    shape: Shape<'a>,
}

enum Shape<'a> {
    /// The same prefix for every input, and a suffix made of the input.
    Shared { prefix: Arc<str>, suffix: fn(&str) -> String },
    /// How many examples go before the input depends on the input's length.
    TkInstruct(Blocks<'a>),
}

impl<'a> Encoder<'a> {
    /// Prepares `task`. `tokens` matters to Tk-Instruct only: no other layout has a length of its own.
    ///
    /// Fails if the layout needs what the task lacks: a question, or instances to borrow as examples.
    pub fn new(task: &Task, layout: &Layout, tokens: Tokens<'a>) -> Result<Self> {
        let shared = |prefix: String, suffix| Shape::Shared { prefix: Arc::from(prefix), suffix };
        let shape = match layout {
            Layout::NaturalInstructions(layout) => shared(layout.prefix(task)?, natural_instructions::suffix),
            Layout::ZestT5 { num_examples } => {
                shared(zest_t5::prefix(question(task)?, &examples(task, *num_examples)?), zest_t5::suffix)
            }
            Layout::ZestBart { num_examples } => {
                shared(zest_bart::prefix(question(task)?, &examples(task, *num_examples)?), zest_bart::suffix)
            }
            Layout::Bare => shared(String::new(), bare::suffix),
            Layout::Turking => shared(String::new(), turking::suffix),
            Layout::TkInstruct(layout) => Shape::TkInstruct(Blocks::new(task, *layout, tokens)),
        };
        Ok(Self { shape })
    }

    /// The same, but the end of a prompt is never cut off, as Tk-Instruct does with what is too long.
    pub(crate) fn never_cut(mut self) -> Self {
        if let Shape::TkInstruct(blocks) = &mut self.shape {
            blocks.is_cut = false;
        }
        self
    }

    /// How many examples the prompt of an input shows, of both kinds.
    pub(crate) fn num_shown(&self, input: &str, task: &Task, layout: &Layout) -> usize {
        match &self.shape {
            Shape::Shared { .. } => layout.shown_inputs(task).len(),
            Shape::TkInstruct(blocks) => blocks.num_shown(input),
        }
    }

    /// The prompt for one input.
    pub fn prompt(&self, input: &str) -> Prompt {
        match &self.shape {
            Shape::Shared { prefix, suffix } => {
                Prompt { prefix: Arc::clone(prefix), suffix: suffix(input), is_cut: false }
            }
            Shape::TkInstruct(blocks) => blocks.prompt(input),
        }
    }
}

/// Inputs and outputs of a task's positive examples, and of instances that are borrowed where it has too few.
fn examples(task: &Task, count: usize) -> Result<Vec<(&str, &str)>> {
    (0..count).map(|j| Shown::positive(task, j).map(|shown| (shown.input, shown.output))).collect()
}

fn question(task: &Task) -> Result<&str> {
    layout::description(task).ok_or_else(|| Error::NoQuestion { task: task.id.clone() })
}
