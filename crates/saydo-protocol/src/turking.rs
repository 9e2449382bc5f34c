//! The Turking Test (2020): scoring what a model wrote under the paper's lenient rules.
//!
//! The authors judged outputs by hand and published no program, so every rule here is ours where the paper is silent;
//! `docs/turking.md` lists them all. Words, characters and nouns are scored against gold. For the crowd's tasks (SNLI,
//! SQuAD, NewsQA) only the form can be checked without people: that is called form consistency and nothing more.
//!
//! [`Gold`] holds the tasks, [`Outputs`] what was written for them, and [`score`] brings the two together.

mod element;
mod error;
mod evaluation;
mod form;
mod gold;
mod introduction;
mod judge;
pub mod judged;
pub mod judgement;
pub mod length;
pub mod model_judge;
mod nouns;
mod outputs;
mod pattern;
pub(crate) mod plan;
pub mod published;
mod report;
pub(crate) mod score;
mod sentence;
pub(crate) mod table;
mod word;

pub use error::Error;
pub use evaluation::score;
pub use form::Form;
pub use gold::{Gold, Item};
pub use judge::{Judgement, Verdict, judge};
pub use nouns::Overlap;
pub use outputs::{Output, Outputs};
pub use pattern::Pattern;
pub use report::{
    Accuracy, BaselineReport, ConditionReport, DecodingReport, Estimate, FormReport, OracleReport, OverlapReport,
    PatternReport, RepetitionReport, Report, TaskReport,
};
