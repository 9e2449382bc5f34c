//! What can go wrong with functions over tables.

use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use std::io;
use std::path::PathBuf;

/// Why a query or a process of a cluster failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine could not plan or run it.
    #[error("{}", message(.0))]
    Engine(DataFusionError),
    /// The scheduler or an executor could not start or go on.
    #[error("the {part} failed: {reason}")]
    Process {
        /// Which part of the cluster.
        part: &'static str,
        /// What it said.
        reason: String,
    },
    /// Nobody answers where the scheduler should be.
    #[error(
        "cannot reach the scheduler at {scheduler}: {reason}; expected HOST:PORT of a running `saydo cluster scheduler`"
    )]
    Unreachable {
        /// Its address.
        scheduler: String,
        /// What the system said.
        reason: String,
    },
    /// A folder could not be made or listed.
    #[error("cannot use the folder {}", .path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Answers that were given before could not be read or kept.
    #[error("cannot keep answers")]
    Store(#[source] Box<saydo::Error>),
    /// Answers cannot be shared with other machines.
    #[error("cannot share answers at {address}: {reason}")]
    Share {
        /// Where.
        address: String,
        /// What is wrong.
        reason: String,
    },
    /// The function could not be made, or its model gave no answer to any text.
    #[error(transparent)]
    Function(#[from] saydo_function::Error),
    /// A task in a query is not one.
    #[error("{0}")]
    Task(String),
    /// This process plans queries and has no model to answer them.
    #[error("there is no model here: `{function}` was called where queries are only planned")]
    NoModel {
        /// The function.
        function: String,
    },
    /// A table lacks a column.
    #[error("{table} has no column `{column}`, expected one of: {}; {hint}", .found.join(", "))]
    Column {
        /// The table.
        table: String,
        /// The missing column.
        column: String,
        /// The columns there are.
        found: Vec<String>,
        /// What to do.
        hint: &'static str,
    },
    /// A table has nothing in it.
    #[error("{name} names no file")]
    NoFiles {
        /// The file, folder or pattern.
        name: String,
    },
    /// A file's name does not say what it holds.
    #[error("{name} ends in no format known here, expected .parquet, .jsonl, .ndjson, .json, .csv or .tsv")]
    Format {
        /// The name.
        name: String,
    },
    /// Rows cannot be written.
    #[error("cannot write {name}: {reason}")]
    Output {
        /// Where to.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<saydo::Error> for Error {
    fn from(error: saydo::Error) -> Self {
        match error {
            saydo::Error::Function(error) => Self::Function(error),
            error => Self::Store(Box::new(error)),
        }
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Self {
        Self::Engine(error)
    }
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        match error {
            Error::Engine(error) => error,
            error => DataFusionError::External(Box::new(error)),
        }
    }
}

/// What the engine says, without the words that only say who says it.
fn message(error: &DataFusionError) -> String {
    match error.find_root() {
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
                format!("the query does not read: {text}")
            }
            ParserError::RecursionLimitExceeded => "the query is nested too deeply".to_owned(),
        },
        DataFusionError::Plan(text) | DataFusionError::Execution(text) => text.clone(),
        DataFusionError::External(error) => error.to_string(),
        error => error.strip_backtrace(),
    }
}
