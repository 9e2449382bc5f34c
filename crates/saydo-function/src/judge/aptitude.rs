//! What a model's scores are worth: found by asking it questions whose answers are known.
//!
//! Some models can tell when asked whether a text answers a question, others cannot; and each moves its scores by another
//! amount. Three small questions, each with two texts that answer it and one that does not, show both.

use super::sign::Sign;
use super::{Labels, Measure};
use crate::Error;
use crate::wording::Wording;
use saydo_model::Model;
use saydo_task::{AnswerKind, AnswerSpec, Task};
use std::sync::OnceLock;

/// A question with texts that answer it, and one on the same subject that does not.
struct Probe {
    question: &'static str,
    answering: [&'static str; 2],
    silent: &'static str,
}

const BAKERY_OPEN: &str =
    "The bakery on Mill Street opens every day of the week, Sundays included, from seven in the morning until noon.";
const BAKERY_CLOSED: &str =
    "The bakery on Mill Street is open from Tuesday to Saturday. On Sundays and Mondays it is closed.";
const BAKERY_SILENT: &str =
    "The bakery on Mill Street sells rye bread, cakes and coffee. Its ovens were replaced last spring.";
const PUMPS_PROFIT: &str = "Norwell Pumps earned four million euros last year, the best result in its history.";
const PUMPS_LOSS: &str = "Norwell Pumps ended last year with a loss of two million euros and will close one plant.";
const PUMPS_SILENT: &str =
    "Norwell Pumps employs three hundred people and builds pumps for ships. It was founded by two brothers.";
const TRAIL_OPEN: &str = "The trail around the lake is two miles long. Dogs are welcome on a leash.";
const TRAIL_CLOSED: &str =
    "The trail around the lake is two miles long. To protect nesting birds, no dogs may enter it.";
const TRAIL_SILENT: &str = "The trail around the lake starts behind the old mill and passes two picnic areas.";

/// Answered by yes and by no.
const YES_NO: [Probe; 3] = [
    Probe { question: "Is the shop open on Sundays?", answering: [BAKERY_OPEN, BAKERY_CLOSED], silent: BAKERY_SILENT },
    Probe {
        question: "Did the company make a profit last year?",
        answering: [PUMPS_PROFIT, PUMPS_LOSS],
        silent: PUMPS_SILENT,
    },
    Probe { question: "Are dogs allowed on the trail?", answering: [TRAIL_OPEN, TRAIL_CLOSED], silent: TRAIL_SILENT },
];

/// Answered by words of the text.
const OPEN: [Probe; 3] = [
    Probe {
        question: "On which days is the shop open?",
        answering: [BAKERY_OPEN, BAKERY_CLOSED],
        silent: BAKERY_SILENT,
    },
    Probe {
        question: "What was the company's result last year?",
        answering: [PUMPS_PROFIT, PUMPS_LOSS],
        silent: PUMPS_SILENT,
    },
    Probe { question: "How long is the trail?", answering: [TRAIL_OPEN, TRAIL_CLOSED], silent: TRAIL_SILENT },
];

/// A sign that moves by less than this many nats between texts that answer and texts that do not means nothing.
const LEAST_RESPONSE: f64 = 1.5;
/// The response, in nats, from which on a model's leaning between yes and no counts in full.
const FULL_RESPONSE: f64 = 3.0;
/// The log-odds between a text that answers and one that does not, at the means of the probes.
const RANGE_LOG_ODDS: f64 = 6.0;

/// The same for the weak sign.
const WEAK_RANGE_LOG_ODDS: f64 = 2.0;
/// Signs closer together than this are not told apart.
const LEAST_WIDTH: f64 = 0.25;

/// Which signs of an answer a model gives, and where on each the line runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aptitude {
    /// How much the model's leaning between yes and no counts, from 0 to 1.
    pub leaning: f64,
    /// The signs that mean something, or how likely a text makes the question if none does.
    lines: Vec<(Sign, Line)>,
}

/// What was found out about one model, for kinds of answer with labels and for those without.
#[derive(Debug, Default)]
pub struct Aptitudes {
    with_labels: OnceLock<Aptitude>,
    open: OnceLock<Aptitude>,
}

