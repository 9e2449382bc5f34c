//! Tasks, instances and splits, and the readers and writers of every format they come in.

pub mod ablation;
mod answer;
pub mod convert;
pub mod dataset;
pub mod describe;
mod error;
pub mod everyday;
mod excerpt;
pub mod format;
pub mod gold;
pub mod json;
pub mod lint;
pub mod node;
mod output;
pub mod problem;
pub mod reader;
pub mod reading;
pub mod seen;
pub mod source;
pub mod split;
mod task;
pub mod turking;

pub use ablation::Ablation;
pub use answer::{Answer, FieldValue, Record, Span};
pub use error::Error;
pub use task::{
    AnswerKind, AnswerSpec, Criterion, Example, Field, FieldKind, Generalization, Instance, Metric, Origin, Task,
    are_labels,
};
