//! The layouts: a closed set, one file each.

pub(crate) mod bare;
mod named;
pub(crate) mod natural_instructions;
pub(crate) mod tk_instruct;
pub(crate) mod turking;
pub(crate) mod zest_bart;
pub(crate) mod zest_t5;

pub use named::NamedLayout;
pub use natural_instructions::NaturalInstructions;
pub use tk_instruct::TkInstruct;

use saydo_task::Task;

/// How a task and an input become a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Chosen elements of an instruction, then the input (Natural Instructions).
    NaturalInstructions(NaturalInstructions),
    /// Question and context for T5 (ZEST).
    ZestT5,
    /// Question and context for BART (ZEST).
    ZestBart,
    /// Definition and examples under a length limit (Super-NaturalInstructions).
    TkInstruct(TkInstruct),
    /// The input alone: the baseline without instruction.
    Bare,
    /// The input is itself the instruction (Turking Test).
    Turking,
}

impl Layout {
    /// The same layout with another number of examples: of positive ones under Tk-Instruct. Layouts without examples
    /// stay as they are.
    pub fn with_num_examples(mut self, num_examples: usize) -> Self {
        match &mut self {
            Layout::NaturalInstructions(layout) => layout.num_examples = num_examples,
            Layout::TkInstruct(layout) => layout.num_positive = num_examples,
            Layout::ZestT5 | Layout::ZestBart | Layout::Bare | Layout::Turking => {}
        }
        self
    }
}

/// What a layout with one place for a description puts there: the definition (ZEST's question), or failing that the
/// prompt, so that a task written with a prompt alone is not left without any.
pub(crate) fn description(task: &Task) -> Option<&str> {
    task.definition.as_deref().or(task.prompt.as_deref())
}
