//! The ZEST protocol (Weller and others, 2020): typed answers, task F1, competence C@T, paired generalization.
//!
//! A copy of the released evaluator, oddities included, with every oddity behind a switch: [`Repairs`]. What the numbers
//! mean, and where the program departs from the paper: rules Z1 to Z29 of docs/metrics.md; the quirks are
//! listed in [`quirk`]. Reading order: `normalize` and `span` score texts, `na` and `instance` answers, `structure` and
//! `item` lists of objects, `task_score` and `pairing` tasks, `score` a run.

mod answer;
mod answer_set;
mod bucket;
mod competence;
mod effect;
mod error;
mod error_kind;
mod evaluation;
mod instance;
mod interval;
mod item;
mod normalize;
mod not_applicable;
mod pairing;
pub(crate) mod plan;
mod prediction;
mod printed;
pub mod published;
mod python_text;
mod question;
mod repair;
pub(crate) mod score;
mod span;
mod standing;
mod structure;
pub(crate) mod table;
mod task_score;

pub use answer_set::answer_sets;
pub use bucket::Buckets;
pub use competence::{Competence, Rows};
pub use effect::{Effect, EffectResult, Overall, QuirkReport, quirk_report};
pub use error::{Error, Fault, LineFault, Place, Reason, Side};
pub use error_kind::{ErrorKind, ErrorKinds, ErrorShare, Rate, error_kinds};
pub use evaluation::{InstanceMeans, Official, Options, Standard, ZestScores, score};
pub use instance::{InstanceScore, Scorer};
pub use interval::CompetenceInterval;
pub(crate) use interval::intervals;
pub use normalize::{Bag, normalize};
pub use not_applicable::{is_na, is_na_text};
pub use prediction::{Prediction, PredictionFormat, read_predictions};
pub use printed::percent;
pub use question::question_format;
pub use repair::{Repairs, quirk};
pub use span::{aligned_mean, exact_match, pair_f1, span_f1};
pub use standing::{Gap, Standing, TaskStanding};
pub use task_score::{Outcome, SKIPPED_QUESTION, ScoredTask, TaskScore};
