//! A function as a run sees it: keys for its answers, and a way to have documents answered.

use crate::{Keys, cell};
use saydo_corpus::Cell;
use saydo_function::{Error, Function, Outcome};
use std::sync::Arc;

/// What is called with a document's number and what came out.
pub type Done<'a> = &'a mut dyn FnMut(usize, Result<Outcome, Error>);

type Apply<'a> = dyn Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a;

/// Where a column's answers come from.
enum Source<'a> {
    Function(&'a Function),
    Other(Box<Apply<'a>>),
}

/// One column of the rows.
pub struct Column<'a> {
    pub(crate) keys: Keys,
    source: Source<'a>,
}

impl<'a> Column<'a> {
    /// The column of a function on the model of this fingerprint.
    pub fn of(function: &'a Function, fingerprint: &str) -> Self {
        let keys = Keys::new(&function.identity(), fingerprint);
        Self { keys, source: Source::Function(function) }
    }

    /// A column whose answers come from anywhere. `apply` keeps the contract of [`Function::apply_each`].
    pub fn new(
        keys: Keys,
        apply: impl Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a,
    ) -> Self {
        Self { keys, source: Source::Other(Box::new(apply)) }
    }

    /// Whether a cell can be what the function gave for a text.
    pub(crate) fn fits(&self, cell: &Cell, text: &str) -> bool {
        self.function().is_none_or(|function| cell::fits(cell, function.spec(), text))
    }

    /// The function, if its answers come from one.
    pub(crate) fn function(&self) -> Option<&'a Function> {
        match &self.source {
            Source::Function(function) => Some(function),
            Source::Other(_) => None,
        }
    }

    /// Has documents answered.
    pub(crate) fn apply(&self, documents: &mut dyn Iterator<Item = Arc<str>>, done: Done<'_>) -> Result<(), Error> {
        match &self.source {
            Source::Function(function) => function.apply_each(documents, done),
            Source::Other(apply) => apply(documents, done),
        }
    }
}
