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
    /// What was said; empty for NA.
    pub prediction: String,
    /// How likely it is that the text has no answer, where known.
    pub na_probability: Option<f64>,
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
pub fn scores(rows: &[Row]) -> Option<Scores> {
    let scored: Vec<(f64, f64)> = rows.iter().map(|row| row_scores(&row.gold, &row.prediction)).collect();
    let part = |is_in: &dyn Fn(&Row) -> bool| {
        let inside: Vec<(f64, f64)> =
            (rows.iter().zip(&scored)).filter(|(row, _)| is_in(row)).map(|(_, s)| *s).collect();
        means(&inside)
    };
    Some(Scores {
        all: means(&scored)?,
        has_answer: part(&|row| !row.gold.is_empty()),
        no_answer: part(&|row| row.gold.is_empty()),
        best: best(rows, &scored),
    })
}

fn means(scored: &[(f64, f64)]) -> Option<Means> {
    let total = scored.len();
    let mean = |value: fn(&(f64, f64)) -> f64| scored.iter().map(value).sum::<f64>() / total as f64;
    (total > 0).then(|| Means { exact: mean(|scored| scored.0), f1: mean(|scored| scored.1), total })
}

fn best(rows: &[Row], scored: &[(f64, f64)]) -> Option<Best> {
    let likely: Vec<f64> = rows.iter().map(|row| row.na_probability).collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| likely[*a].total_cmp(&likely[*b]));
    let along = |value: fn(&(f64, f64)) -> f64| {
        // Everything is NA at first; then questions are answered, the surest first.
        let mut current = rows.iter().filter(|row| row.gold.is_empty()).count() as f64;
        let (mut best, mut threshold) = (current, 0.0);
        for &number in &order {
            current += match (rows[number].gold.is_empty(), rows[number].prediction.is_empty()) {
                (false, _) => value(&scored[number]),
                (true, false) => -1.0,
                (true, true) => 0.0,
            };
            if current > best {
                (best, threshold) = (current, likely[number]);
            }
        }
        (best / rows.len() as f64, threshold)
    };
    let ((exact, exact_threshold), (f1, f1_threshold)) = (along(|scored| scored.0), along(|scored| scored.1));
    Some(Best { exact, exact_threshold, f1, f1_threshold })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(gold: &[&str], prediction: &str) -> Row {
        let gold = gold.iter().map(|text| (*text).to_owned()).collect();
        Row { gold, prediction: prediction.to_owned(), na_probability: None }
    }

    #[test]
    fn questions_with_and_without_an_answer_stand_apart() {
        let rows = [row(&["the red car", "car"], "Red car."), row(&[], ""), row(&[], "car"), row(&["bus"], "")];
        let scores = scores(&rows).unwrap();
        assert_eq!((scores.all.exact, scores.all.f1), (0.5, 0.5));
        assert_eq!(scores.has_answer.unwrap().total, 2);
        assert_eq!((scores.no_answer.unwrap().exact, scores.best), (0.5, None));
        assert_eq!(super::scores(&[]), None);
    }
}
