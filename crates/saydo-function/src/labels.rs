//! Labels and NA by probability: each is scored whole behind the prompt, in one pass.

use crate::merge::WindowAnswer;
use crate::wording::Wording;
use saydo_model::{Score, ScoreRequest};
use saydo_task::{Answer, AnswerKind, AnswerSpec};

/// Unless one of them is the likeliest reply, labels and NA must have this probability together for a server's list of first
/// tokens to count.
const MIN_PROBABILITY: f64 = 0.5;

/// The labels of a task.
pub(crate) struct Labels {
    answers: Vec<String>,
    allows_na: bool,
    na_bias: f64,
}

impl Labels {
    /// None for kinds without labels.
    pub fn new(spec: &AnswerSpec, na_bias: f64) -> Option<Self> {
        let answers = match &spec.kind {
            AnswerKind::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            AnswerKind::Label(labels) => labels.clone(),
            AnswerKind::Spans | AnswerKind::Records(_) | AnswerKind::Text => return None,
        };
        Some(Self { answers, allows_na: spec.allows_na(), na_bias })
    }

    pub fn set_na_bias(&mut self, na_bias: f64) {
        self.na_bias = na_bias;
    }

    /// What to score for one window: the labels and, where it can be the answer, NA behind them.
    pub fn request(&self, wording: &Wording, window: &str) -> ScoreRequest {
        let labels = self.answers.iter().map(|label| wording.label(label));
        let continuations = labels.chain(self.allows_na.then(|| wording.na())).collect();
        ScoreRequest::new(wording.prompt(window), continuations)
    }

    /// Whether a server's list of first tokens tells the answer: a label or NA leads it, or they make up most of it.
    pub fn are_likely(scores: &[Score]) -> bool {
        let all: Vec<f64> = scores.iter().map(|score| score.log_prob).collect();
        scores.iter().any(|score| score.is_greedy) || log_sum(&all).exp() >= MIN_PROBABILITY
    }

    /// The likeliest label, or NA if that is likelier than all labels together.
    pub fn judge(&self, scores: &[Score]) -> WindowAnswer {
        let all: Vec<f64> = scores.iter().map(|score| score.log_prob).collect();
        let (labels, na) = all.split_at(self.answers.len().min(all.len()));
        let na_log_odds = match na {
            [na] => na - log_sum(labels) + self.na_bias,
            _ => f64::NEG_INFINITY,
        };
        let answerable = answerable(na_log_odds);
        if na_log_odds > 0.0 {
            let (confidence, na_log_odds) = (Some(1.0 - answerable), Some(na_log_odds));
            return WindowAnswer { confidence, na_log_odds, ..WindowAnswer::of(Answer::Na) };
        }
        let better = |best: usize, next: usize| if labels[next] > labels[best] { next } else { best };
        let best = (0..labels.len()).reduce(better).unwrap_or(0);
        let share = labels.get(best).map_or(0.0, |score| (score - log_sum(labels)).exp());
        let label = self.answers.get(best).cloned().unwrap_or_default();
        let (confidence, na_log_odds) = (Some(answerable * share), Some(na_log_odds));
        WindowAnswer { confidence, na_log_odds, ..WindowAnswer::of(Answer::Label(label)) }
    }
}

/// The probability that there is an answer.
pub(crate) fn answerable(na_log_odds: f64) -> f64 {
    1.0 / (1.0 + na_log_odds.exp())
}

/// The logarithm of the sum of exponentials; negative infinity of nothing.
fn log_sum(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest.is_infinite() {
        return greatest;
    }
    greatest + values.iter().map(|value| (value - greatest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(probabilities: &[f64]) -> Vec<Score> {
        probabilities.iter().map(|p| Score { log_prob: p.ln(), tokens: 1, is_greedy: false }).collect()
    }

    fn judged(probabilities: &[f64], kind: AnswerKind, na: Option<bool>, na_bias: f64) -> (Answer, f64) {
        let answer = Labels::new(&AnswerSpec { kind, na }, na_bias).unwrap().judge(&scores(probabilities));
        (answer.answer, (answer.confidence.unwrap() * 1000.0).round() / 1000.0)
    }

    #[test]
    fn na_competes_with_all_labels_together() {
        let of = |probabilities: &[f64], bias| judged(probabilities, AnswerKind::YesNo, None, bias);
        assert_eq!(of(&[0.3, 0.3, 0.4], 0.0), (Answer::Label("yes".into()), 0.3), "0.4 is less than 0.6");
        assert_eq!(of(&[0.3, 0.3, 0.4], 1.0).0, Answer::Na);
        assert_eq!(of(&[0.6, 0.2, 0.2], 0.0), (Answer::Label("yes".into()), 0.6));
        assert_eq!(of(&[0.2, 0.1, 0.5], 0.0), (Answer::Na, 0.625));
    }

    #[test]
    fn without_na_only_labels_compete() {
        let labels = || AnswerKind::Label(vec!["spam".into(), "ham".into()]);
        assert_eq!(judged(&[0.3, 0.6], labels(), Some(false), 9.0), (Answer::Label("ham".into()), 0.667));
        assert!(Labels::new(&AnswerSpec { kind: AnswerKind::Spans, na: None }, 0.0).is_none());
    }

    #[test]
    fn a_label_that_leads_the_list_counts_even_if_the_list_is_flat() {
        let score = |log_prob, is_greedy| Score { log_prob, tokens: 1, is_greedy };
        assert!(Labels::are_likely(&[score(-1.5, true), score(-3.0, false), score(-4.0, false)]));
        assert!(!Labels::are_likely(&[score(-1.5, false), score(-3.0, false), score(-4.0, false)]));
        assert!(!Labels::are_likely(&scores(&[0.2, 0.1, 0.1])), "it is about to say something else");
    }
}
