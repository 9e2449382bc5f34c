//! Labels and NA by probability.
//!
//! Behind the question stand the labels and "Not stated", each scored whole. A model's replies lean one way whatever it
//! reads, so each score counts against what it is on texts without content; what is left is what this text says. A model
//! that cannot tell whether a text answers a question (see [`Aptitude`]) is not asked: how much likelier the text makes
//! the question itself then decides about NA.

mod aptitude;

pub(crate) use aptitude::Aptitude;
pub use aptitude::Aptitudes;

use crate::Error;
use crate::merge::WindowAnswer;
use crate::wording::Wording;
use saydo_model::{Model, Score, ScoreRequest};
use saydo_task::{Answer, AnswerKind, AnswerSpec};

/// Texts without content, to see what a model says to a question when there is nothing to go by.
const CONTENT_FREE: [&str; 2] = ["N/A", "The text is about something else."];

/// Texts about other things, to see how likely a question is behind any text.
const UNRELATED: [&str; 2] = [
    "Paper is made from plant fibers, mostly wood. Logs are stripped of their bark, chipped and cooked until the fibers \
     come apart. The pulp is washed, thinned with a great deal of water, and run onto a moving screen, where the water \
     drains away and the fibers lock together into a wet sheet. Presses squeeze it, heated cylinders dry it, and rollers \
     smooth its surface. Used paper can go through this several times before its fibers become too short.",
    "To make a simple vegetable soup, cut two onions, three carrots and a stalk of celery into small pieces and cook them \
     slowly in oil until they are soft. Add a few potatoes, a handful of beans and enough water to cover everything. Let \
     the pot simmer for half an hour, and season it with salt, pepper and a bay leaf. The soup keeps for three days and \
     tastes better on the second.",
];

/// What "the text does not say" is written as.
pub const NOT_STATED: &str = "Not stated";

/// The log-odds of `yes` where the text tips neither way: what is written of is mostly affirmed.
const YES_LOG_ODDS: f64 = 0.5;

/// Probabilities below this are all the same to us: nothing at all.
const LEAST_LOG_PROB: f64 = -30.0;

/// Scores windows and says which label they have, or whether they hold an answer at all.
pub(crate) struct Judge {
    labels: Labels,
    allows_na: bool,
    na_bias: f64,
    aptitude: Aptitude,
    prior: Measure,
}

/// The labels as answers and as the model is to write them; none for kinds without labels.
pub(crate) struct Labels {
    pub answers: Vec<String>,
    pub written: Vec<String>,
    is_yes_no: bool,
}

/// The scores of one window, or their mean over texts without content.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Measure {
    /// The log-probability of each label as written, or of anything else if there are no labels; "Not stated" behind.
    labels: Vec<f64>,
    /// The log-probability of the question per token.
    question: f64,
}

/// What the scores of one window say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judgement {
    /// The log-odds that the window holds no answer; negative infinity if there must be one.
    pub na_log_odds: f64,
    /// The log-probability of "Not stated" itself, the settings' bias included; none if it was not scored.
    pub not_stated: Option<f64>,
    /// The likeliest label with its probability among the labels; none if the task has no labels.
    pub label: Option<(String, f64)>,
}

impl Judgement {
    pub fn is_na(&self) -> bool {
        self.na_log_odds > 0.0
    }

    /// The probability that there is an answer.
    pub fn answerable(&self) -> f64 {
        1.0 / (1.0 + self.na_log_odds.exp())
    }

    /// What is known once a reply was generated: NA if the model would sooner have begun "Not stated".
    pub fn with_reply(mut self, first_log_prob: Option<f64>) -> Judgement {
        if let (Some(not_stated), Some(first)) = (self.not_stated, first_log_prob) {
            self.na_log_odds = self.na_log_odds.max(not_stated - first);
        }
        self
    }

    /// The answer of a task with labels, or NA.
    pub fn answer(&self) -> WindowAnswer {
        let na_log_odds = Some(self.na_log_odds);
        match &self.label {
            Some((label, share)) if !self.is_na() => {
                let confidence = Some(self.answerable() * share);
                WindowAnswer { answer: Answer::Label(label.clone()), confidence, na_log_odds, ungrounded: 0 }
            }
            _ => WindowAnswer {
                answer: Answer::Na,
                confidence: Some(1.0 - self.answerable()),
                na_log_odds,
                ungrounded: 0,
            },
        }
    }
}

impl Judge {
    /// Asks the model about texts without content first.
    pub fn new(
        wording: &Wording,
        spec: &AnswerSpec,
        na_bias: f64,
        aptitude: Aptitude,
        model: &dyn Model,
    ) -> Result<Self, Error> {
        let labels = Labels::new(&spec.kind);
        let mut judge = Self { labels, allows_na: spec.allows_na(), na_bias, aptitude, prior: Measure::default() };
        let texts = CONTENT_FREE.iter().zip(UNRELATED);
        let requests = texts.flat_map(|(free, unrelated)| judge.requests_on(wording, free, unrelated)).collect();
        let scores = model.score(requests)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        if judge.requests_per_window() > 0 {
            let windows: Vec<Measure> =
                scores.chunks(judge.requests_per_window()).map(|one| judge.measure(one)).collect();
            judge.prior = Measure::mean(&windows);
        }
        Ok(judge)
    }

