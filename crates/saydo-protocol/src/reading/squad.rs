//! SQuAD 2.0's evaluation script: exact match and F1, apart for questions with and without an answer, and the best that a
//! threshold on the probability of NA could give. SQuAD 1.1 is the same without unanswerable questions.
//!
//! Numbers are fractions here; the script prints them times 100.

use saydo_metrics::token_f1::{normalize_answer, token_f1};
use serde::Serialize;

/// A question's gold and what was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Acceptable answers; empty if the text has none.
    pub gold: Vec<String>,
    /// What was said; empty for NA, none if there is no reply, which is wrong.
    pub prediction: Option<String>,
    /// How likely it is that the text has no answer, where known.
    pub na_probability: Option<f64>,
}

/// What a row comes to: all that the script's means and thresholds need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredRow {
    /// Exact match.
    pub exact: f64,
    /// Token F1.
    pub f1: f64,
    /// Whether the text has an answer.
    pub has_answer: bool,
    /// Whether something was said.
    pub is_answered: bool,
    /// How likely it is that the text has no answer, where known.
    pub na_probability: Option<f64>,
}

impl Row {
    /// What the row comes to.
    pub fn scored(&self) -> ScoredRow {
        let prediction = self.prediction.as_deref();
        let (exact, f1) = prediction.map_or((0.0, 0.0), |said| row_scores(&self.gold, said));
        ScoredRow {
            exact,
            f1,
            has_answer: !self.gold.is_empty(),
            is_answered: prediction != Some(""),
            na_probability: self.na_probability,
        }
    }
}

/// What the script prints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// All questions.
    pub all: Means,
    /// Questions with an answer.
    pub has_answer: Option<Means>,
    /// Questions without one.
    pub no_answer: Option<Means>,
    /// The best over all thresholds; none unless every row says how likely NA is.
    pub best: Option<Best>,
}

/// Means over some questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Means {
    /// Exact match.
    pub exact: f64,
    /// Token F1.
    pub f1: f64,
    /// How many questions.
    pub total: usize,
}

/// The best over all thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Best {
    /// Exact match.
    pub exact: f64,
    /// What is said only if NA is at most so likely.
    pub exact_threshold: f64,
    /// Token F1.
    pub f1: f64,
    /// Its threshold.
    pub f1_threshold: f64,
}

/// Exact match and F1 of one question: the best over its gold answers.
pub fn row_scores(gold: &[String], prediction: &str) -> (f64, f64) {
    let mut golds: Vec<&str> =
        gold.iter().map(String::as_str).filter(|text| !normalize_answer(text).is_empty()).collect();
    if golds.is_empty() {
        golds.push("");
    }
    let said = normalize_answer(prediction);
    let exact = golds.iter().any(|gold| normalize_answer(gold) == said);
    let f1 = golds.iter().map(|gold| token_f1(prediction, gold)).fold(0.0, f64::max);
    (f64::from(u8::from(exact)), f1)
}

/// The scores of rows; none for no rows.
pub fn scores(rows: &[ScoredRow]) -> Option<Scores> {
    let part = |has_answer: bool| means(rows.iter().filter(|row| row.has_answer == has_answer));
    Some(Scores { all: means(rows.iter())?, has_answer: part(true), no_answer: part(false), best: best(rows) })
}

fn means<'a>(rows: impl Iterator<Item = &'a ScoredRow>) -> Option<Means> {
    let (mut exact, mut f1, mut total) = (0.0, 0.0, 0);
    for row in rows {
        exact += row.exact;
        f1 += row.f1;
        total += 1;
    }
    (total > 0).then(|| Means { exact: exact / total as f64, f1: f1 / total as f64, total })
}

fn best(rows: &[ScoredRow]) -> Option<Best> {
    let likely: Vec<f64> = rows.iter().map(|row| row.na_probability).collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| likely[*a].total_cmp(&likely[*b]));
    let along = |value: fn(&ScoredRow) -> f64| {
        // Everything is NA at first; then questions are answered, the surest first.
        let mut current = rows.iter().filter(|row| !row.has_answer).count() as f64;
        let (mut best, mut threshold) = (current, 0.0);
        for &number in &order {
            current += match (rows[number].has_answer, rows[number].is_answered) {
                (true, _) => value(&rows[number]),
                (false, true) => -1.0,
                (false, false) => 0.0,
            };
            if current > best {
                (best, threshold) = (current, likely[number]);
            }
        }
        (best / rows.len() as f64, threshold)
    };
    let ((exact, exact_threshold), (f1, f1_threshold)) = (along(|row| row.exact), along(|row| row.f1));
    Some(Best { exact, exact_threshold, f1, f1_threshold })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(gold: &[&str], prediction: &str) -> Row {
        let gold = gold.iter().map(|text| (*text).to_owned()).collect();
        Row { gold, prediction: Some(prediction.to_owned()), na_probability: None }
    }

    #[test]
    fn questions_with_and_without_an_answer_stand_apart() {
        let rows = [row(&["the red car", "car"], "Red car."), row(&[], ""), row(&[], "car"), row(&["bus"], "")];
        let scored: Vec<ScoredRow> = rows.iter().map(Row::scored).collect();
        let scores = scores(&scored).unwrap();
        assert_eq!((scores.all.exact, scores.all.f1), (0.5, 0.5));
        assert_eq!(scores.has_answer.unwrap().total, 2);
        assert_eq!((scores.no_answer.unwrap().exact, scores.best), (0.5, None));
        assert_eq!(super::scores(&[]), None);
    }
}
