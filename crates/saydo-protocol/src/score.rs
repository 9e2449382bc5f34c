//! From replies to scores: each protocol's own result, and rows that look alike for all of them.
//!
//! Nothing here asks a model. A sample without a reply, or whose reply failed, counts as wrong and is counted separately.

mod label;
pub(crate) mod row;
mod variant;

pub use label::LabelScores;
pub use row::Row;
pub use variant::variants;
pub(crate) use variant::{by_task, ways};

use crate::Mode;
use crate::competence::{self, Competence};
use crate::generalization::{self, Generalized};
use crate::labelled::answer_text;
use crate::natural_instructions::gain::{self, Elements};
use crate::{Contamination, Error, Plan, Protocol};
use crate::{
    natural_instructions as ni_scores, super_natural_instructions as sni_scores, turking as turking_scores,
    zest as zest_scores,
};
use row::TaskValue;
use saydo_corpus::{Cell, Status};
use saydo_encode::Dropped;
use saydo_metrics::exact::exact_match;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// How a run is scored.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// The reference scorers exactly, or with their quirks repaired.
    pub mode: Mode,
    /// Seeds the resampling behind the intervals.
    pub seed: u64,
    /// The level of tasks that state none; none for [`crate::competence::LEVEL`].
    pub competent_at: Option<f64>,
}

/// The scores of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The protocol.
    pub protocol: Protocol,
    /// How it was scored.
    pub mode: ScoredMode,
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
    /// Which tasks the model can do.
    pub competence: Competence,
    /// Derived tasks against their base, where tasks say what they derive from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generalization: Vec<Generalized>,
    /// What the elements of an instruction are worth; Natural Instructions under several layouts.
    #[serde(skip_serializing_if = "Elements::is_empty")]
    pub elements: Elements,
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

    /// Whether the reply is a gold output but for case, punctuation and spacing.
    pub(crate) fn is_exact(&self, gold: &[String]) -> bool {
        self.reply.as_deref().is_some_and(|reply| exact_match(reply, gold))
    }
}

/// 1 for true, so that the mean is a share.
pub(crate) fn indicator(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// What was said, as scorers and evaluators read it; none if the reply failed.
pub fn reply(cell: &Cell) -> Option<String> {
    match cell.status {
        Status::Ok if cell.answer.is_string() => cell.answer.as_str().map(str::to_owned),
        Status::Ok | Status::Na => Some(answer_text(&cell.answer)),
        Status::Unparsable | Status::Failed => None,
    }
}

/// What a protocol's scorer gives, beside the metrics of samples.
pub(crate) struct Scored {
    pub values: Vec<TaskValue>,
    pub detail: Detail,
    pub notes: Vec<String>,
    /// Whether something the reference program would stop at was scored with its quirks repaired.
    pub is_repaired: bool,
}

impl Scored {
    pub(crate) fn new(detail: Detail) -> Self {
        Self { values: Vec::new(), detail, notes: Vec::new(), is_repaired: false }
    }
}

/// How the replies of a run were scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoredMode {
    /// As the reference program scores, oddities included.
    Strict,
    /// Strict was asked for, but the reference program would have stopped at a reply, so its quirks are repaired there.
    Repaired,
    /// With the reference's quirks repaired.
    Fixed,
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
    Reading(Vec<crate::reading::SourceScores>),
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
    let mut samples: Vec<SampleScore> = cells.iter().map(|cell| SampleScore::new(cell.as_ref())).collect();
    let missing = samples.iter().filter(|sample| sample.status.is_none()).count();
    if missing == samples.len() {
        return Err(Error::NothingAnswered { samples: missing });
    }
    let has_failed = |sample: &&SampleScore| matches!(sample.status, Some(Status::Failed | Status::Unparsable));
    let failed = samples.iter().filter(has_failed).count();
    let scored = match plan.protocol {
        Protocol::Zest => crate::zest::score::score(plan, &mut samples, options)?,
        Protocol::NaturalInstructions => crate::natural_instructions::score::score(plan, &mut samples, options)?,
        Protocol::SuperNaturalInstructions => {
            crate::super_natural_instructions::score::score(plan, &mut samples, options)?
        }
        Protocol::Turking => crate::turking::score::score(plan, &mut samples, options)?,
        Protocol::Labelled => crate::labelled::score::score(plan, &mut samples, options)?,
        Protocol::Reading => crate::reading::score::score(plan, cells, &mut samples, options),
    };
    let labels = match plan.protocol {
        Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions => label::labels(plan, &samples),
        Protocol::Zest | Protocol::Turking | Protocol::Labelled | Protocol::Reading => Vec::new(),
    };
    let level = options.competent_at.unwrap_or(competence::LEVEL);
    let competence = competence::competence(plan, &samples, &scored.values, (level, options.seed));
    let contamination = Contamination::of(plan);
    let notes = contamination.iter().map(|found| format!("not scores on unseen data: {found}"));
    let lacking = Dropped::tally(plan.samples.iter().map(|sample| &sample.dropped));
    let notes = notes.chain(lacking.into_iter().map(|(what, count)| {
        format!("{count} of {} prompts lack {what}, to fit what the model reads", plan.samples.len())
    }));
    Ok(Scores {
        protocol: plan.protocol,
        mode: match options.mode {
            Mode::Strict if scored.is_repaired => ScoredMode::Repaired,
            Mode::Strict => ScoredMode::Strict,
            Mode::Fixed => ScoredMode::Fixed,
        },
        asked: plan.samples.len() - missing,
        missing,
        failed,
        seen: contamination.as_ref().map_or(0, |found| found.samples),
        rows: row::rows(plan, &samples, &scored.values, options.seed),
        generalization: generalization::generalized(plan, &samples, &competence, options.seed),
        competence,
        elements: gain::elements(plan, &samples, options.seed),
        labels,
        detail: scored.detail,
        notes: notes.chain(scored.notes).collect(),
        samples,
    })
}
