//! How much each quirk of the reference moves the score of a run.
//!
//! Every quirk is repaired alone and the run scored again. Where the reference aborts there is no score to compare with;
//! then the comparison starts from the run with the aborts repaired, and says so.

use saydo_task::format::zest::Record;
use serde::Serialize;

use super::error::Error;
use super::evaluation::{Options, ZestScores, score};
use super::prediction::{PredictionFormat, read_predictions};
use super::repair::{Repairs, quirk};
use super::task_score::{ScoredTask, TaskScore};
use crate::Quirk;

/// The quirks that keep the reference from finishing.
const ABORTING: [Quirk; 4] = [quirk::ABORTS, quirk::FIRST_WORD, quirk::BASES, quirk::NO_BASE];

/// The effects of all quirks on one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuirkReport {
    /// Why the reference aborts, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_error: Option<String>,
    /// The quirks repaired in the run that the others are compared with; none unless the reference aborts.
    pub baseline_repaired: Vec<Quirk>,
    /// The run the others are compared with.
    pub baseline: Overall,
    /// One entry per quirk, in order, those of the baseline left out.
    pub effects: Vec<Effect>,
}

/// The unweighted mean of the rows in percent, not rounded, and the overall score as printed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overall {
    /// The mean; over instances for Q16.
    pub mean: f64,
    /// C@75.
    #[serde(rename = "75")]
    pub at_75: f64,
    /// C@90.
    #[serde(rename = "90")]
    pub at_90: f64,
    /// C@90 as printed.
    pub overall: i64,
}

/// What repairing one quirk alone does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The quirk.
    pub quirk: Quirk,
    /// What the reference does.
    pub summary: &'static str,
    /// The result with it repaired, or why there is none.
    #[serde(flatten)]
    pub result: EffectResult,
}

/// The outcome of a run with one quirk repaired.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectResult {
    /// It was scored.
    Repaired {
        /// The result.
        #[serde(flatten)]
        overall: Overall,
        /// How many instances have another score or stand in other buckets.
        instances: usize,
        /// How many tasks have another F1 or contribute another value.
        tasks: usize,
    },
    /// The repair refuses the run.
    Refused(String),
}

/// Scores a run with each quirk repaired alone.
///
/// An error means that the run cannot be scored even with the aborts repaired.
pub fn quirk_report(records: &[Record], predictions: &str, format: PredictionFormat) -> Result<QuirkReport, Error> {
    let run = |repairs: Repairs| {
        let options = Options { repairs, intervals: false, ..Options::default() };
        score(records, &read_predictions(predictions, format, repairs)?, &options)
    };
    let (baseline_repairs, scores, strict_error) = match run(Repairs::NONE) {
        Ok(scores) => (Repairs::NONE, scores, None),
        Err(error) => {
            let repairs = ABORTING.into_iter().fold(Repairs::NONE, Repairs::with);
            (repairs, run(repairs)?, Some(error.to_string()))
        }
    };
    let effect = |quirk: Quirk| Effect {
        quirk,
        summary: quirk::summary(quirk),
        result: match run(baseline_repairs.with(quirk)) {
            Ok(repaired) => EffectResult::between(&scores, &repaired),
            Err(error) => EffectResult::Refused(error.to_string()),
        },
    };
    Ok(QuirkReport {
        strict_error,
        baseline_repaired: baseline_repairs.quirks().collect(),
        baseline: Overall::of(&scores),
        effects: quirk::ALL.into_iter().filter(|quirk| !baseline_repairs.has(*quirk)).map(effect).collect(),
    })
}

impl Overall {
    fn of(scores: &ZestScores) -> Self {
        let average = &scores.official.average;
        let mean = scores.instances.as_ref().map_or(average.mean, |instances| instances.overall);
        Overall {
            mean: mean * 100.0,
            at_75: average.at_75 * 100.0,
            at_90: average.at_90 * 100.0,
            overall: scores.official.overall,
        }
    }
}

impl EffectResult {
    fn between(baseline: &ZestScores, repaired: &ZestScores) -> Self {
        let pairs = || baseline.tasks.iter().zip(&repaired.tasks);
        EffectResult::Repaired {
            overall: Overall::of(repaired),
            instances: pairs().map(|(before, after)| changed_instances(before, after)).sum(),
            tasks: pairs().filter(|(before, after)| value(before.scored()) != value(after.scored())).count(),
        }
    }
}

fn value(task: Option<&ScoredTask>) -> Option<(f64, Option<f64>)> {
    task.map(|task| (task.f1, task.official))
}

fn changed_instances(before: &TaskScore, after: &TaskScore) -> usize {
    match (before.scored(), after.scored()) {
        (Some(before), Some(after)) => {
            before.instances.iter().zip(&after.instances).filter(|(before, after)| before != after).count()
        }
        (None, Some(task)) | (Some(task), None) => task.instances.len(),
        (None, None) => 0,
    }
}

#[cfg(test)]
mod tests;
