//! The two sides of a comparison as the reference passes them around: gold alternatives and a guess.

use saydo_task::node::{Node, Value};

use super::error::{Fault, Reason, Side};

/// One of the gold answers that count as right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Alternative<'a> {
    Text(&'a str),
    /// Anything else, by the name of its kind. It is a fault once it has to be looked at.
    Other(&'static str),
}

impl<'a> Alternative<'a> {
    pub(super) fn of(value: &'a Value) -> Self {
        match value {
            Value::String(text) => Alternative::Text(text),
            other => Alternative::Other(other.kind()),
        }
    }

    /// The alternatives of an answer: the elements of a list, or the answer itself.
    pub(super) fn all(answer: &'a Value) -> Vec<Self> {
        match answer {
            Value::Array(items) => items.iter().map(|item| Alternative::of(&item.value)).collect(),
            other => vec![Alternative::of(other)],
        }
    }

    pub(super) fn text(self) -> Result<&'a str, Fault> {
        match self {
            Alternative::Text(text) => Ok(text),
            Alternative::Other(found) => Err(Side::Gold.fault(Reason::NotText { found })),
        }
    }

    /// Whether the answer is scored as a structure. The gold text decides, not the type of the task.
    pub(super) fn any_structure(alternatives: &[Self]) -> bool {
        alternatives.iter().any(|alternative| matches!(alternative, Alternative::Text(text) if text.contains('}')))
    }

    /// The text of the only alternative of a structure.
    pub(super) fn only_text(alternatives: &[Self]) -> Result<&'a str, Fault> {
        match alternatives {
            [only] => only.text(),
            several => Err(Side::Gold.fault(Reason::SeveralStructures { found: several.len() })),
        }
    }

    /// The text of the first alternative, which decides whether the gold answer is NA.
    pub(super) fn first_text(alternatives: &[Self]) -> Result<&'a str, Fault> {
        alternatives.first().ok_or(Side::Gold.fault(Reason::NoAlternative))?.text()
    }
}

/// What is compared with the gold alternatives: a whole prediction, or a key or value of a predicted object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Guess<'a> {
    Text(&'a str),
    List(&'a [Node]),
}