impl Aptitudes {
    /// The aptitude for a kind of answer; the model is asked the first time.
    pub(crate) fn of(&self, model: &dyn Model, kind: &AnswerKind, chat: bool) -> Result<Aptitude, Error> {
        let place = if has_labels(kind) { &self.with_labels } else { &self.open };
        match place.get() {
            Some(aptitude) => Ok(aptitude.clone()),
            None => {
                let aptitude = Aptitude::measure(model, kind, chat)?;
                Ok(place.get_or_init(|| aptitude).clone())
            }
        }
    }
}

fn has_labels(kind: &AnswerKind) -> bool {
    matches!(kind, AnswerKind::YesNo | AnswerKind::Label(_))
}

impl Aptitude {
    /// Asks the model. `chat` is how prompts are put to it; kinds of answer without labels have probes of their own.
    pub fn measure(model: &dyn Model, kind: &AnswerKind, chat: bool) -> Result<Self, Error> {
        let has_labels = has_labels(kind);
        let probes = if has_labels { &YES_NO } else { &OPEN };
        let kind = if has_labels { AnswerKind::YesNo } else { AnswerKind::Spans };
        let asking = Asking { model, probes, kind, chat };
        let mut lines = Vec::new();
        for sign in [Sign::Word, Sign::Claim] {
            lines.push((sign, asking.line(sign)?));
        }
        let leaning = (lines[0].1.width() / FULL_RESPONSE).clamp(0.0, 1.0);
        lines.retain(|(_, line)| line.width() >= LEAST_RESPONSE);
        if lines.is_empty() {
            lines.push((Sign::Question, asking.line(Sign::Question)?));
        }
        Ok(Self { leaning, lines })
    }

    /// What is to be scored for each text.
    pub fn signs(&self) -> Vec<Sign> {
        self.lines.iter().map(|(sign, _)| *sign).collect()
    }

    /// The log-odds that a text with this measure (less that of texts without content, or about other things) holds no
    /// answer: the mean over the signs.
    pub fn na_log_odds(&self, measure: &Measure) -> f64 {
        let all = self.lines.iter().map(|(sign, line)| line.na_log_odds(*sign, sign.value(measure)));
        all.sum::<f64>() / self.lines.len() as f64
    }
}

/// The mean of a sign over texts that answer and over texts that do not, each less that of the baseline.
#[derive(Debug, Clone, Default, PartialEq)]
struct Line {
    silent: f64,
    answering: f64,
}

impl Line {
    fn width(&self) -> f64 {
        self.answering - self.silent
    }

    fn na_log_odds(&self, sign: Sign, value: f64) -> f64 {
        let width = self.width().max(LEAST_WIDTH);
        // What the model says is a strong sign, and half way is where it turns. How likely a question is says less: it is
        // held against an answer only where the text hardly makes it likelier than any other text does.
        let (turn, range) = match sign {
            Sign::Word | Sign::Claim => (self.silent + width / 2.0, RANGE_LOG_ODDS),
            Sign::Question => (self.silent / 4.0, WEAK_RANGE_LOG_ODDS),
        };
        range * ((turn - value) / width).clamp(-5.0, 5.0)
    }
}

/// Which model is asked what.
struct Asking<'a> {
    model: &'a dyn Model,
    probes: &'a [Probe],
    kind: AnswerKind,
    chat: bool,
}

impl Asking<'_> {
    fn line(&self, sign: Sign) -> Result<Line, Error> {
        let spec = AnswerSpec { kind: self.kind.clone(), na: None };
        let labels = Labels::new(&self.kind);
        let baseline = sign.baseline();
        let mut requests = Vec::new();
        for Probe { question, answering: [one, other], silent } in self.probes {
            let task = Task { definition: Some((*question).to_owned()), ..Task::default() };
            let wording = Wording::new(&task, &spec, self.chat);
            let texts = [one, other, silent].into_iter().chain(&baseline);
            requests.extend(texts.map(|text| sign.request(&wording, &labels, text)));
        }
        let scores = self.model.score(requests)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut line = Line::default();
        let count = self.probes.len() as f64;
        for one in scores.chunks(3 + baseline.len()) {
            let measure = |scores| {
                let mut measure = Measure::default();
                sign.read(scores, &mut measure);
                measure
            };
            let measures: Vec<Measure> = one.iter().map(|scores| measure(scores)).collect();
            let (texts, free) = measures.split_at(3);
            let free = Measure::mean(free);
            let value = |text: &Measure| sign.value(&text.clone().less(&free));
            line.answering += (value(&texts[0]) + value(&texts[1])) / 2.0 / count;
            line.silent += value(&texts[2]) / count;
        }
        Ok(line)
    }
}
