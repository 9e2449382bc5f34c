//! From what a model says of itself to how often it is right.
//!
//! A trained model's probabilities rank its answers well and are too high or too low as they stand. On questions that it has
//! not learned, each kind of answer gets a line over the log-odds (Platt's scaling), apart for NA and for answers; it is kept
//! beside the adapter.

use saydo_task::AnswerKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Fewer rows say too little about a kind of answer.
const MIN_ROWS: usize = 30;
/// Probabilities are kept this far from 0 and 1, where log-odds end.
const MARGIN: f64 = 1e-6;
/// How strongly a line is drawn to leaving probabilities as they are, in rows.
const PULL: f64 = 1.0;
/// Newton's method is done long before.
const MAX_ROUNDS: usize = 50;

/// A line for each kind of answer, and for NA of each.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence {
    lines: BTreeMap<String, Line>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    scale: f64,
    shift: f64,
}

/// An answer whose truth is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// The kind of answer that was asked for.
    pub kind: AnswerKind,
    /// Whether it was NA.
    pub is_na: bool,
    /// How sure the model said it was.
    pub confidence: f64,
    /// Whether it was right.
    pub is_right: bool,
}

impl Confidence {
    /// The lines that fit these answers best. Kinds with few answers have none.
    pub fn fit(answers: &[Graded]) -> Self {
        let mut groups: BTreeMap<String, Vec<(f64, bool)>> = BTreeMap::new();
        for answer in answers {
            let group = groups.entry(key(&answer.kind, answer.is_na)).or_default();
            group.push((log_odds(answer.confidence), answer.is_right));
        }
        groups.retain(|_, rows| rows.len() >= MIN_ROWS);
        Self { lines: groups.into_iter().map(|(key, rows)| (key, Line::fit(&rows))).collect() }
    }

    /// How often an answer of this kind is right, of which the model says `raw`.
    pub fn calibrated(&self, kind: &AnswerKind, is_na: bool, raw: f64) -> f64 {
        match self.lines.get(&key(kind, is_na)) {
            Some(line) => sigmoid(line.scale * log_odds(raw) + line.shift),
            None => raw,
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        self.lines.is_empty()
    }
}

fn key(kind: &AnswerKind, is_na: bool) -> String {
    format!("{}{}", kind.name(), if is_na { ", NA" } else { "" })
}

impl Line {
    /// How badly it fits: the negative log-likelihood, and how far it is from leaving probabilities as they are.
    fn loss(self, rows: &[(f64, bool)]) -> f64 {
        let of = |(x, is_right): &(f64, bool)| {
            let log_odds = self.scale * x + self.shift;
            let wrong_way = if *is_right { -log_odds } else { log_odds };
            wrong_way.max(0.0) + (-wrong_way.abs()).exp().ln_1p()
        };
        let pull = PULL / 2.0 * ((self.scale - 1.0).powi(2) + self.shift.powi(2));
        rows.iter().map(of).sum::<f64>() + pull
    }

    /// Logistic regression by Newton's method.
    fn fit(rows: &[(f64, bool)]) -> Self {
        let mut line = Self { scale: 1.0, shift: 0.0 };
        for _ in 0..MAX_ROUNDS {
            let mut gradient = [PULL * (line.scale - 1.0), PULL * line.shift];
            let mut curve = [PULL, 0.0, PULL];
            for (x, is_right) in rows {
                let p = sigmoid(line.scale * x + line.shift);
                let error = p - f64::from(u8::from(*is_right));
                gradient[0] += error * x;
                gradient[1] += error;
                let weight = p * (1.0 - p);
                curve[0] += weight * x * x;
                curve[1] += weight * x;
                curve[2] += weight;
            }
            let determinant = curve[0] * curve[2] - curve[1] * curve[1];
            let step = [
                (curve[2] * gradient[0] - curve[1] * gradient[1]) / determinant,
                (curve[0] * gradient[1] - curve[1] * gradient[0]) / determinant,
            ];
            // A whole step from where the curve is flat would go far beyond the best line.
            let before = line.loss(rows);
            let shorter = (0..20).map(|halvings| 0.5_f64.powi(halvings));
            let stepped =
                shorter.map(|part| Self { scale: line.scale - part * step[0], shift: line.shift - part * step[1] });
            let Some(better) = stepped.into_iter().find(|next| next.loss(rows) < before) else { break };
            line = better;
        }
        // Four digits are more than any set of rows tells.
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        Self { scale: rounded(line.scale), shift: rounded(line.shift) }
    }
}

fn log_odds(probability: f64) -> f64 {
    let inside = probability.clamp(MARGIN, 1.0 - MARGIN);
    (inside / (1.0 - inside)).ln()
}

fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_too_sure_is_brought_down_and_the_rest_left_alone() {
        let answer = |number: usize| Graded {
            kind: AnswerKind::YesNo,
            is_na: false,
            confidence: 0.95,
            is_right: number % 10 < 7,
        };
        let answers: Vec<Graded> = (0..200).map(answer).collect();
        let fitted = Confidence::fit(&answers);
        assert!((fitted.calibrated(&AnswerKind::YesNo, false, 0.95) - 0.7).abs() < 0.02);
        assert_eq!(fitted.calibrated(&AnswerKind::YesNo, true, 0.95), 0.95);
        assert_eq!(Confidence::fit(&answers[..20]), Confidence::default());
        let kept = serde_json::to_string(&fitted).unwrap();
        assert_eq!(serde_json::from_str::<Confidence>(&kept).unwrap(), fitted);
    }

    #[test]
    fn surer_answers_stay_surer() {
        let answers: Vec<Graded> = (0..400)
            .map(|number| {
                let confidence = 0.5 + 0.49 * f64::from(number % 20) / 20.0;
                let is_right = f64::from(number / 20) / 20.0 < 0.4 + 0.4 * f64::from(number % 20) / 20.0;
                Graded { kind: AnswerKind::Spans, is_na: true, confidence, is_right }
            })
            .collect();
        let fitted = Confidence::fit(&answers);
        let of = |raw| fitted.calibrated(&AnswerKind::Spans, true, raw);
        assert!(of(0.5) < of(0.7) && of(0.7) < of(0.95));
    }
}
