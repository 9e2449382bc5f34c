//! A task's own metric over gold answers and replies, with its interval: whatever protocol asked them.
//!
//! Protocols have metrics of their own. These are for a task that states one ([`saydo_task::Criterion`]), and are the same
//! under every protocol, so that they can be compared.

use crate::Mode;
use crate::zest::{Buckets, Repairs, Scorer};
use saydo_metrics::bootstrap::{RESAMPLES, interval_of};
use saydo_metrics::exact::exact_match;
use saydo_metrics::rouge::{RougeScorer, rouge_l};
use saydo_task::Metric;
use std::collections::BTreeMap;

/// A metric's value on some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// From 0 to 1.
    pub value: f64,
    /// Its 95% interval over other rows.
    pub interval: [f64; 2],
    /// How many rows.
    pub rows: usize,
}

/// One row: every acceptable answer, and what was given, which is none if there is no reply.
pub type Row<'a> = (&'a [String], Option<&'a str>);

/// The value of a metric on rows; none for no rows. A row without a reply counts as wrong.
pub fn measure(metric: Metric, rows: &[Row<'_>], seed: u64) -> Option<Measured> {
    match metric {
        Metric::F1 => {
            let mut scorer = Scorer::new(Repairs::from(Mode::Fixed));
            let mut buckets = |(gold, given): &Row<'_>| {
                scorer.score_texts(gold, *given).map(|scored| scored.buckets).unwrap_or_default()
            };
            let buckets: Vec<Buckets> = rows.iter().map(&mut buckets).collect();
            over(rows.len(), seed, |drawn| f1(&buckets, drawn))
        }
        Metric::Accuracy => mean(&rows.iter().map(right).collect::<Vec<_>>(), seed),
        Metric::BalancedAccuracy => {
            let right: Vec<f64> = rows.iter().map(right).collect();
            let label = |row: &Row<'_>| row.0.first().map(|gold| gold.to_lowercase()).unwrap_or_default();
            let labels: Vec<String> = rows.iter().map(label).collect();
            over(rows.len(), seed, |drawn| balanced(&labels, &right, drawn))
        }
        Metric::RougeL => {
            let mut rouge = RougeScorer::new();
            let mut score = |(gold, given): &Row<'_>| {
                let given = rouge.encode(given.unwrap_or_default());
                let scores = gold.iter().map(|gold| rouge_l(&given, &rouge.encode(gold)).f_measure);
                scores.fold(0.0, f64::max)
            };
            mean(&rows.iter().map(&mut score).collect::<Vec<_>>(), seed)
        }
    }
}

/// ZEST's task F1 of the rows drawn, of each its buckets.
pub(crate) fn f1(buckets: &[Buckets], drawn: &[usize]) -> f64 {
    let mut all = Buckets::default();
    drawn.iter().for_each(|row| all.extend(&buckets[*row]));
    all.f1()
}

/// The mean of values with its interval; none over nothing.
pub(crate) fn mean(values: &[f64], seed: u64) -> Option<Measured> {
    over(values.len(), seed, |drawn| drawn.iter().map(|row| values[*row]).sum::<f64>() / drawn.len() as f64)
}

/// A statistic of rows with its interval; none over nothing.
pub(crate) fn over(rows: usize, seed: u64, mut statistic: impl FnMut(&[usize]) -> f64) -> Option<Measured> {
    let every: Vec<usize> = (0..rows).collect();
    let interval = interval_of(rows, RESAMPLES, seed, &mut statistic)?;
    Some(Measured { value: statistic(&every), interval: [interval.low, interval.high], rows })
}

/// 1 if the reply, or its first line, is a gold answer but for case, punctuation and spacing.
fn right((gold, given): &Row<'_>) -> f64 {
    let is_right = given.is_some_and(|given| {
        let first = given.trim_start().lines().next().unwrap_or_default();
        exact_match(given, gold) || exact_match(first, gold)
    });
    crate::score::indicator(is_right)
}

fn balanced(labels: &[String], right: &[f64], drawn: &[usize]) -> f64 {
    let mut by_label: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for row in drawn {
        let (sum, count) = by_label.entry(&labels[*row]).or_default();
        *sum += right[*row];
        *count += 1.0;
    }
    by_label.values().map(|(sum, count)| sum / count).sum::<f64>() / by_label.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(metric: Metric, rows: &[(&str, Option<&str>)]) -> f64 {
        let gold: Vec<Vec<String>> = rows.iter().map(|(gold, _)| vec![(*gold).to_owned()]).collect();
        let rows: Vec<Row<'_>> = gold.iter().zip(rows).map(|(gold, (_, given))| (&gold[..], *given)).collect();
        let measured = measure(metric, &rows, 0).expect("there are rows");
        assert!(measured.interval[0] <= measured.value && measured.value <= measured.interval[1]);
        measured.value
    }

    #[test]
    fn each_metric_says_its_own() {
        let rows = [("yes", Some("Yes.")), ("yes", Some("no")), ("yes", None), ("no", Some("no\n\nbecause"))];
        assert_eq!(value(Metric::Accuracy, &rows), 0.5);
        // One of three, and one of one.
        assert!((value(Metric::BalancedAccuracy, &rows) - 2.0 / 3.0).abs() < 1e-12);
        let spans = [("black bears|elk", Some("elk")), ("n/a", Some("n/a"))];
        assert_eq!(value(Metric::F1, &spans), 0.5);
        assert_eq!(value(Metric::RougeL, &[("a red car", Some("a red car")), ("x", Some("y"))]), 0.5);
        assert_eq!(measure(Metric::F1, &[], 0), None);
    }
}
