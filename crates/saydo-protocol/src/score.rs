//! From replies to scores: each protocol's own result, and rows that look alike for all of them.
//!
//! Nothing here asks a model. A sample without a reply, or whose reply failed, counts as wrong and is counted apart.

mod label;
mod labelled;
mod natural_instructions;
pub mod reading;
mod row;
mod super_natural_instructions;
mod turking;
mod variant;
mod zest;

pub use label::LabelScores;
pub use row::Row;
pub use turking::gold_and_outputs;
pub use variant::variants;

use crate::{Contamination, Error, Plan, Protocol};
use row::TaskValue;
use saydo_corpus::{Cell, Status};
use saydo_encode::Dropped;
use saydo_eval::Mode;
use saydo_eval::labelled::answer_text;
use saydo_eval::{
    natural_instructions as ni_scores, super_natural_instructions as sni_scores, turking as turking_scores,
    zest as zest_scores,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What stands for a reply that is not there: it holds no word of any gold answer and is not NA, so it is wrong under
/// every metric.
const NO_REPLY: &str = "∅";

/// How a run is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The reference scorers exactly, or with their quirks repaired.
    pub mode: Mode,
    /// Seeds the resampling behind the intervals.
    pub seed: u64,
}

/// The scores of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The protocol.
    pub protocol: Protocol,
    /// How it was scored.
    pub mode: Mode,
    /// Samples that were asked.
    pub asked: usize,
    /// Samples without a reply so far.
    pub missing: usize,
    /// Samples whose reply failed or could not be read.
    pub failed: usize,
    /// Samples that the model had learned.
    #[serde(skip_serializing_if = "is_zero")]
    pub seen: usize,
    /// Means by task, category and so on.
    pub rows: Vec<Row>,
    /// Tasks that ask for one of a few labels, under the protocols that score replies by ROUGE-L.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelScores>,
    /// What the protocol itself reports.
    pub detail: Detail,
    /// What a reader of the numbers should know.
    pub notes: Vec<String>,
    /// Each sample's part, in the order of the plan.
    #[serde(skip)]
    pub samples: Vec<SampleScore>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What became of one sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SampleScore {
    /// What was said, as the scorer read it; none if there is no reply.
    pub reply: Option<String>,
    /// How it went; none if it was not asked yet.
    pub status: Option<Status>,
    /// How sure the model was.
    pub confidence: Option<f64>,
    /// Milliseconds from request to reply.
    pub ms: u64,
    /// What went wrong.
    pub error: Option<String>,
    /// A value for each of the protocol's metrics that applies.
    pub metrics: Vec<Option<f64>>,
    /// In which way it is wrong, where the protocol tells ways apart.
    pub pattern: Option<String>,
}

impl SampleScore {
    fn new(cell: Option<&Cell>) -> Self {
        let Some(cell) = cell else { return Self::default() };
        Self {
            reply: reply(cell),
            status: Some(cell.status),
            confidence: cell.confidence,
            ms: cell.ms,
            error: cell.error.clone(),
            metrics: Vec::new(),
            pattern: None,
        }
    }

    /// What is scored.
    fn text(&self) -> &str {
        self.reply.as_deref().unwrap_or(NO_REPLY)
    }
}

/// What was said, as scorers and evaluators read it; none if the reply failed.
pub fn reply(cell: &Cell) -> Option<String> {
    match cell.status {
        Status::Ok if cell.answer.is_string() => cell.answer.as_str().map(str::to_owned),
        Status::Ok | Status::Na => Some(answer_text(&cell.answer)),
        Status::Unparsable | Status::Failed => None,
    }
}

/// What a protocol's scorer gives.
struct Scored {
    samples: Vec<SampleScore>,
    values: Vec<TaskValue>,
    detail: Detail,
    notes: Vec<String>,
}

/// What a protocol itself reports; under several names, one for each way the tasks were asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Detail {
    /// ZEST's rows, for each layout and decoding.
    Zest(BTreeMap<String, ZestResult>),
    /// Natural Instructions' files and encodings.
    NaturalInstructions(Box<ni_scores::Report>),
    /// Super-NaturalInstructions' tracks, for each layout and decoding.
    SuperNaturalInstructions(BTreeMap<String, sni_scores::Report>),
    /// The Turking Test's tasks, for each layout.
    Turking(BTreeMap<String, TurkingResult>),
    /// F1, accuracy and confusions of each task.
    Labelled(Value),
    /// What each source reports, in the order they were asked.
    Reading(Vec<reading::SourceScores>),
}

/// What ZEST's scorer gives, and the kinds of error of the paper's Table 6.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZestResult {
    /// The scores.
    #[serde(flatten)]
    pub scores: zest_scores::ZestScores,
    /// The errors by kind.
    pub errors: zest_scores::ErrorKinds,
}

/// What the Turking Test's scorer gives, and success by length of the paper's Figure 6.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurkingResult {
    /// The scores.
    #[serde(flatten)]
    pub report: turking_scores::Report,
    /// The lengths of sentences, all and solved, for each task with gold and each decoding.
    pub lengths: Vec<turking_scores::length::LengthReport>,
}

/// Scores a plan whose replies are these, one for each sample; none where there is no reply yet.
pub fn score(plan: &Plan, cells: &[Option<Cell>], options: &Options) -> Result<Scores, Error> {
    let samples: Vec<SampleScore> = cells.iter().map(|cell| SampleScore::new(cell.as_ref())).collect();
    let missing = samples.iter().filter(|sample| sample.status.is_none()).count();
    if missing == samples.len() {
        return Err(Error::NothingAnswered { samples: missing });
    }
    let has_failed = |sample: &&SampleScore| matches!(sample.status, Some(Status::Failed | Status::Unparsable));
    let failed = samples.iter().filter(has_failed).count();
    let scored = match plan.protocol {
        Protocol::Zest => zest::score(plan, samples, options)?,
        Protocol::NaturalInstructions => natural_instructions::score(plan, samples, options)?,
        Protocol::SuperNaturalInstructions => super_natural_instructions::score(plan, samples, options)?,
        Protocol::Turking => turking::score(plan, samples, options)?,
        Protocol::Labelled => labelled::score(plan, samples, options)?,
        Protocol::Reading => reading::score(plan, cells, samples, options),
    };
    let labels = match plan.protocol {
        Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions => label::labels(plan, &scored.samples),
        Protocol::Zest | Protocol::Turking | Protocol::Labelled | Protocol::Reading => Vec::new(),
    };
    let contamination = Contamination::of(plan);
    let notes = contamination.iter().map(|found| format!("not scores on unseen data: {found}"));
    let lacking = Dropped::tally(plan.samples.iter().map(|sample| &sample.dropped));
    let notes = notes.chain(lacking.into_iter().map(|(what, count)| {
        format!("{count} of {} prompts lack {what}, to fit what the model reads", plan.samples.len())
    }));
    Ok(Scores {
        protocol: plan.protocol,
        mode: options.mode,
        asked: plan.samples.len() - missing,
        missing,
        failed,
        seen: contamination.as_ref().map_or(0, |found| found.samples),
        rows: row::rows(plan, &scored.samples, &scored.values, options.seed),
        labels,
        detail: scored.detail,
        notes: notes.chain(scored.notes).collect(),
        samples: scored.samples,
    })
}
