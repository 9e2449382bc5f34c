//! Everything that can keep a task from becoming prompts.

use crate::{Element, Layout, RESERVED_INSTANCES};

/// Why a prompt or a training file could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name that is no element of an instruction.
    #[error("unknown element `{found}`, expected one of {}", known_elements())]
    UnknownElement {
        /// The name as given.
        found: String,
    },
    /// A name that is no layout.
    #[error("unknown layout `{found}`, expected one of {}", known_layouts())]
    UnknownLayout {
        /// The name as given.
        found: String,
    },
    /// The released rule for choosing instances has no step between them.
    #[error(
        "cannot choose {wanted} of {instances} instances: the first {RESERVED_INSTANCES} are kept as examples, \
         so at least {} are needed",
        RESERVED_INSTANCES + wanted + 1
    )]
    TooFewInstances {
        /// How many instances there are.
        instances: usize,
        /// How many were to be chosen.
        wanted: usize,
    },
    /// The released rule never takes the last instance, and without it one is lacking.
    #[error(
        "cannot choose {wanted} of {instances} instances: the first {RESERVED_INSTANCES} are kept as examples \
         and the last is never taken, so one more is needed"
    )]
    LastInstanceNeeded {
        /// How many instances there are.
        instances: usize,
        /// How many were to be chosen.
        wanted: usize,
    },
    /// An instance was asked for that the task does not have.
    #[error("task `{task}` has {instances} instances, found none at index {index}")]
    NoInstance {
        /// The task's id.
        task: String,
        /// The index asked for.
        index: usize,
        /// How many instances the task has.
        instances: usize,
    },
    /// More examples were asked for than the task has, and there is no instance left to borrow.
    #[error("task `{task}` has {positive} positive examples and no instance {index} to borrow as a further one")]
    NothingToBorrow {
        /// The task's id.
        task: String,
        /// How many positive examples the task has.
        positive: usize,
        /// The index of the instance that would be next.
        index: usize,
    },
    /// An instance was to be borrowed as an example but its output is not known.
    #[error("cannot borrow instance {index} of task `{task}` as an example: it has no output")]
    BorrowedWithoutOutput {
        /// The task's id.
        task: String,
        /// The instance's index.
        index: usize,
    },
    /// A layout that is built around a question met a task without one.
    #[error("task `{task}` has neither a definition nor a prompt, expected one to stand as the question")]
    NoQuestion {
        /// The task's id.
        task: String,
    },
    /// The layout of raw instructions met a task that keeps none.
    #[error("task `{task}` has no raw instructions, expected `raw` in its task file")]
    NoRawInstructions {
        /// The task's id.
        task: String,
    },
    /// A prompt does not fit even with the fewest examples allowed.
    #[error("the prompt of instance {index} of task `{task}` has {tokens} tokens, expected at most {max_tokens}")]
    PromptTooLong {
        /// The task's id.
        task: String,
        /// The instance's index.
        index: usize,
        /// The prompt's length.
        tokens: usize,
        /// The longest allowed.
        max_tokens: usize,
    },
    /// The answer of a ZEST example cannot be written as a training target.
    #[error("line {line}, example {example}: the answer has {found}, expected {expected}")]
    Answer {
        /// The line of the record.
        line: usize,
        /// The example's place in the record, from 1.
        example: usize,
        /// What was found.
        found: &'static str,
        /// What was expected.
        expected: &'static str,
    },
}

fn known_elements() -> String {
    quoted(Element::ALL.iter().map(|element| element.name()))
}

fn known_layouts() -> String {
    quoted(Layout::names().iter().map(|layout| layout.name))
}

fn quoted(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
