//! Labels and NA by probability.
//!
//! Three things are scored for each window: the labels behind the question, whether the text answers the question, and
//! the question itself behind the text. A model's replies lean one way whatever it reads, so each score counts against
//! what it is on texts without content; what is left is what this text says. Models that follow instructions know
//! whether a text holds an answer when asked; smaller ones cannot say, but still find a question likelier behind a text
//! that speaks of it.

use crate::Error;
use crate::merge::WindowAnswer;
use crate::wording::Wording;
use saydo_model::{Model, Score, ScoreRequest};
use saydo_task::{Answer, AnswerKind, AnswerSpec};

/// Texts without content, to see what a model says to a question when there is nothing to go by.
const CONTENT_FREE: [&str; 3] = ["N/A", "This page is empty.", "The text is about something else."];

/// How much the model's own word on whether the text answers the question moves the log-odds of NA.
const SAID_WEIGHT: f64 = 1.0;
/// How much "Not stated" against the labels moves them.
const STATED_WEIGHT: f64 = 1.0;
/// How much a nat of evidence per token of the question moves them.
const EVIDENCE_WEIGHT: f64 = 6.0;
/// The log-odds of NA of a text that moves nothing: one without content.
const EMPTY_LOG_ODDS: f64 = 4.0;
/// The log-odds of `yes` where the text tips neither way: what is written of is mostly affirmed.
const YES_LOG_ODDS: f64 = 1.0;

/// Scores windows and says which label they have, or whether they hold an answer at all.
pub(crate) struct Judge {
    labels: Labels,
    allows_na: bool,
    na_bias: f64,
    prior: Measure,
}

/// The labels as answers and as the model is to write them; none for kinds without labels.
struct Labels {
    answers: Vec<String>,
    written: Vec<String>,
    is_yes_no: bool,
}

/// The scores of one window, or their mean over texts without content.
#[derive(Debug, Clone, Default, PartialEq)]
struct Measure {
    /// The log-probability of each label as written, "Not stated" behind them.
    labels: Vec<f64>,
    /// The log-odds of the text answering the question, as the model says.
    said: f64,
    /// The log-probability of the question per token.
    question: f64,
}

/// What the scores of one window say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judgement {
    /// The log-odds that the window holds no answer.
    pub na_log_odds: f64,
    /// The likeliest label with its probability among the labels; none if the task has no labels.
    pub label: Option<(String, f64)>,
    /// Whether NA is a possible answer.
    pub allows_na: bool,
}

/// What "the text does not say" is to be written as.
pub(crate) const NOT_STATED: &str = "Not stated";

impl Judgement {
    pub fn is_na(&self) -> bool {
        self.allows_na && self.na_log_odds > 0.0
    }

    /// The probability that there is an answer.
    pub fn answerable(&self) -> f64 {
        if self.allows_na { logistic(-self.na_log_odds) } else { 1.0 }
    }

    /// The answer of a task with labels, or NA.
    pub fn answer(&self) -> WindowAnswer {
        match &self.label {
            Some((label, share)) if !self.is_na() => {
                WindowAnswer { answer: Answer::Label(label.clone()), confidence: Some(self.answerable() * share) }
            }
            _ => WindowAnswer { answer: Answer::Na, confidence: Some(1.0 - self.answerable()) },
        }
    }
}

impl Judge {
    /// Asks the model about texts without content first.
    pub fn new(wording: &Wording, spec: &AnswerSpec, na_bias: f64, model: &dyn Model) -> Result<Self, Error> {
        let prior = Measure::default();
        let mut judge = Self { labels: Labels::new(&spec.kind), allows_na: spec.allows_na(), na_bias, prior };
        let requests = CONTENT_FREE.iter().flat_map(|text| judge.requests(wording, text)).collect();
        let scores = model.score(requests)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let measures: Vec<Measure> = scores.chunks(judge.requests_per_window()).map(|one| judge.measure(one)).collect();
        judge.prior = Measure::mean(&measures);
        Ok(judge)
    }

