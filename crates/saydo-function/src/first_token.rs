//! Labels and NA by the first token of a served model's reply.
//!
//! Servers do not score given texts behind a chat, but many list how likely each beginning of the reply is. Where the
//! labels and "Not stated" lead that list or make up most of it, it says which label it is, how surely, and how likely NA
//! is: with one token of work, and with nothing to parse. Where they do not, the reply is written out and read.

use crate::judge::{Judgement, Labels, log_sum};
use crate::wording::Wording;
use saydo_model::{Score, ScoreRequest};
use saydo_task::AnswerSpec;

/// Unless one of them is the likeliest beginning, the labels and "Not stated" must have this probability together for the
/// first token to count.
const LEAST_PROBABILITY: f64 = 0.5;

/// Asks for the first token.
pub(crate) struct FirstToken {
    labels: Labels,
    allows_na: bool,
    na_bias: f64,
}

impl FirstToken {
    /// None for kinds without labels.
    pub fn new(spec: &AnswerSpec, na_bias: f64) -> Option<Self> {
        let labels = Labels::new(&spec.kind);
        (!labels.answers.is_empty()).then(|| Self { labels, allows_na: spec.allows_na(), na_bias })
    }

    pub fn set_na_bias(&mut self, na_bias: f64) {
        self.na_bias = na_bias;
    }

    /// What to ask of one window. "Not stated" comes last, and is left out where it cannot be the answer.
    pub fn request(&self, wording: &Wording, window: &str) -> ScoreRequest {
        let count = self.labels.answers.len() + usize::from(self.allows_na);
        ScoreRequest { prompt: wording.answer(window), continuations: self.labels.written[..count].to_vec() }
    }

    /// What the scores say; none if the model is about to say something else.
    pub fn judge(&self, scores: &[Score]) -> Option<Judgement> {
        let all: Vec<f64> = scores.iter().map(|score| score.log_prob).collect();
        if !scores.iter().any(|score| score.is_greedy) && log_sum(&all).exp() < LEAST_PROBABILITY {
            return None;
        }
        let (labels, not_stated) = all.split_at(self.labels.answers.len().min(all.len()));
        let better = |best: usize, next: usize| if labels[next] > labels[best] { next } else { best };
        let best = (0..labels.len()).reduce(better)?;
        let share = (labels[best] - log_sum(labels)).exp();
        let na_log_odds = not_stated.first().map_or(f64::NEG_INFINITY, |na| na - log_sum(labels) + self.na_bias);
        Some(Judgement { na_log_odds, not_stated: None, label: Some((self.labels.answers[best].clone(), share)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::{Answer, AnswerKind};

    fn judged(probabilities: &[f64], kind: AnswerKind, na: Option<bool>, na_bias: f64) -> Option<(Answer, f64)> {
        let score = |p: &f64| Score { log_prob: p.ln(), tokens: 1, is_greedy: false };
        let scores: Vec<Score> = probabilities.iter().map(score).collect();
        let judgement = FirstToken::new(&AnswerSpec { kind, na }, na_bias)?.judge(&scores)?;
        let answer = judgement.answer();
        Some((answer.answer, (answer.confidence? * 1000.0).round() / 1000.0))
    }

    #[test]
    fn the_likeliest_beginning_is_the_answer() {
        let of = |probabilities: &[f64]| judged(probabilities, AnswerKind::YesNo, None, 0.0);
        assert_eq!(of(&[0.6, 0.2, 0.2]), Some((Answer::Label("yes".into()), 0.6)));
        assert_eq!(of(&[0.1, 0.3, 0.2]), Some((Answer::Label("no".into()), 0.5)));
        assert_eq!(of(&[0.2, 0.1, 0.5]), Some((Answer::Na, 0.625)));
        assert_eq!(of(&[0.2, 0.1, 0.1]), None, "it is about to say something else");
    }

    #[test]
    fn a_label_that_leads_the_list_counts_even_if_the_list_is_flat() {
        let first = FirstToken::new(&AnswerSpec { kind: AnswerKind::YesNo, na: None }, 0.0).unwrap();
        let score = |log_prob, is_greedy| Score { log_prob, tokens: 1, is_greedy };
        assert!(first.judge(&[score(-1.5, true), score(-3.0, false), score(-4.0, false)]).is_some());
        assert!(first.judge(&[score(-1.5, false), score(-3.0, false), score(-4.0, false)]).is_none());
    }

    #[test]
    fn without_na_only_labels_compete() {
        let labels = || AnswerKind::Label(vec!["spam".into(), "ham".into()]);
        assert_eq!(judged(&[0.3, 0.6], labels(), Some(false), 9.0), Some((Answer::Label("ham".into()), 0.667)));
        assert!(FirstToken::new(&AnswerSpec { kind: AnswerKind::Spans, na: None }, 0.0).is_none());
    }

    #[test]
    fn a_bias_moves_the_line() {
        let of = |bias| judged(&[0.3, 0.2, 0.4], AnswerKind::YesNo, None, bias).map(|(answer, _)| answer);
        assert_eq!(of(0.0), Some(Answer::Label("yes".into())));
        assert_eq!(of(1.0), Some(Answer::Na));
    }
}
