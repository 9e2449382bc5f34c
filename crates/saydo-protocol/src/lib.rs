//! The papers' protocols: what is asked of a model, what it said, and what that scores.
//!
//! A folder for each protocol. Its scorer turns gold and predictions, from files or from memory, into the numbers of the
//! reference program: exactly in strict mode, oddities included, and repaired in fixed mode. Scorers know neither plans nor
//! records, and no model is opened to use one. Beside it, `plan` says what is asked, `score` hands a run's replies to the
//! scorer, `table` writes the result as tables, and `published` holds the paper's numbers.
//!
//! What all protocols share, in reading order: a [`Plan`] is made from tasks by the rules of a [`Protocol`] and lists every
//! [`Sample`], the one thing that is asked of a model. The library `saydo` has an [`Answerer`] reply to each and keeps the
//! replies in a ledger. A [`Record`] is the folder that holds all of it. [`score()`] reads a record and asks nobody; [`table::tables`] are for terminals, pages and documents. [`harness`] writes the files that users
//! of lm-evaluation-harness know, and [`compare`] tells two runs apart.

pub mod labelled;
pub mod natural_instructions;
pub mod reading;
pub mod super_natural_instructions;
pub mod text;
pub mod turking;
pub mod zest;

pub mod answerer;
pub mod coding;
pub mod compare;
pub mod competence;
mod contamination;
pub mod date;
mod decoding;
mod error;
pub mod generalization;
mod gold;
pub mod harness;
pub mod measure;
mod mode;
pub mod plan;
pub mod predictions;
mod protocol;
pub mod record;
pub mod release;
mod sample;
pub mod score;
pub mod table;

pub use answerer::{Answerer, Baseline, Replay};
pub use contamination::Contamination;
pub use decoding::{Length, NamedDecoding};
pub use error::Error;
pub use gold::{GoldInstance, GoldTask};
pub use mode::{Mode, Quirk};
pub use plan::Plan;
pub use protocol::Protocol;
pub use record::Record;
pub use sample::Sample;
pub use score::{Scores, score};
