//! A description becomes a function over text: typed, grounded answers from a model.
//!
//! Library users start here; evaluation, corpus runs and the server all call the same [`Function`].

mod error;
mod outcome;

pub use error::Error;
pub use outcome::Outcome;
