//! The papers' protocols as runs: what is asked of a model, what it said, and what that scores.
//!
//! Reading order: a [`Plan`] is made from tasks by the rules of a [`Protocol`] and lists every [`Sample`], the one thing
//! that is asked of a model. [`run`] has an [`Answerer`] reply to each and keeps the replies in a ledger; what is there
//! already is not asked again. A [`Record`] is the folder that holds all of it. [`score()`] reads a record and asks nobody.
//! [`judged`] keeps what people said of the Turking Test's outputs, [`harness`] writes the files that users of
//! lm-evaluation-harness know, and [`compare`] tells two runs apart.

pub mod answerer;
pub mod compare;
mod contamination;
pub mod date;
mod decoding;
mod error;
mod gold;
pub mod harness;
pub mod judged;
pub mod plan;
pub mod predictions;
mod protocol;
pub mod record;
mod runner;
mod sample;
pub mod score;
pub mod summary;

pub use answerer::{Answerer, Baseline, Replay};
pub use contamination::Contamination;
pub use decoding::{Length, NamedDecoding};
pub use error::Error;
pub use gold::{GoldInstance, GoldTask};
pub use plan::Plan;
pub use protocol::Protocol;
pub use record::Record;
pub use runner::{Progress, Summary, run};
pub use sample::Sample;
pub use score::{Scores, score};
