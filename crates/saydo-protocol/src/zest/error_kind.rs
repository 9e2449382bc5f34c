//! The kinds of error of the paper's Table 6, told from gold and prediction alone.
//!
//! The authors sorted 100 errors by hand; here a rule sorts every error. An instance is wrong if its score is not 1. The
//! error is *recall* if NA was predicted and there is an answer, *precision* if something was predicted and the answer is
//! NA, *partial* if of several spans or fields at least one is right and not all are, and *other* if it is none of these:
//! another span, a span with too much or too little in it, the wrong one of yes and no.

use saydo_metrics::bootstrap::mean_interval;
use saydo_metrics::python::lower;
use saydo_task::format::zest::Record;
use saydo_task::json;
use saydo_task::node::Value;
use serde::{Deserialize, Serialize};

use super::answer::Alternative;
use super::error::{Error, LineFault, Side};
use super::instance::InstanceScore;
use super::not_applicable::is_na_answer;
use super::prediction::Prediction;
use super::published;
use super::repair::Repairs;
use super::span::{pair_f1, split_bags};
use super::task_score::score_tasks;

/// A kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// NA was predicted although there is an answer.
    Recall,
    /// Something was predicted although the answer is NA.
    Precision,
    /// Of several spans or fields some are right.
    Partial,
    /// Anything else.
    Other,
}

impl ErrorKind {
    /// Every kind, in the paper's order.
    pub const ALL: [ErrorKind; 4] = [ErrorKind::Recall, ErrorKind::Precision, ErrorKind::Partial, ErrorKind::Other];

    /// The word for this kind in output.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Recall => "recall",
            ErrorKind::Precision => "precision",
            ErrorKind::Partial => "partial",
            ErrorKind::Other => "other",
        }
    }
}

/// The errors of a run by kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorKinds {
    /// How many instances were scored.
    pub instances: usize,
    /// How many of them are wrong.
    pub errors: usize,
    /// Each kind, in the paper's order.
    pub kinds: Vec<ErrorShare>,
    /// Predictions that are not NA and not JSON, among those for structure questions: tasks of that generalization type,
    /// or with a structure for an answer.
    pub unparsable_structures: Rate,
    /// Predictions that are JSON objects or lists, among those for all other questions.
    pub needless_json: Rate,
    /// The kind of each instance, in the order of the records and their examples; none if it is right or was skipped.
    pub of_instance: Vec<Option<ErrorKind>>,
}

/// How many errors are of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorShare {
    /// The kind.
    pub kind: ErrorKind,
    /// How many errors are of it.
    pub count: usize,
    /// Their share of all errors; none if there is no error.
    pub share: Option<f64>,
    /// The 95% interval of the share as `[low, high]`, by resampling errors.
    pub interval: Option<[f64; 2]>,
    /// The paper's share, in percent.
    pub published: f64,
}

/// How many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// How many have it.
    pub count: usize,
    /// How many could have it.
    pub of: usize,
    /// The share; none of nothing.
    pub share: Option<f64>,
    /// The paper's share, in percent.
    pub published: f64,
}

/// Sorts the errors of predictions, which stand in the order of the records and their examples. Fails where
/// [`super::score`] does for an answer or a prediction.
pub fn error_kinds(records: &[Record], predictions: &[Prediction], repairs: Repairs) -> Result<ErrorKinds, Error> {
    let tasks = score_tasks(records, predictions, repairs)?;
    let mut of_instance = Vec::new();
    let mut instances = 0;
    let (mut structures, mut plain) = (Counter::default(), Counter::default());
    for (record, task) in records.iter().zip(&tasks) {
        let own = predictions.get(of_instance.len()..).unwrap_or_default();
        let Some(task) = task.scored() else {
            of_instance.resize(of_instance.len() + record.examples.len(), None);
            continue;
        };
        instances += record.examples.len();
        let is_structure = asks_for_structure(record);
        for ((instance, example), prediction) in task.instances.iter().zip(&record.examples).zip(own) {
            let text = prediction.text.as_deref().ok();
            match is_structure {
                true => structures.add(!text.is_some_and(|text| is_na(text, repairs) || json::parse(text).is_ok())),
                false => plain.add(text.is_some_and(is_json)),
            }
            of_instance.push(kind(instance, example.answer.as_ref(), &prediction.text, repairs));
        }
    }
    let found: Vec<ErrorKind> = of_instance.iter().flatten().copied().collect();
    Ok(ErrorKinds {
        instances,
        errors: found.len(),
        kinds: ErrorKind::ALL.into_iter().map(|kind| share(kind, &found)).collect(),
        unparsable_structures: structures.rate(published::UNPARSABLE_STRUCTURES),
        needless_json: plain.rate(published::NEEDLESS_JSON),
        of_instance,
    })
}

