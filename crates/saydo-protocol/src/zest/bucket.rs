//! The four buckets an answer can fall into, and the F1 of a task they give.
//!
//! Rules Z21 and Z23 of docs/metrics.md: "positive" means "not NA", and a true positive counts with its
//! score rather than as 1.

use saydo_metrics::mean::sequential_sum;
use serde::Serialize;

use super::span::harmonic_mean;

/// Scores of answers by whether gold and prediction are NA, each list in the order of the examples.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Buckets {
    /// Neither is NA.
    pub tp: Vec<f64>,
    /// Only the gold answer is NA.
    pub fp: Vec<f64>,
    /// Only the prediction is NA.
    #[serde(rename = "fn")]
    pub fn_: Vec<f64>,
    /// Both are NA.
    pub tn: Vec<f64>,
}

impl Buckets {
    /// Puts an answer's score where it belongs.
    pub fn add(&mut self, score: f64, predicted_is_na: bool, gold_is_na: bool) {
        let bucket = match (predicted_is_na, gold_is_na) {
            (false, false) => &mut self.tp,
            (false, true) => &mut self.fp,
            (true, false) => &mut self.fn_,
            (true, true) => &mut self.tn,
        };
        bucket.push(score);
    }

    /// Appends the answers of another instance.
    pub fn extend(&mut self, other: &Buckets) {
        self.tp.extend(&other.tp);
        self.fp.extend(&other.fp);
        self.fn_.extend(&other.fn_);
        self.tn.extend(&other.tn);
    }

    /// How many gold answers are not NA.
    pub fn gold_positive(&self) -> usize {
        self.tp.len() + self.fn_.len()
    }

    /// F1 of precision and recall, each 1 where it has nothing to count; so a task that is all NA gets 1 if every
    /// prediction is NA, else 0.
    pub fn f1(&self) -> f64 {
        let correct = sequential_sum(&self.tp);
        let share = |count: usize| if count == 0 { 1.0 } else { correct / count as f64 };
        harmonic_mean(share(self.tp.len() + self.fp.len()), share(self.gold_positive()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f1(answers: &[(f64, bool, bool)]) -> f64 {
        let mut buckets = Buckets::default();
        answers.iter().for_each(|(score, predicted, gold)| buckets.add(*score, *predicted, *gold));
        buckets.f1()
    }

    #[test]
    fn a_task_that_is_all_na_is_all_or_nothing() {
        assert_eq!(f1(&[(1.0, true, true), (1.0, true, true)]), 1.0);
        assert_eq!(f1(&[(1.0, true, true), (0.0, false, true)]), 0.0);
        assert_eq!(f1(&[]), 1.0);
    }

    #[test]
    fn true_positives_count_with_their_score() {
        // Precision 1.5 of 3, recall 1.5 of 3.
        assert_eq!(f1(&[(1.0, false, false), (0.5, false, false), (0.0, false, true), (0.0, true, false)]), 0.5);
        assert_eq!(f1(&[(0.0, true, false)]), 0.0);
    }

    #[test]
    fn a_negative_sum_gives_zero() {
        assert_eq!(f1(&[(-1.0, false, false)]), 0.0);
    }
}
