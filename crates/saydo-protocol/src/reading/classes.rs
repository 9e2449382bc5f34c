//! Answers that are one of a few labels, NA among them where the data has it.

use serde::Serialize;
use std::collections::BTreeMap;

/// How often labels are right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Classes {
    /// The share of rows that are right.
    pub accuracy: f64,
    /// The mean over gold labels of the share that is right: one label said always earns no more than chance.
    pub balanced_accuracy: f64,
    /// For each gold label, how many rows there are and the share that is right.
    pub labels: BTreeMap<String, (usize, f64)>,
}

/// The share of right answers, overall and by label, from rows of gold label and given label, if any was given;
/// none for no rows.
pub fn classes<'a>(rows: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Option<Classes> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (gold, given) in rows {
        let (count, right) = counts.entry(gold.to_owned()).or_default();
        *count += 1;
        *right += usize::from(Some(gold) == given);
    }
    let all: usize = counts.values().map(|(count, _)| count).sum();
    let right: usize = counts.values().map(|(_, right)| right).sum();
    let share = |(label, (count, right)): (String, (usize, usize))| (label, (count, right as f64 / count as f64));
    let labels: BTreeMap<String, (usize, f64)> = counts.into_iter().map(share).collect();
    let balanced = labels.values().map(|(_, share)| share).sum::<f64>() / labels.len() as f64;
    (all > 0).then(|| Classes { accuracy: right as f64 / all as f64, balanced_accuracy: balanced, labels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_always_says_yes_is_right_by_chance() {
        let rows = ["yes", "yes", "yes", "no"].map(|gold| (gold, Some("yes")));
        let classes = classes(rows).unwrap();
        assert_eq!((classes.accuracy, classes.balanced_accuracy), (0.75, 0.5));
        assert_eq!(classes.labels["yes"], (3, 1.0));
    }
}
