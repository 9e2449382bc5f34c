//! A description becomes a function over text: typed, grounded answers from a model.
//!
//! Library users start here; evaluation, corpus runs and the server all call the same [`Function`].
//!
//! Reading order: [`mod@infer`] says what kind of answer a description asks for, `wording` makes prompts of it, `window`
//! splits long documents, `judge` scores labels and NA, `first_token` does so on servers, `constraint` holds generated replies to the document, `parse`
//! and `grounding` read them, `merge` puts windows together; `batch` takes documents through all of it. `share` moves the line of NA by what a
//! corpus looks like. A model that has learned to answer functions is asked by `learned` instead, in the [`mod@form`] that it
//! learned.

mod batch;
mod constraint;
mod error;
mod first_token;
pub mod form;
mod function;
mod grounding;
mod identity;
pub mod infer;
mod judge;
mod learned;
mod merge;
mod outcome;
mod parse;
mod settings;
mod share;
mod trained;
mod window;
mod wording;

pub use error::Error;
pub use function::Function;
pub use infer::{Inferred, infer};
pub use judge::Aptitudes;
pub use learned::question;
pub use outcome::Outcome;
pub use settings::{Settings, Way};
pub use trained::Trained;
pub use window::WindowSize;