    pub fn requests_per_window(&self) -> usize {
        usize::from(self.has_labels()) + if self.allows_na { 2 } else { 0 }
    }

    /// What to score for one window.
    pub fn requests(&self, wording: &Wording, window: &str) -> Vec<ScoreRequest> {
        let mut requests = Vec::with_capacity(3);
        if self.has_labels() {
            requests.push(ScoreRequest { prompt: wording.answer(window), continuations: self.labels.written.clone() });
        }
        if self.allows_na {
            let said = ["Yes".to_owned(), "No".to_owned()].to_vec();
            requests.push(ScoreRequest { prompt: wording.answered(window), continuations: said });
            let question = vec![wording.description().to_owned()];
            requests.push(ScoreRequest { prompt: wording.evidence(window), continuations: question });
        }
        requests
    }

    /// What the scores of one window's requests say.
    pub fn judge(&self, scores: &[Vec<Score>]) -> Judgement {
        let Measure { labels, said, question } = self.measure(scores).less(&self.prior);
        let (real, not_stated) = labels.split_at(self.labels.answers.len());
        let mut label_scores = real.to_vec();
        if self.labels.is_yes_no {
            label_scores[0] += YES_LOG_ODDS;
        }
        let total = log_sum(&label_scores);
        let best = (0..label_scores.len())
            .reduce(|best, next| if label_scores[next] > label_scores[best] { next } else { best });
        let label = best.map(|best| (self.labels.answers[best].clone(), (label_scores[best] - total).exp()));
        let stated = not_stated.first().map_or(0.0, |not_stated| not_stated - log_sum(real));
        let evidence = SAID_WEIGHT * said + EVIDENCE_WEIGHT * question;
        let na_log_odds = EMPTY_LOG_ODDS + STATED_WEIGHT * stated - evidence + self.na_bias;
        Judgement { na_log_odds, label, allows_na: self.allows_na }
    }

    fn has_labels(&self) -> bool {
        !self.labels.answers.is_empty()
    }

    fn measure(&self, scores: &[Vec<Score>]) -> Measure {
        let (labels, rest) = scores.split_at(usize::from(self.has_labels()));
        let labels = labels.iter().flatten().map(|score| score.log_prob).collect();
        let said = rest.first().map_or(0.0, |said| said[0].log_prob - said[1].log_prob);
        let question = rest.get(1).map_or(0.0, |question| question[0].log_prob / question[0].tokens.max(1) as f64);
        Measure { labels, said, question }
    }
}

impl Labels {
    fn new(kind: &AnswerKind) -> Self {
        let (answers, mut written): (Vec<String>, Vec<String>) = match kind {
            AnswerKind::YesNo => (vec!["yes".into(), "no".into()], vec!["Yes".into(), "No".into()]),
            AnswerKind::Label(labels) => (labels.clone(), labels.clone()),
            AnswerKind::Spans | AnswerKind::Records(_) | AnswerKind::Text => (Vec::new(), Vec::new()),
        };
        if !answers.is_empty() {
            written.push(NOT_STATED.to_owned());
        }
        Self { answers, written, is_yes_no: *kind == AnswerKind::YesNo }
    }
}

impl Measure {
    fn mean(measures: &[Measure]) -> Measure {
        let count = measures.len() as f64;
        let mean = |value: &dyn Fn(&Measure) -> f64| measures.iter().map(value).sum::<f64>() / count;
        Measure {
            labels: (0..measures[0].labels.len()).map(|index| mean(&|measure| measure.labels[index])).collect(),
            said: mean(&|measure| measure.said),
            question: mean(&|measure| measure.question),
        }
    }

    fn less(self, other: &Measure) -> Measure {
        Measure {
            labels: self.labels.iter().zip(&other.labels).map(|(own, other)| own - other).collect(),
            said: self.said - other.said,
            question: self.question - other.question,
        }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of the sum of exponentials; negative infinity of nothing.
fn log_sum(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest.is_infinite() {
        greatest
    } else {
        greatest + values.iter().map(|x| (x - greatest).exp()).sum::<f64>().ln()
    }
}
