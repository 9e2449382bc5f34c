//! A function as a run sees it: keys for its answers, and a way to have documents answered.

use crate::Keys;
use saydo_function::{Error, Function, Outcome};
use std::sync::Arc;

/// What is called with a document's number and what came out.
pub type Done<'a> = &'a mut dyn FnMut(usize, Result<Outcome, Error>);

type Apply<'a> = dyn Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a;

/// One column of the rows.
pub struct Column<'a> {
    pub(crate) keys: Keys,
    apply: Box<Apply<'a>>,
}

impl<'a> Column<'a> {
    /// The column of a function on the model of this fingerprint.
    pub fn of(function: &'a Function, fingerprint: &str) -> Self {
        let keys = Keys::new(&function.identity(), fingerprint);
        Self::new(keys, |documents, done| function.apply_each(documents, done))
    }

    /// A column whose answers come from anywhere. `apply` keeps the contract of [`Function::apply_each`].
    pub fn new(
        keys: Keys,
        apply: impl Fn(&mut dyn Iterator<Item = Arc<str>>, Done<'_>) -> Result<(), Error> + 'a,
    ) -> Self {
        Self { keys, apply: Box::new(apply) }
    }

    /// Has documents answered.
    pub(crate) fn apply(&self, documents: &mut dyn Iterator<Item = Arc<str>>, done: Done<'_>) -> Result<(), Error> {
        (self.apply)(documents, done)
    }
}
