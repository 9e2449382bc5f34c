//! Finds the nouns of an English sentence, with its weights inside.
//!
//! The Turking Test asks for all nouns of a sentence, or for those of one number (docs/turking.md); this crate
//! supplies the nouns that count as right. A linear-chain model over spelling, neighbors and word classes picks one
//! [`Tag`] per token; `weights/SOURCE.md` says what it learned from, `README.md` how well it does.
//!
//! Reading order: [`tokenize()`], `word`, `lexicon`, `feature`, `weights`, `viterbi`, [`Tagger`]. What makes the weights
//! is in [`train`], what measures them in [`treebank`] and [`score`].

mod bytes;
mod error;
mod feature;
mod lexicon;
pub mod score;
mod tag;
mod tagger;
mod tokenize;
pub mod train;
pub mod treebank;
mod viterbi;
mod weights;
mod word;

pub use error::Error;
pub use tag::{Number, Tag};
pub use tagger::{Noun, Tagger};
pub use tokenize::tokenize;
