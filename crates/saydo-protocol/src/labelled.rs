//! The verdict before spending: how a task does on a few dozen labelled documents of the user's own.
//!
//! Answers are scored as ZEST scores them, its quirks repaired: NA apart from real answers, spans by shared words, records
//! field by field. Free text is scored by ROUGE-L instead.

mod gold;
mod operating;
pub(crate) mod plan;
mod refinement;
pub(crate) mod score;
pub(crate) mod table;
mod verdict;

pub use gold::{LabelledRow, read_labelled};
pub use operating::{Forced, OperatingPoint, best_point, operating_points};
pub use refinement::{Lead, Parts};
pub use verdict::{Confusion, Flips, RowVerdict, Verdict, answer_text, flips, row_verdict, verdict};
