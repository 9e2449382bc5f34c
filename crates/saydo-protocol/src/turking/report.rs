//! The result of scoring, task by task. Scores are fractions; the paper prints them times 100.

use super::published::Published;
use saydo_metrics::bootstrap::mean_interval;
use saydo_metrics::mean::numpy_mean;
use serde::Serialize;

/// The scores of all tasks that have instances.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The seed behind the intervals.
    pub seed: u64,
    /// A part for each task, in the paper's order.
    pub tasks: Vec<TaskReport>,
}

/// The scores of one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskReport {
    /// The task's id.
    pub task: &'static str,
    /// Its name in the paper.
    pub name: &'static str,
    /// How many instances it has.
    pub instances: usize,
    /// How many of them have no prediction at all.
    pub missing: usize,
    /// The scores under each decoding.
    pub decodings: Vec<DecodingReport>,
    /// The best that decoding could have done; none if nothing was predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<OracleReport>,
    /// What always giving the same answer scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineReport>,
    /// The paper's numbers, in percent.
    pub published: Published,
}

/// The scores of one task under one decoding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecodingReport {
    /// The name of the decoding.
    pub decoding: String,
    /// How many instances have an output.
    pub answered: usize,
    /// How many instances have none; they are in no score.
    pub missing: usize,
    /// How many outputs there are: more than instances if there are several samples.
    pub outputs: usize,
    /// How many outputs hold nothing to read; they count as wrong.
    pub unparsable: usize,
    /// The share of right outputs; the tasks with gold only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
    /// How well the lists agree with gold; noun tasks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<OverlapReport>,
    /// Accuracy under both rules for each condition; the task with conditions only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionReport>,
    /// The form of the outputs, an automatic check that does not replace human judgement; the crowd's tasks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<FormReport>,
    /// Whether accuracy differs between conditions at all, by a randomization test; the task with conditions only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions_p_value: Option<f64>,
    /// How often outputs go wrong in each way.
    pub patterns: Vec<PatternReport>,
    /// What outputs that repeat something repeat; the tasks with gold only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repetitions: Vec<RepetitionReport>,
}

/// A mean over instances, with its 95% interval by resampling instances. An instance with several outputs counts by the
/// mean of theirs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The interval as `[low, high]`.
    pub interval: [f64; 2],
    /// How many instances it is over.
    pub count: usize,
}

impl Estimate {
    /// The mean of values; none over nothing.
    pub(super) fn of(values: &[f64], seed: u64) -> Option<Estimate> {
        let interval = mean_interval(values, seed)?;
        Some(Estimate { value: numpy_mean(values)?, interval: [interval.low, interval.high], count: values.len() })
    }
}

/// The share of right outputs under each rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Accuracy {
    /// The whole output has to be the answer.
    pub exact: Estimate,
    /// A prefix of it may be.
    pub prefix: Estimate,
    /// An introduction may come before it.
    pub introduction: Estimate,
    /// Both, as in the paper.
    pub lenient: Estimate,
}

/// How well lists of nouns agree with gold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OverlapReport {
    /// The share of the listed nouns that are right.
    pub precision: Estimate,
    /// The share of the right nouns that are listed.
    pub recall: Estimate,
    /// The harmonic mean of the two, for each output.
    pub f1: Estimate,
}

/// The accuracy under one condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConditionReport {
    /// The condition's key.
    pub condition: String,
    /// The share of right outputs under both rules.
    pub lenient: Estimate,
    /// That share less the share under all other conditions.
    pub difference: f64,
    /// Its 95% interval.
    pub difference_interval: [f64; 2],
    /// How often a difference as large comes up when instances are dealt out anew.
    pub p_value: f64,
}

/// What repeating outputs repeat (section 5.4 of the paper).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepetitionReport {
    /// `begins with the resource`, `the resource alone`, `the instruction alone` or `both`.
    pub what: &'static str,
    /// Its share of the outputs that repeat something.
    pub share: Estimate,
    /// The paper's number, in percent, of 50 repetitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
}

/// The form of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FormReport {
    /// The share that has the form asked for.
    pub consistent: Estimate,
    /// SNLI: the share whose captions say which they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labelled: Option<Estimate>,
}

/// How often a pattern shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PatternReport {
    /// The name of the pattern.
    pub pattern: &'static str,
    /// The share of outputs that show it.
    pub share: Estimate,
    /// The paper's number, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
}

/// What the best choice of decoding gives: in accuracy under both rules or, for the crowd's tasks, in form consistency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OracleReport {
    /// The decoding that is best for the task as a whole, as in the paper; the first of equals.
    pub decoding: String,
    /// Its score.
    pub per_task: Estimate,
    /// The share of instances for which at least one output of any decoding is good.
    pub per_item: Estimate,
}

/// What a fixed answer scores over all instances.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BaselineReport {
    /// The answer.
    pub answer: &'static str,
    /// Its accuracy.
    pub accuracy: Estimate,
}
