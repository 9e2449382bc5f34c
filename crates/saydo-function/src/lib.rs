//! A description becomes a function over text: typed, grounded answers from a model.
//!
//! Library users start here; evaluation, corpus runs and the server all call the same [`Function`].
//!
//! Reading order: [`mod@infer`] says what kind of answer a description asks for, `wording` makes prompts of it, `window`
//! splits long documents, `rank` says which parts to read first, `labels` scores labels and NA, `constraint` holds generated replies to the document, `parse` and
//! `grounding` read them, `merge` puts windows together; `stream` takes documents through all of it. [`mod@form`] is how
//! answers are written, `confidence` what makes a probability mean what it says.

mod confidence;
mod constraint;
mod error;
pub mod form;
mod function;
mod grounding;
mod identity;
pub mod infer;
mod labels;
mod merge;
mod outcome;
mod parse;
mod rank;
mod settings;
mod stream;
mod trained;
mod window;
mod wording;

pub use confidence::{Confidence, Graded};
pub use error::Error;
pub use function::Function;
pub use infer::{Inferred, infer};
pub use outcome::Outcome;
pub use settings::{Settings, Way};
pub use stream::{answer_each, answer_each_wanted};
pub use trained::Trained;
pub use window::WindowSize;
pub use wording::question;
