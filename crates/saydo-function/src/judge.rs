//! Labels and NA by probability.
//!
//! Behind the question stand the labels and "Not stated", each scored whole. A model's replies lean one way whatever it
//! reads, so each score counts against what it is on texts without content; what is left is what this text says. Whether it
//! answers the question is also asked outright, and both signs count alike. A model that cannot tell (see [`Aptitude`]) is
//! not asked: how much likelier the text makes the question itself then decides about NA.

mod aptitude;
mod sign;

pub(crate) use aptitude::Aptitude;
pub use aptitude::Aptitudes;
use sign::Sign;

use crate::Error;
use crate::merge::WindowAnswer;
use crate::wording::Wording;
use saydo_model::{Model, Score, ScoreRequest};
use saydo_task::{Answer, AnswerKind, AnswerSpec};

/// What "the text does not say" is written as.
pub(crate) const NOT_STATED: &str = "Not stated";

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
    /// What is scored for each window.
    signs: Vec<Sign>,
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
    /// The log-odds of yes when asked whether the text answers the question.
    claim: f64,
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
                WindowAnswer { confidence, na_log_odds, ..WindowAnswer::of(Answer::Label(label.clone())) }
            }
            _ => {
                WindowAnswer { confidence: Some(1.0 - self.answerable()), na_log_odds, ..WindowAnswer::of(Answer::Na) }
            }
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
        let allows_na = spec.allows_na();
        let mut signs = if allows_na { aptitude.signs() } else { Vec::new() };
        if !labels.answers.is_empty() && !signs.contains(&Sign::Word) {
            signs.insert(0, Sign::Word);
        }
        let mut judge = Self { labels, allows_na, na_bias, aptitude, signs, prior: Measure::default() };
        judge.prior = judge.prior(wording, model)?;
        Ok(judge)
    }

    /// What the scores are on texts that hold no answer.
    fn prior(&self, wording: &Wording, model: &dyn Model) -> Result<Measure, Error> {
        let requests = (0..2).flat_map(|text| {
            let request = move |sign: &Sign| sign.request(wording, &self.labels, sign.baseline()[text]);
            self.signs.iter().map(request)
        });
        let scores = model.score(requests.collect())?.into_iter().collect::<Result<Vec<_>, _>>()?;
        if self.signs.is_empty() {
            return Ok(Measure::default());
        }
        let windows: Vec<Measure> = scores.chunks(self.signs.len()).map(|one| self.measure(one)).collect();
        Ok(Measure::mean(&windows))
    }

    pub fn set_na_bias(&mut self, na_bias: f64) {
        self.na_bias = na_bias;
    }

    /// Whether there is NA, and the model can tell when asked.
    pub fn can_tell_na(&self) -> bool {
        self.allows_na && !self.aptitude.signs().contains(&Sign::Question)
    }

    pub fn requests_per_window(&self) -> usize {
        self.signs.len()
    }

    /// What to score for one window.
    pub fn requests(&self, wording: &Wording, window: &str) -> Vec<ScoreRequest> {
        self.signs.iter().map(|sign| sign.request(wording, &self.labels, window)).collect()
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

    fn measure(&self, scores: &[Vec<Score>]) -> Measure {
        let mut measure = Measure::default();
        for (sign, scores) in self.signs.iter().zip(scores) {
            sign.read(scores, &mut measure);
        }
        measure
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
    fn of_labels(scores: &[Score]) -> Vec<f64> {
        let mut labels: Vec<f64> = scores.iter().map(|score| score.log_prob.max(LEAST_LOG_PROB)).collect();
        if let [not_stated] = labels[..] {
            labels.insert(0, (-not_stated.exp()).ln_1p().max(LEAST_LOG_PROB));
        }
        labels
    }

    /// By how much "Not stated" is behind the labels together.
    fn stated(&self) -> f64 {
        self.labels.split_last().map_or(0.0, |(not_stated, labels)| log_sum(labels) - not_stated)
    }

    fn mean(measures: &[Measure]) -> Measure {
        let count = measures.len() as f64;
        let mean = |value: &dyn Fn(&Measure) -> f64| measures.iter().map(value).sum::<f64>() / count;
        let labels = measures.first().map_or(0, |first| first.labels.len());
        Measure {
            labels: (0..labels).map(|index| mean(&|measure| measure.labels[index])).collect(),
            claim: mean(&|measure| measure.claim),
            question: mean(&|measure| measure.question),
        }
    }

    fn less(self, other: &Measure) -> Measure {
        Measure {
            labels: self.labels.iter().zip(&other.labels).map(|(own, other)| own - other).collect(),
            claim: self.claim - other.claim,
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
