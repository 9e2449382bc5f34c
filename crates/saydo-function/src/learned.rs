//! Asking a model that has learned to answer functions: one prompt, one pass.
//!
//! Labels and `n/a` are scored behind the prompt. For spans and records the first token of the reply decides whether there is
//! an answer, and the reply goes on under the constraint. The document comes first, so that several tasks share its
//! computation; labels and fields are named behind the question.

use crate::Settings;
use crate::form::{EVIDENCE_SEPARATOR, NA};
use crate::grounding::{locate, span};
use crate::merge::WindowAnswer;
use crate::window::Window;
use crate::wording::{description, preamble};
use saydo_model::{Constraint, Decoding, Form, Opening, Prompt, Reply, Request, Score, ScoreRequest, log_odds};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Field, FieldKind, Span, Task};
use std::sync::Arc;

/// Changes whenever the prompt or the form of replies does: a model that learned another one is not asked in this.
pub(crate) const VERSION: u32 = 1;

/// The prompt that asks a task's question of one document: what a model that is to serve functions learns from.
pub fn question(task: &Task, spec: &AnswerSpec, document: &str) -> Prompt {
    Learned::new(task, spec, &Settings::default()).prompt(document)
}

/// How a task is asked.
pub(crate) struct Learned {
    /// What stands before every document; empty for a bare description.
    preamble: Arc<str>,
    question: String,
    /// Empty for kinds without labels.
    labels: Vec<String>,
    allows_na: bool,
    na_bias: f64,
    /// Whether label answers come with the passage that shows them.
    pub wants_evidence: bool,
}

impl Learned {
    pub fn new(task: &Task, spec: &AnswerSpec, settings: &Settings) -> Self {
        let labels = match &spec.kind {
            AnswerKind::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            AnswerKind::Label(labels) => labels.clone(),
            AnswerKind::Spans | AnswerKind::Records(_) | AnswerKind::Text => Vec::new(),
        };
        Self {
            preamble: preamble(task).into(),
            question: format!("Question: {}{}", description(task), parts(&spec.kind)),
            labels,
            allows_na: spec.allows_na(),
            na_bias: settings.na_bias,
            wants_evidence: settings.evidence,
        }
    }

    pub fn set_na_bias(&mut self, na_bias: f64) {
        self.na_bias = na_bias;
    }

    /// Whether scores alone give the answer.
    pub fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// A prompt without its document.
    pub fn frame(&self) -> String {
        self.prompt("").whole()
    }

    fn prompt(&self, document: &str) -> Prompt {
        let question = format!("\n\n{}\nAnswer:", self.question);
        // A model computes what requests have in common once: what the task says before all documents, or else the
        // document, of which more than one thing may be asked.
        let (prefix, text) = match self.preamble.is_empty() {
            true => (Arc::from(format!("Text: {document}")), question),
            false => (Arc::clone(&self.preamble), format!("Text: {document}{question}")),
        };
        Prompt { prefix, text, form: Form::Plain }
    }

    /// What to score for one window: the labels and, where it can be the answer, `n/a` behind them.
    pub fn score_request(&self, window: &Window) -> ScoreRequest {
        let replies = self.labels.iter().map(String::as_str).chain(self.allows_na.then_some(NA));
        ScoreRequest { prompt: self.prompt(&window.text), continuations: replies.map(reply).collect() }
    }

