//! The files ZEST's baselines were trained on, made from its raw records (appendix of the paper, released code).
//!
//! They start from [`Record`](saydo_task::format::zest::Record) and not from a task because they show what a task smooths over: whether an answer was
//! one text or a list of alternatives.

mod bart;
mod json;
mod python;
mod t5;

pub use bart::{BartLines, bart_lines, bart_test_lines};
pub use t5::t5_csv;
