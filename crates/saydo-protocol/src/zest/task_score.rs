//! Tasks with their predictions: F1 and what it is made of.

use saydo_metrics::python::strip;
use saydo_task::format::zest::Record;
use saydo_task::node::Value;
use serde::{Serialize, Serializer};

use super::bucket::Buckets;
use super::error::{Error, LineFault, Place, Reason, Side};
use super::instance::{InstanceScore, Scorer};
use super::prediction::Prediction;
use super::python_text::to_text;
use super::question::question_format;
use super::repair::{Repairs, quirk};

/// The question whose task is left out, with its predictions: its answers are defective (Q4).
pub const SKIPPED_QUESTION: &str = "Are there any buildings named after this president?";

/// What [`quirk::FIRST_WORD`] and [`quirk::NO_BASE`] report when repaired.
const UNKNOWN: &str = "unknown";

/// A task of the file and how it went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskScore {
    /// The id as it stands in the file.
    pub id: serde_json::Value,
    /// Scored or skipped.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// Whether a task was scored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// Left out; counts nowhere.
    Skipped {
        /// Always true.
        skipped: bool,
    },
    /// Scored.
    Scored(Box<ScoredTask>),
}

/// The score of a task. As JSON, a row in the style of the reference's own records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredTask {
    /// The generalization type.
    pub category: String,
    /// `extraction` or `classification`, by the question's first word.
    pub format: String,
    /// The F1 of the task.
    pub f1: f64,
    /// The instances in order; as JSON only their scores.
    #[serde(rename = "instance_scores", serialize_with = "only_scores")]
    pub instances: Vec<InstanceScore>,
    /// The buckets of all instances.
    pub buckets: Buckets,
    /// How many gold answers are not NA.
    pub gold_positive: usize,
    /// The domain.
    #[serde(skip)]
    pub domain: String,
    /// What the task contributes to its row of the official result: the F1, or the least of it and its base tasks'.
    #[serde(skip)]
    pub official: Option<f64>,
}

fn only_scores<S: Serializer>(instances: &[InstanceScore], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(instances.iter().map(|instance| instance.score))
}

impl TaskScore {
    /// The score, unless the task was skipped.
    pub fn scored(&self) -> Option<&ScoredTask> {
        match &self.outcome {
            Outcome::Scored(task) => Some(task),
            Outcome::Skipped { .. } => None,
        }
    }
}

/// Scores all tasks in order, each example with the next prediction.
pub(super) fn score_tasks(
    records: &[Record],
    predictions: &[Prediction],
    repairs: Repairs,
) -> Result<Vec<TaskScore>, Error> {
    let needed = records.iter().map(|record| record.examples.len()).sum();
    if predictions.len() > needed && repairs.has(quirk::SURPLUS) {
        return Err(Error::Surplus { found: predictions.len(), needed });
    }
    let mut scorer = Scorer::new(repairs);
    let mut start = 0;
    let mut tasks = Vec::with_capacity(records.len());
    for record in records {
        let own = predictions.get(start..).unwrap_or_default();
        start += record.examples.len();
        let outcome = score_task(&mut scorer, record, own).map_err(|error| match error {
            Error::TooFew { place, .. } => Error::TooFew { found: predictions.len(), needed, place },
            other => other,
        })?;
        tasks.push(TaskScore { id: id_json(&record.id), outcome });
    }
    Ok(tasks)
}

/// Scores a task whose predictions are the first of `predictions`.
fn score_task(scorer: &mut Scorer, record: &Record, predictions: &[Prediction]) -> Result<Outcome, Error> {
    let repairs = scorer.repairs;
    let category = type_field(record, record.generalization.as_deref(), "generalization_type", repairs)?;
    let domain = type_field(record, record.domain.as_deref(), "domain", repairs)?;
    let format = match question_format(&record.question) {
        Ok(format) => format,
        Err(_) if repairs.has(quirk::FIRST_WORD) => UNKNOWN,
        Err(word) => return Err(Error::FirstWord { task: to_text(&record.id), word }),
    };
    if record.question == SKIPPED_QUESTION && !repairs.has(quirk::SKIPPED) {
        return Ok(Outcome::Skipped { skipped: true });
    }
    let mut buckets = Buckets::default();
    let mut instances = Vec::with_capacity(record.examples.len());
    for index in 0..record.examples.len() {
        let instance = score_example(scorer, record, index, predictions.get(index))?;
        buckets.extend(&instance.buckets);
        instances.push(instance);
    }
    Ok(Outcome::Scored(Box::new(ScoredTask {
        category: category.to_owned(),
        format: format.to_owned(),
        f1: buckets.f1(),
        instances,
        gold_positive: buckets.gold_positive(),
        buckets,
        domain: domain.to_owned(),
        official: None,
    })))
}

fn score_example(
    scorer: &mut Scorer,
    record: &Record,
    example: usize,
    prediction: Option<&Prediction>,
) -> Result<InstanceScore, Error> {
    let place = || Place { task: to_text(&record.id), example, line: prediction.map(|prediction| prediction.line) };
    let Some(prediction) = prediction else {
        return Err(Error::TooFew { found: 0, needed: 0, place: place() });
    };
    if let Some(found) = prediction.task.as_deref().filter(|task| strip(task) != to_text(&record.id)) {
        return Err(Error::OutOfOrder { place: place(), found: found.to_owned() });
    }
    let answer = record.examples[example].answer.as_ref().ok_or(Side::Gold.fault(Reason::Missing));
    let score = |answer| match &prediction.text {
        Err(LineFault::NoReply) => scorer.unanswered(answer),
        text => scorer.score(answer, text.as_deref().ok()),
    };
    answer.and_then(score).map_err(|fault| Error::Answer { place: place(), fault })
}

fn type_field<'a>(
    record: &'a Record,
    found: Option<&'a str>,
    field: &'static str,
    repairs: Repairs,
) -> Result<&'a str, Error> {
    match found {
        Some(found) => Ok(found),
        None if repairs.has(quirk::NO_BASE) => Ok(UNKNOWN),
        None => Err(Error::NoType { task: to_text(&record.id), field }),
    }
}

/// A task's id for our own JSON: whatever a JSON writer cannot hold becomes text.
fn id_json(id: &Value) -> serde_json::Value {
    let text = to_text(id);
    match id {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Integer(digits) => digits.parse::<i64>().map_or_else(|_| text.into(), serde_json::Value::from),
        Value::Float(number) => serde_json::Number::from_f64(*number).map_or_else(|| text.into(), Into::into),
        Value::String(_) | Value::Array(_) | Value::Object(_) => text.into(),
    }
}