    /// The label, or NA if `n/a` is likelier than all labels together.
    pub fn judge(&self, scores: &[Score]) -> WindowAnswer {
        let all: Vec<f64> = scores.iter().map(|score| score.log_prob).collect();
        let (labels, na) = all.split_at(self.labels.len().min(all.len()));
        let na_log_odds = match na {
            [na] => log_odds(na - log_sum(&all)) + self.na_bias,
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
        let label = self.labels.get(best).cloned().unwrap_or_default();
        let (confidence, na_log_odds) = (Some(answerable * share), Some(na_log_odds));
        WindowAnswer { confidence, na_log_odds, ..WindowAnswer::of(Answer::Label(label)) }
    }

    /// The request whose reply holds the window's answer.
    pub fn request(&self, kind: &AnswerKind, window: &Window, decoding: &Arc<Decoding>) -> Request {
        let constraint = crate::constraint::held(kind, window).map(|constraint| Arc::new(framed(constraint)));
        let is_opened = constraint.is_some() && self.allows_na;
        let opening = is_opened.then(|| Opening { text: reply(NA), bias: self.na_bias });
        Request { constraint, opening, ..Request::new(self.prompt(&window.text), Arc::clone(decoding)) }
    }

    /// The log-odds of NA that a reply gave away, the bias included.
    pub fn na_log_odds(&self, reply: &Reply) -> Option<f64> {
        reply.opening_log_odds.map(|log_odds| log_odds + self.na_bias)
    }

    /// The request for the passage that shows a label.
    pub fn evidence_request(&self, window: &Window, label: &str, decoding: Decoding) -> Request {
        let mut prompt = self.prompt(&window.text);
        prompt.text += &format!("{}{EVIDENCE_SEPARATOR}", reply(label));
        let passage = framed(Constraint::spans(Arc::clone(&window.text), "; ", 1));
        Request { constraint: Some(Arc::new(passage)), ..Request::new(prompt, decoding) }
    }
}

/// The passage that a reply to [`Learned::evidence_request`] holds; none if there is none.
pub(crate) fn read_evidence(window: &Window, reply: &Reply) -> Option<Span> {
    let text = crate::constraint::complete(reply, &AnswerKind::Spans, &window.text);
    locate(&window.text, text.trim(), &[]).map(|place| span(&window.text, window.start, place, None))
}

/// The probability that there is an answer.
pub(crate) fn answerable(na_log_odds: f64) -> f64 {
    1.0 / (1.0 + na_log_odds.exp())
}

/// A reply as it stands behind the prompt.
fn reply(text: &str) -> String {
    format!(" {text}")
}

/// A constrained reply with the space before it. It ends with the model's end token or with the line.
fn framed(reply: Constraint) -> Constraint {
    Constraint::Sequence(vec![" ".into(), reply, Constraint::OneOf(vec!["".into(), "\n".into()])])
}

/// The labels or fields of an answer, in parentheses behind the question.
fn parts(kind: &AnswerKind) -> String {
    let field = |field: &Field| match &field.kind {
        FieldKind::Span | FieldKind::Text => field.name.clone(),
        FieldKind::YesNo => format!("{}: yes / no", field.name),
        FieldKind::Label(labels) => format!("{}: {}", field.name, labels.join(" / ")),
    };
    let parts: Vec<String> = match kind {
        AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => return String::new(),
        AnswerKind::Label(labels) => labels.clone(),
        AnswerKind::Records(fields) => fields.iter().map(field).collect(),
    };
    format!(" ({})", parts.join(", "))
}

/// The logarithm of the sum of exponentials; negative infinity of nothing.
fn log_sum(values: &[f64]) -> f64 {
    crate::judge::log_sum(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(kind: AnswerKind, na: Option<bool>, na_bias: f64) -> Learned {
        let task = Task { definition: Some("Which hikes?".into()), ..Task::default() };
        Learned::new(&task, &AnswerSpec { kind, na }, &Settings { na_bias, ..Settings::default() })
    }

    fn scores(probabilities: &[f64]) -> Vec<Score> {
        probabilities.iter().map(|p| Score { log_prob: p.ln(), tokens: 1, is_greedy: false }).collect()
    }

    #[test]
    fn labels_and_fields_are_named_behind_the_question() {
        let field = |name: &str, kind| Field { name: name.into(), kind };
        let kinds = [
            (AnswerKind::YesNo, ""),
            (AnswerKind::Label(vec!["good".into(), "bad".into()]), " (good, bad)"),
            (
                AnswerKind::Records(vec![
                    field("hike", FieldKind::Span),
                    field("paved", FieldKind::YesNo),
                    field("leash", FieldKind::Label(vec!["required".into(), "optional".into()])),
                ]),
                " (hike, paved: yes / no, leash: required / optional)",
            ),
        ];
        for (kind, named) in kinds {
            let prompt = learned(kind, None, 0.0).prompt("A trail.").whole();
            assert_eq!(prompt, format!("Text: A trail.\n\nQuestion: Which hikes?{named}\nAnswer:"));
        }
    }

    #[test]
    fn na_is_held_against_all_labels_together() {
        let three = scores(&[0.3, 0.3, 0.4]);
        let answer = learned(AnswerKind::YesNo, None, 0.0).judge(&three);
        assert_eq!(answer.answer, Answer::Label("yes".into()), "0.4 is less than 0.6");
        assert!((answer.confidence.unwrap() - 0.3).abs() < 1e-9, "{answer:?}");
        assert_eq!(learned(AnswerKind::YesNo, None, 1.0).judge(&three).answer, Answer::Na);
        let forced = learned(AnswerKind::YesNo, Some(false), 9.0).judge(&scores(&[0.1, 0.2]));
        assert_eq!(forced.answer, Answer::Label("no".into()));
    }
}