    pub fn set_na_bias(&mut self, na_bias: f64) {
        self.na_bias = na_bias;
    }

    pub fn requests_per_window(&self) -> usize {
        usize::from(self.scores_labels()) + usize::from(self.scores_question())
    }

    /// What to score for one window.
    pub fn requests(&self, wording: &Wording, window: &str) -> Vec<ScoreRequest> {
        self.requests_on(wording, window, window)
    }

    /// The labels behind one text, the question behind another.
    fn requests_on(&self, wording: &Wording, labelled: &str, questioned: &str) -> Vec<ScoreRequest> {
        let mut requests = Vec::with_capacity(2);
        if self.scores_labels() {
            let continuations = self.labels.written.clone();
            requests.push(ScoreRequest { prompt: wording.answer(labelled), continuations });
        }
        if self.scores_question() {
            let question = vec![wording.description().to_owned()];
            requests.push(ScoreRequest { prompt: wording.evidence(questioned), continuations: question });
        }
        requests
    }

    /// What the scores of one window's requests say.
    pub fn judge(&self, scores: &[Vec<Score>]) -> Judgement {
        let measure = self.measure(scores);
        let not_stated = measure.labels.last().filter(|_| self.allows_na).map(|not_stated| not_stated + self.na_bias);
        let measure = measure.less(&self.prior);
        let na_log_odds = match self.allows_na {
            true => self.aptitude.na_log_odds(&measure) + self.na_bias,
            false => f64::NEG_INFINITY,
        };
        Judgement { na_log_odds, not_stated, label: self.label(&measure) }
    }

    fn label(&self, measure: &Measure) -> Option<(String, f64)> {
        let mut scores: Vec<f64> = measure.labels.iter().take(self.labels.answers.len()).copied().collect();
        if self.labels.is_yes_no {
            scores.iter_mut().for_each(|score| *score *= self.aptitude.leaning);
            scores[0] += YES_LOG_ODDS;
        }
        let better = |best: usize, next: usize| if scores[next] > scores[best] { next } else { best };
        let best = (0..scores.len()).reduce(better)?;
        Some((self.labels.answers[best].clone(), (scores[best] - log_sum(&scores)).exp()))
    }

    fn scores_labels(&self) -> bool {
        !self.labels.answers.is_empty() || self.allows_na && self.aptitude.is_responsive
    }

    fn scores_question(&self) -> bool {
        self.allows_na && !self.aptitude.is_responsive
    }

    fn measure(&self, scores: &[Vec<Score>]) -> Measure {
        let (labels, question) = scores.split_at(usize::from(self.scores_labels()));
        let labels = labels.first().map_or_else(Measure::default, |scores| Measure::of_labels(scores));
        let question = question.first().map_or(0.0, |scores| Measure::of_question(scores).question);
        Measure { question, ..labels }
    }
}

impl Labels {
    pub fn new(kind: &AnswerKind) -> Self {
        let (answers, mut written): (Vec<String>, Vec<String>) = match kind {
            AnswerKind::YesNo => (vec!["yes".into(), "no".into()], vec!["Yes".into(), "No".into()]),
            AnswerKind::Label(labels) => (labels.clone(), labels.clone()),
            AnswerKind::Spans | AnswerKind::Records(_) | AnswerKind::Text => (Vec::new(), Vec::new()),
        };
        written.push(NOT_STATED.to_owned());
        Self { answers, written, is_yes_no: *kind == AnswerKind::YesNo }
    }
}

impl Measure {
    /// Scores of the labels, "Not stated" behind them.
    fn of_labels(scores: &[Score]) -> Measure {
        let mut labels: Vec<f64> = scores.iter().map(|score| score.log_prob.max(LEAST_LOG_PROB)).collect();
        if let [not_stated] = labels[..] {
            labels.insert(0, (-not_stated.exp()).ln_1p().max(LEAST_LOG_PROB));
        }
        Measure { labels, question: 0.0 }
    }

    /// By how much "Not stated" is behind the labels together.
    fn stated(&self) -> f64 {
        self.labels.split_last().map_or(0.0, |(not_stated, labels)| log_sum(labels) - not_stated)
    }

    /// The score of the question.
    fn of_question(scores: &[Score]) -> Measure {
        let question = scores.first().map_or(0.0, |first| first.log_prob / first.tokens.max(1) as f64);
        Measure { question, ..Measure::default() }
    }

    fn mean(measures: &[Measure]) -> Measure {
        let count = measures.len() as f64;
        let mean = |value: &dyn Fn(&Measure) -> f64| measures.iter().map(value).sum::<f64>() / count;
        let labels = measures.first().map_or(0, |first| first.labels.len());
        Measure {
            labels: (0..labels).map(|index| mean(&|measure| measure.labels[index])).collect(),
            question: mean(&|measure| measure.question),
        }
    }

    fn less(self, other: &Measure) -> Measure {
        Measure {
            labels: self.labels.iter().zip(&other.labels).map(|(own, other)| own - other).collect(),
            question: self.question - other.question,
        }
    }
}

/// The logarithm of the sum of exponentials; negative infinity of nothing.
pub(crate) fn log_sum(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match greatest.is_infinite() {
        true => greatest,
        false => greatest + values.iter().map(|value| (value - greatest).exp()).sum::<f64>().ln(),
    }
}
