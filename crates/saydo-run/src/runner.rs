//! Functions over documents: what is known is read back, the rest is computed and recorded, rows come out in the order
//! of the documents.
//!
//! Documents are taken as fast as the model has room for them. Several functions are asked of each document side by side, so
//! that the model reads it once; columns of another origin take turns, a group of documents after the other. Either way only
//! documents whose row is not out yet are in memory, and there are at most [`Settings::window`] of them.

mod queue;
mod summary;

pub use summary::{Counts, FailOnError, Summary};

use crate::{Column, Error, Ledger};
use queue::Queue;
use saydo_corpus::{Document, Row, Unreadable};
use saydo_function::{Function, answer_each};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a run goes about it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model's name, for the rows.
    pub model: String,
    /// Whether what failed or could not be parsed before is computed again. Default: no.
    pub retry_errors: bool,
    /// When to give up. Default: never.
    pub fail_on_error: Option<FailOnError>,
    /// How many documents may be in memory at most. Default: 512.
    pub window: usize,
}

impl Settings {
    /// The defaults, for a model of this name.
    pub fn new(model: impl Into<String>) -> Self {
        Self { model: model.into(), retry_errors: false, fail_on_error: None, window: 512 }
    }
}

/// A row that is ready.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The row.
    pub row: &'a Row,
    /// The document; its text is empty if it could not be read.
    pub document: &'a Document,
    /// Whether anything of it was computed now, and not only read back.
    pub is_new: bool,
}

/// What a caller's own function said when it was given a row.
pub type RowError = Box<dyn std::error::Error + Send + Sync>;

/// Applies the columns' functions to the documents and calls `each` with every row, in the documents' order.
///
/// Once `stop` is set no further document is taken: those in flight are finished and recorded, rows that are complete
/// come out, and the summary says that it was interrupted. The same holds if `each` or the ledger fails, or if a
/// function fails as a whole, and then the error is given back.
pub fn run(
    columns: &[Column<'_>],
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    ledger: &mut Ledger,
    settings: &Settings,
    stop: &AtomicBool,
    each: &mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
) -> Result<Summary, Error> {
    let queue = RefCell::new(Queue::new(columns, documents, ledger, settings, stop, each));
    let functions: Option<Vec<&Function>> = columns.iter().map(Column::function).collect();
    loop {
        match &functions {
            Some(functions) => {
                queue.borrow_mut().begin(0..columns.len());
                let mut asked = Texts { queue: &queue }.map(|(column, text)| (functions[column], text));
                let applied = answer_each(&mut asked, &mut |index, result| queue.borrow_mut().done(index, result));
                queue.borrow_mut().end(applied);
            }
            None => {
                for (number, column) in columns.iter().enumerate() {
                    queue.borrow_mut().begin(number..number + 1);
                    let mut texts = Texts { queue: &queue }.map(|(_, text)| text);
                    let applied = column.apply(&mut texts, &mut |index, result| queue.borrow_mut().done(index, result));
                    queue.borrow_mut().end(applied);
                }
            }
        }
        if queue.borrow().is_over() {
            return queue.into_inner().finish();
        }
    }
}

/// The texts that the columns whose turn it is have to answer, each with the column's number.
struct Texts<'q, 'a> {
    queue: &'q RefCell<Queue<'a>>,
}

impl Iterator for Texts<'_, '_> {
    type Item = (usize, Arc<str>);

    fn next(&mut self) -> Option<Self::Item> {
        self.queue.borrow_mut().next_text()
    }
}

#[cfg(test)]
mod tests;
