//! What kind of work an item is.

use crate::failure::{Answered, Failure};
use serde::{Deserialize, Serialize};

/// The steps of ZEST's pipeline that people do, and the other kinds of work. Finding passages is the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Step {
    /// Write a question for a domain.
    Base,
    /// Ask the same in other words.
    Paraphrase,
    /// Change a question's meaning a little.
    Flip,
    /// Join two of three questions.
    Compose,
    /// Ask for records with fields.
    Structure,
    /// Answer a question from a passage.
    Answer,
    /// Judge an output of the Turking Test.
    Judge,
    /// Sort an error by a code book.
    Code,
    /// Say how necessary each element of an instruction is.
    Survey,
    /// Map a subtask of a raw instruction to the schema.
    Map,
    /// Verify a mapped subtask.
    Verify,
}

impl Step {
    /// Every step, in order.
    pub(crate) const ALL: [Step; 11] = [
        Step::Base,
        Step::Paraphrase,
        Step::Flip,
        Step::Compose,
        Step::Structure,
        Step::Answer,
        Step::Judge,
        Step::Code,
        Step::Survey,
        Step::Map,
        Step::Verify,
    ];

    /// Its word in the state and the API.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Step::Base => "base",
            Step::Paraphrase => "paraphrase",
            Step::Flip => "flip",
            Step::Compose => "compose",
            Step::Structure => "structure",
            Step::Answer => "answer",
            Step::Judge => "judge",
            Step::Code => "code",
            Step::Survey => "survey",
            Step::Map => "map",
            Step::Verify => "verify",
        }
    }

    /// The step of this name.
    pub(crate) fn named(name: &str) -> Answered<Self> {
        let found = Self::ALL.into_iter().find(|step| step.name() == name);
        found.ok_or_else(|| Failure::bad(format!("there is no step {name:?}")))
    }
}
