//! The whole result of a run: official rows, diagnostic breakdown, table, intervals.

use saydo_metrics::mean::numpy_mean;
use saydo_task::format::zest::Record;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::competence::{Competence, Rows};
use super::error::Error;
use super::instance::InstanceScore;
use super::interval::{CompetenceInterval, intervals};
use super::pairing::{official_values, pair};
use super::prediction::Prediction;
use super::printed::{percent, table_csv};
use super::repair::{Repairs, quirk};
use super::task_score::{ScoredTask, TaskScore, score_tasks};
use crate::{Mode, Quirk};

/// How to score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The repaired quirks; none by default.
    pub repairs: Repairs,
    /// Whether to compute intervals; they are by default.
    pub intervals: bool,
    /// The seed of the intervals. It has nothing to do with the draws of Q8, whose seed is always 0.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { repairs: Repairs::NONE, intervals: true, seed: 0 }
    }
}

impl From<Mode> for Options {
    fn from(mode: Mode) -> Self {
        Options { repairs: mode.into(), ..Options::default() }
    }
}

/// The scores of a run. As JSON, the reference's result, its diagnostic breakdown and table, and what we add.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZestScores {
    /// The result the paper reports.
    pub official: Official,
    /// The same numbers without pairing, by generalization type, domain and question format.
    pub standard: Standard,
    /// The official rows and their average in whole percent.
    pub table_csv: String,
    /// How many tasks the file has, skipped ones included.
    pub n_tasks: usize,
    /// How many examples the file has.
    pub n_predictions_needed: usize,
    /// How many predictions there are.
    pub n_prediction_lines: usize,
    /// `strict`, `fixed`, or neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The repaired quirks.
    pub repaired: Vec<Quirk>,
    /// 95% intervals of the official rows and their average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Rows<CompetenceInterval>>,
    /// Means over instances, with Q16 repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<InstanceMeans>,
    /// Predictions that could not be scored and count 0; only with Q2 repaired.
    pub n_unscored: usize,
    /// What a reader of the numbers should know.
    pub warnings: Vec<String>,
    /// The tasks in the order of the file.
    #[serde(skip)]
    pub tasks: Vec<TaskScore>,
}

/// The rows of the official result with their average.
#[derive(Debug, Clone, PartialEq)]
pub struct Official {
    /// Each generalization type.
    pub rows: Rows<Competence>,
    /// The unweighted mean of the rows, not rounded.
    pub average: Competence,
    /// The average's C@90 in whole percent, as printed: the overall score.
    pub overall: i64,
}

impl Serialize for Official {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.rows.0.len() + 1))?;
        for (name, row) in &self.rows.0 {
            map.serialize_entry(name, row)?;
        }
        map.serialize_entry("overall", &self.overall)?;
        map.end()
    }
}

/// Unpaired results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standard {
    /// By generalization type.
    #[serde(rename = "gen")]
    pub generalization: Rows<Competence>,
    /// By domain.
    pub domain: Rows<Competence>,
    /// By question format.
    pub format: Rows<Competence>,
}

/// The mean the paper's text describes: over instances instead of tasks, without pairing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InstanceMeans {
    /// Of each generalization type.
    pub rows: Rows<f64>,
    /// The unweighted mean of the rows.
    pub overall: f64,
    /// How many instances there are.
    pub n: usize,
}

/// Scores predictions, which stand in the order of the records and their examples.
///
/// ```
/// use saydo_protocol::zest::{Options, PredictionFormat, Repairs, read_predictions, score};
/// use saydo_task::format::zest::{Record, RecordExample};
/// use saydo_task::node::Value;
///
/// let example = |answer: &str| RecordExample { context: String::new(), answer: Some(Value::String(answer.into())) };
/// let record = Record {
///     id: Value::Integer("1".into()),
///     question: "Are dogs allowed at this national park?".into(),
///     generalization: Some("normal".into()),
///     domain: Some("national_parks".into()),
///     derives_from: vec![],
///     examples: vec![example("yes"), example("n/a")],
///     line: 1,
/// };
/// let predictions = read_predictions("yes\nno\n", PredictionFormat::Text, Repairs::NONE).unwrap();
/// let scores = score(&[record], &predictions, &Options::default()).unwrap();
/// assert_eq!(scores.tasks[0].scored().unwrap().f1, 2.0 / 3.0);
/// ```
pub fn score(records: &[Record], predictions: &[Prediction], options: &Options) -> Result<ZestScores, Error> {
    let repairs = options.repairs;
    let mut tasks = score_tasks(records, predictions, repairs)?;
    let warnings = pair(records, &mut tasks, repairs)?;
    let values = official_values(&tasks);
    let rows = values.filter_map(|values| Competence::of(values));
    let average = Competence::average(rows.0.iter().map(|(_, row)| row)).ok_or(Error::NoTask)?;
    Ok(ZestScores {
        table_csv: table_csv(&rows, &average, repairs),
        official: Official { rows, average, overall: percent(average.at_90, repairs) },
        standard: Standard {
            generalization: breakdown(&tasks, |task| &task.category),
            domain: breakdown(&tasks, |task| &task.domain),
            format: breakdown(&tasks, |task| &task.format),
        },
        n_tasks: records.len(),
        n_predictions_needed: records.iter().map(|record| record.examples.len()).sum(),
        n_prediction_lines: predictions.len(),
        mode: [Mode::Strict, Mode::Fixed].into_iter().find(|mode| Repairs::from(*mode) == repairs),
        repaired: repairs.quirks().collect(),
        intervals: options.intervals.then(|| intervals(&values, options.seed)),
        instances: repairs.has(quirk::MEAN).then(|| instance_means(&tasks)),
        n_unscored: instances(&tasks).filter(|instance| instance.fault.is_some()).count(),
        warnings,
        tasks,
    })
}

fn breakdown(tasks: &[TaskScore], name: fn(&ScoredTask) -> &String) -> Rows<Competence> {
    let mut rows: Rows<Vec<f64>> = Rows::default();
    for task in tasks.iter().filter_map(TaskScore::scored) {
        rows.entry(name(task)).push(task.f1);
    }
    rows.filter_map(|values| Competence::of(values))
}

fn instances(tasks: &[TaskScore]) -> impl Iterator<Item = &InstanceScore> {
    tasks.iter().filter_map(TaskScore::scored).flat_map(|task| &task.instances)
}

fn instance_means(tasks: &[TaskScore]) -> InstanceMeans {
    let mut scores: Rows<Vec<f64>> = Rows::default();
    for task in tasks.iter().filter_map(TaskScore::scored) {
        scores.entry(&task.category).extend(task.instances.iter().map(|instance| instance.score));
    }
    let rows = scores.filter_map(|scores| numpy_mean(scores));
    let means: Vec<f64> = rows.0.iter().map(|(_, mean)| *mean).collect();
    // Tasks without examples are tasks all the same, so there may be no instance to average.
    let overall = numpy_mean(&means).unwrap_or(f64::NAN);
    InstanceMeans { rows, overall, n: instances(tasks).count() }
}

#[cfg(test)]
pub(in crate::zest) mod tests;
