//! What can stop a ZEST scoring run, and where.
//!
//! The reference dies with an uncaught exception on many inputs. Each such place is a value here: a [`Fault`] says what
//! is wrong with one answer, an [`Error`] says which task, example and prediction line it belongs to.

use std::fmt;

/// Whose answer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The dataset's answer.
    Gold,
    /// The model's answer.
    Predicted,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Gold => "the gold answer",
            Side::Predicted => "the prediction",
        })
    }
}

/// Why one answer cannot be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{side} {reason}")]
pub struct Fault {
    /// Whose answer it is.
    pub side: Side,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// There is no gold answer at all.
    #[error("is missing")]
    Missing,
    /// The list of alternatives is empty.
    #[error("is an empty list, expected at least one alternative")]
    NoAlternative,
    /// A value that has to be text is something else.
    #[error("holds {found}, expected text")]
    NotText {
        /// The kind of value found.
        found: &'static str,
    },
    /// A list of objects holds something else.
    #[error("holds {found}, expected objects")]
    NotObjects {
        /// The kind of value found.
        found: &'static str,
    },
    /// A structure is a JSON value other than a list.
    #[error("is {found}, expected a list of objects")]
    NotList {
        /// The kind of value found.
        found: &'static str,
    },
    /// A structure has more than one alternative.
    #[error("has {found} alternatives, expected one because it holds a structure")]
    SeveralStructures {
        /// The number of alternatives.
        found: usize,
    },
    /// A structure is not JSON.
    #[error("is not JSON: {message}")]
    Syntax {
        /// What the JSON parser says.
        message: String,
    },
    /// A list that an element is drawn from, or that a field holds, is empty.
    #[error("holds an empty list, expected an element")]
    EmptyList,
    /// A value that is not text has a `|` in it and cannot be split there.
    #[error("holds {found} with a `|` in it, expected text")]
    BarOutsideText {
        /// The kind of value found.
        found: &'static str,
    },
    /// Nothing in the structure can be compared.
    #[error("has no field to compare")]
    NothingToCompare,
    /// The prediction's line could not be read.
    #[error("could not be read")]
    Unreadable,
}

impl Side {
    pub(super) fn fault(self, reason: Reason) -> Fault {
        Fault { side: self, reason }
    }
}

/// Where an answer stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The id of the task.
    pub task: String,
    /// The example's index in the task, from 0.
    pub example: usize,
    /// The line of the prediction file, from 1; none if the file has no line for this example.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {}, example {}", self.task, self.example)?;
        self.line.map_or(Ok(()), |line| write!(f, ", prediction line {line}"))
    }
}

/// Why a line of a prediction file holds no prediction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// A run has no reply, which is wrong and not NA; a file has a line for each prediction.
    #[error("found no reply")]
    NoReply,
    /// Nothing but white space.
    #[error("found an empty line, expected a prediction (an empty one is written \"\")")]
    Empty,
    /// In double quotes, but not a JSON string.
    #[error("found text in double quotes that is not a JSON string: {message}")]
    Quotes {
        /// What the JSON parser says.
        message: String,
    },
    /// Not JSON where each line has to be.
    #[error("found no JSON: {message}")]
    Syntax {
        /// What the JSON parser says.
        message: String,
    },
    /// JSON, but neither a string nor an object with a `prediction`.
    #[error("found {found}, expected a string or an object whose `prediction` is a string")]
    NotPrediction {
        /// What was found.
        found: &'static str,
    },
    /// A row of several columns.
    #[error("found a second column, expected one")]
    Columns,
    /// A quoted cell that does not end, or goes on after its closing quote.
    #[error("found a broken quoted cell, expected quotes inside it doubled")]
    Cell,
}

/// What stops a scoring run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A line of the prediction file cannot be read.
    #[error("prediction line {line}: {fault}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The prediction file has no lines.
    #[error("the prediction file is empty, expected a prediction per line")]
    NoPredictions,
    /// There are fewer predictions than examples.
    #[error("found {found} predictions, expected {needed}: the first without one is {place}")]
    TooFew {
        /// How many predictions there are.
        found: usize,
        /// How many are needed.
        needed: usize,
        /// The first example without a prediction.
        place: Place,
    },
    /// There are more predictions than examples, and that is not to be ignored.
    #[error("found {found} predictions, expected {needed}")]
    Surplus {
        /// How many predictions there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A prediction names another task than the one whose turn it is.
    #[error("{place}: found a prediction for task {found}")]
    OutOfOrder {
        /// Whose turn it is.
        place: Place,
        /// The task the prediction names.
        found: String,
    },
    /// An answer cannot be scored.
    #[error("{place}: {fault}")]
    Answer {
        /// Where it stands.
        place: Place,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A task lacks a part of its `type`.
    #[error("task {task}: found no `{field}` in its type")]
    NoType {
        /// The id of the task.
        task: String,
        /// The missing field.
        field: &'static str,
    },
    /// A question starts with a word of neither list.
    #[error("task {task}: found a question that starts with `{word}`, expected a known first word")]
    FirstWord {
        /// The id of the task.
        task: String,
        /// The first word, in lower case.
        word: String,
    },
    /// Two base tasks have the id a task derives from.
    #[error("task {task}: found {found} base tasks with the id {base}, expected one")]
    RepeatedBase {
        /// The id of the derived task.
        task: String,
        /// The repeated id.
        base: String,
        /// How many tasks have it.
        found: usize,
    },
    /// A base task was found, and an id after it was not.
    #[error("task {task}: found no base task with the id {base}, expected one because an earlier id has one")]
    LaterBaseMissing {
        /// The id of the derived task.
        task: String,
        /// The id that was not found.
        base: String,
    },
    /// A generalization type that is none of the five.
    #[error("task {task}: found generalization type `{found}`, expected one of the five of the paper")]
    UnknownType {
        /// The id of the task.
        task: String,
        /// The type found.
        found: String,
    },
    /// No task of type `normal`.
    #[error("found no base task (generalization type `normal`), expected at least one")]
    NoBaseTask,
    /// Nothing was scored.
    #[error("found no task to score")]
    NoTask,
}
