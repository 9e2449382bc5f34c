//! People's judgements of outputs: sheets to fill in, what comes back, and how far people agree (section 3.3 of the paper).
//!
//! The crowd's tasks have no gold, so people say of each output whether it does what was asked (accurate) and whether it
//! would for some other resource (form consistent). [`Entries`] are the outputs that can be judged, [`assign`] deals
//! them out to judges as [`Sheet`]s, [`Judgements`] reads the sheets back, [`tally`] counts them, and [`compare`] says
//! how well another judge, a rule or a model, does beside people. File formats and definitions: `docs/turking.md`.

mod assignment;
mod cell;
mod compare;
mod entry;
mod given;
mod raw;
mod sheet;
mod tally;

pub use assignment::{Plan, assign};
pub use cell::PERSON_PATTERNS;
pub use compare::{JudgeAgreement, compare, form_rule};
pub use entry::{Entries, Entry};
pub use given::{Given, Judgements};
pub use sheet::{COLUMNS, Sheet};
pub use tally::{Agreement, Answers, Disagreement, JudgementReport, TaskJudgements, tally};

/// What is asked of a judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Whether the output does what the instruction asks, for the resource in it.
    Accurate,
    /// Whether there is some resource for which it would.
    FormConsistent,
}

impl Question {
    /// Both questions.
    pub const ALL: [Question; 2] = [Question::Accurate, Question::FormConsistent];

    /// The name of the column that holds the answer.
    pub fn column(self) -> &'static str {
        match self {
            Question::Accurate => "accurate",
            Question::FormConsistent => "form_consistent",
        }
    }
}
