//! Reading: questions over texts, some of which a text does not answer.
//!
//! Each kind of data has the score its authors gave it: [`set`] is everyday's task F1, where a list is a set; [`squad`] is
//! SQuAD 2.0's evaluation script; [`classes`] counts labels. `generalization` is ZEST's C@T by type. [`ranking`] and [`calibration`] ask how much a confidence
//! is worth.

pub mod calibration;
pub mod classes;
mod generalization;
pub(crate) mod plan;
pub mod published;
pub mod ranking;
pub(crate) mod score;
pub mod set;
pub mod squad;
pub(crate) mod table;

pub use generalization::TypeScores;
pub use plan::Source;
pub use score::{Competence, Metric, SourceScores, graded};