#[derive(Default)]
struct Counter {
    count: usize,
    of: usize,
}

impl Counter {
    fn add(&mut self, has: bool) {
        self.count += usize::from(has);
        self.of += 1;
    }

    fn rate(&self, published: f64) -> Rate {
        let share = (self.of > 0).then(|| self.count as f64 / self.of as f64);
        Rate { count: self.count, of: self.of, share, published }
    }
}

fn share(kind: ErrorKind, found: &[ErrorKind]) -> ErrorShare {
    let is_kind: Vec<f64> = found.iter().map(|other| f64::from(u8::from(*other == kind))).collect();
    let count = found.iter().filter(|other| **other == kind).count();
    ErrorShare {
        kind,
        count,
        share: (!found.is_empty()).then(|| count as f64 / found.len() as f64),
        interval: mean_interval(&is_kind, 0).map(|interval| [interval.low, interval.high]),
        published: published::error_share(kind),
    }
}

/// The kind of one instance's error; none if it is right. A score of -1 is a pair of empty lists (Q10), not an error.
fn kind(
    instance: &InstanceScore,
    answer: Option<&Value>,
    text: &Result<String, LineFault>,
    repairs: Repairs,
) -> Option<ErrorKind> {
    if instance.score == 1.0 || instance.score < 0.0 {
        return None;
    }
    let alternatives = answer.map(Alternative::all).unwrap_or_default();
    let texts = || alternatives.iter().filter_map(|alternative| alternative.text().ok());
    let gold_is_na = texts().next().is_some_and(|gold| is_na(&lower(gold), repairs));
    let text = match text {
        Ok(text) => text,
        Err(LineFault::NoReply) if gold_is_na => return Some(ErrorKind::Precision),
        Err(_) => return Some(ErrorKind::Other),
    };
    Some(match (is_na(text, repairs), gold_is_na) {
        (true, false) => ErrorKind::Recall,
        (false, true) => ErrorKind::Precision,
        _ if instance.is_structure && instance.buckets.tp.contains(&1.0) => ErrorKind::Partial,
        _ if !instance.is_structure && texts().any(|gold| is_partial(text, gold, repairs)) => ErrorKind::Partial,
        _ => ErrorKind::Other,
    })
}

/// As the scorer sees it, save that what it cannot make out is an answer.
fn is_na(text: &str, repairs: Repairs) -> bool {
    is_na_answer(text, Side::Predicted, repairs).unwrap_or(false)
}

/// Whether one of several spans is right and another is missing, wrong or too many.
fn is_partial(text: &str, gold: &str, repairs: Repairs) -> bool {
    let predicted: Vec<_> = spans(text).iter().flat_map(|span| split_bags(span, repairs)).collect();
    let gold = split_bags(gold, repairs);
    let is_right = predicted.iter().any(|span| gold.iter().any(|other| pair_f1(span, other) == 1.0));
    is_right && predicted.len().max(gold.len()) > 1
}

/// The spans of a predicted JSON list of texts, or the prediction as it is.
fn spans(text: &str) -> Vec<String> {
    let list = json::parse(text).ok().and_then(|parsed| match parsed.root.value {
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>(),
        _ => None,
    });
    list.unwrap_or_else(|| vec![text.to_owned()])
}

fn is_json(text: &str) -> bool {
    json::parse(text).is_ok_and(|parsed| matches!(parsed.root.value, Value::Array(_) | Value::Object(_)))
}

fn asks_for_structure(record: &Record) -> bool {
    let has_structure = |answer: &Value| Alternative::any_structure(&Alternative::all(answer));
    record.generalization.as_deref() == Some("structure")
        || record.examples.iter().filter_map(|example| example.answer.as_ref()).any(has_structure)
}

#[cfg(test)]
mod tests;
