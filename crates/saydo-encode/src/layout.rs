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

use crate::Element;
use crate::layout::natural_instructions::Shown;
use saydo_task::Task;

/// How a task and an input become a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Chosen elements of an instruction, then the input (Natural Instructions).
    NaturalInstructions(NaturalInstructions),
    /// Question and context for T5 (ZEST), behind so many answered contexts.
    ZestT5 {
        /// How many; 0 in the paper.
        num_examples: usize,
    },
    /// Question and context for BART (ZEST), behind so many answered contexts.
    ZestBart {
        /// How many; 0 in the paper.
        num_examples: usize,
    },
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
            Layout::ZestT5 { num_examples: own } | Layout::ZestBart { num_examples: own } => *own = num_examples,
            Layout::Bare | Layout::Turking => {}
        }
        self
    }

    /// Whether it is made of a task's raw instructions, which few tasks keep.
    pub fn needs_raw(&self) -> bool {
        matches!(self, Layout::NaturalInstructions(layout) if layout.elements.contains(&Element::RawInstructions))
    }

    /// How many examples a prompt of `task` shows; under Tk-Instruct, positive ones.
    pub fn num_examples(&self, task: &Task) -> usize {
        match self {
            Layout::NaturalInstructions(layout) => {
                let (positive, negative) = layout.num_shown();
                positive.max(negative)
            }
            Layout::ZestT5 { num_examples } | Layout::ZestBart { num_examples } => *num_examples,
            Layout::TkInstruct(layout) => layout.num_positive.min(task.positive.len()),
            Layout::Bare | Layout::Turking => 0,
        }
    }

    /// The indices of the instances that are borrowed as positive examples of `task`.
    pub fn borrowed_instances(&self, task: &Task) -> Vec<usize> {
        match self {
            Layout::NaturalInstructions(layout) => layout.borrowed_instances(task),
            Layout::ZestT5 { num_examples } | Layout::ZestBart { num_examples } => {
                natural_instructions::borrowed(*num_examples, task)
            }
            Layout::TkInstruct(_) | Layout::Bare | Layout::Turking => Vec::new(),
        }
    }

    /// The inputs of `task` that a prompt shows with their outputs, right or wrong: its examples, and instances that are
    /// borrowed to lengthen them. To score an instance with one of these inputs would be to score what was given away.
    pub fn shown_inputs<'t>(&self, task: &'t Task) -> Vec<&'t str> {
        let (positive, negative) = match self {
            Layout::NaturalInstructions(layout) => layout.num_shown(),
            Layout::ZestT5 { num_examples } | Layout::ZestBart { num_examples } => (*num_examples, 0),
            Layout::TkInstruct(layout) => (layout.num_positive.min(task.positive.len()), layout.num_negative),
            Layout::Bare | Layout::Turking => (0, 0),
        };
        let negative = task.negative.iter().take(negative).map(|example| &*example.input);
        // An example that is not there stops the prompt from being written at all, and is no concern here.
        let positive = (0..positive).filter_map(|j| Shown::positive(task, j).ok()).map(|shown| shown.input);
        positive.chain(negative).collect()
    }
}

/// What a layout with one place for a description puts there: the definition (ZEST's question), or failing that the
/// prompt, so that a task written with a prompt alone is not left without any.
pub(crate) fn description(task: &Task) -> Option<&str> {
    task.definition.as_deref().or(task.prompt.as_deref())
}
