//! A metric of one's own over answers to labelled rows.

use saydo_metrics::bootstrap::{Interval, mean_interval};

/// How right one answer is.
///
/// An implementation gives a number from 0 (wrong) to 1 (right), the same for the same arguments, whatever was scored before.
/// Answers are written as labelled rows have them: a label, `n/a`, spans with `|` between, records as a JSON list. A report
/// has the mean over all rows with its 95% interval.
///
/// ```
/// use saydo::{LabelledRow, Scorer, job::check};
/// use std::sync::Arc;
///
/// /// Whether the answer begins like a gold one.
/// struct FirstLetter;
///
/// impl Scorer for FirstLetter {
///     fn name(&self) -> &str {
///         "first letter"
///     }
///
///     fn score(&self, gold: &[String], given: Option<&str>) -> f64 {
///         let first = given.and_then(|given| given.chars().next());
///         f64::from(first.is_some() && gold.iter().any(|gold| gold.chars().next() == first))
///     }
/// }
///
/// let row = LabelledRow { id: "1".into(), text: "Dogs are welcome.".into(), gold: vec!["yes".into()] };
/// let settings = check::Settings {
///     rows: Some(vec![row]),
///     scorers: vec![Arc::new(FirstLetter)],
///     ..check::Settings::new("Are dogs allowed?")?
/// };
/// let report = saydo::check(&saydo::open("scripted")?, settings)?;
/// assert_eq!(report.tasks[0].scores[0].name, "first letter");
/// # Ok::<(), saydo::Error>(())
/// ```
pub trait Scorer: Send + Sync {
    /// What reports call it.
    fn name(&self) -> &str;

    /// How right the given answer is, where each gold answer is acceptable. `None` stands for no answer: the model failed, or
    /// its reply could not be read.
    fn score(&self, gold: &[String], given: Option<&str>) -> f64;
}

/// What a metric says of all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The metric.
    pub name: String,
    /// The mean over the rows.
    pub mean: f64,
    /// Its 95% interval over other samples of rows.
    pub interval: Interval,
    /// The score of each row, in their order.
    pub rows: Vec<f64>,
}

/// Gold and given answers by a metric; none if there are no rows.
pub(crate) fn scored(scorer: &dyn Scorer, rows: &[(Vec<String>, Option<String>)], seed: u64) -> Option<Score> {
    let rows: Vec<f64> = rows.iter().map(|(gold, given)| scorer.score(gold, given.as_deref())).collect();
    let interval = mean_interval(&rows, seed)?;
    let mean = rows.iter().sum::<f64>() / rows.len() as f64;
    Some(Score { name: scorer.name().to_owned(), mean, interval, rows })
}
