//! Holds generation to a form: labels, text of the input, JSON of given fields. Knows tokens, never models.
//!
//! Read in this order: [`Constraint`] says which texts a reply may be, [`Vocabulary`] what a model's tokens spell, and
//! [`Guide`] follows one sequence and masks the tokens that would leave the constraint. [`ground`] finds a generated
//! piece in the text it was taken from.
//!
//! ```
//! use saydo_guide::{Constraint, Guide, TokenBytes, Vocabulary};
//!
//! let words = ["y", "es", "no", "maybe", ""].map(|word| TokenBytes { bytes: word.into(), control: word.is_empty() });
//! let vocabulary = Vocabulary::new(words.to_vec(), &[4])?;
//! let mut guide = Guide::new(&vocabulary, &Constraint::labels(["yes", "no"]))?;
//!
//! let mut logits = [1.0; 5];
//! guide.mask(&mut logits)?;
//! assert_eq!(logits.map(f32::is_finite), [true, false, true, false, false]);
//! guide.accept(0)?;
//! guide.accept(1)?;
//! assert!(guide.is_finished());
//! # Ok::<(), saydo_guide::Error>(())
//! ```

mod allowed;
mod boundary;
mod byte_set;
mod constraint;
mod error;
mod escape;
mod ground;
mod guide;
mod line;
mod machine;
mod number;
mod program;
mod schema;
mod strings;
mod suffix;
mod trie;
mod vocabulary;
mod walk;

pub use constraint::Constraint;
pub use error::Error;
pub use escape::Escape;
pub use ground::ground;
pub use guide::Guide;
pub use vocabulary::{TokenBytes, Vocabulary};
