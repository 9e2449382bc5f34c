//! Holds generation to a form: labels, text of the input, JSON of given fields. Knows tokens, never models.

mod constraint;

pub use constraint::{Constraint, Escape};
