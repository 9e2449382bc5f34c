//! A function as a run sees it: keys for its answers, and a way to have documents answered.

use crate::{Keys, cell};
use saydo_corpus::Cell;
use saydo_function::{Error, Function, Outcome};
use saydo_task::AnswerSpec;
use std::sync::Arc;

/// What is called with a document's number and what came out.
pub type Done<'a> = &'a mut dyn FnMut(usize, Result<Outcome, Error>);

type Apply<'a> = dyn Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a;

/// One column of the rows.
pub struct Column<'a> {
    pub(crate) keys: Keys,
    apply: Box<Apply<'a>>,
    /// What its answers look like, where that is known.
    spec: Option<&'a AnswerSpec>,
}

impl<'a> Column<'a> {
    /// The column of a function on the model of this fingerprint.
    pub fn of(function: &'a Function, fingerprint: &str) -> Self {
        let keys = Keys::new(&function.identity(), fingerprint);
        Self { spec: Some(function.spec()), ..Self::new(keys, |documents, done| function.apply_each(documents, done)) }
    }

    /// A column whose answers come from anywhere. `apply` keeps the contract of [`Function::apply_each`].
    pub fn new(
        keys: Keys,
        apply: impl Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a,
    ) -> Self {
        Self { keys, apply: Box::new(apply), spec: None }
    }

    /// Whether a cell can be what the function gave for a text.
    pub(crate) fn fits(&self, cell: &Cell, text: &str) -> bool {
        self.spec.is_none_or(|spec| cell::fits(cell, spec, text))
    }

    /// Has documents answered.
    pub(crate) fn apply(&self, documents: &mut dyn Iterator<Item = Arc<str>>, done: Done<'_>) -> Result<(), Error> {
        (self.apply)(documents, done)
    }
}
