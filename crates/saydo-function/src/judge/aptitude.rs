//! What a model's scores are worth: found by asking it questions whose answers are known.
//!
//! Some models can tell when asked whether a text answers a question, others cannot; and each moves its scores by another
//! amount. Three small questions, each with a text that says yes, one that says no and one that says nothing, show both.

use super::Measure;
use crate::Error;
use crate::wording::Wording;
use saydo_model::{Model, Score, ScoreRequest};
use saydo_task::{AnswerKind, AnswerSpec, Task};

/// Questions with a text that says yes, one that says no, and one on the same subject that says neither.
const PROBES: [(&str, [&str; 3]); 3] = [
    (
        "Is the shop open on Sundays?",
        [
            "The bakery on Mill Street opens every day of the week, Sundays included, from seven in the morning until noon.",
            "The bakery on Mill Street is open from Tuesday to Saturday. On Sundays and Mondays it is closed.",
            "The bakery on Mill Street sells rye bread, cakes and coffee. Its ovens were replaced last spring.",
        ],
    ),
    (
        "Did the company make a profit last year?",
        [
            "Norwell Pumps earned four million euros last year, the best result in its history.",
            "Norwell Pumps ended last year with a loss of two million euros and will close one plant.",
            "Norwell Pumps employs three hundred people and builds pumps for ships. It was founded by two brothers.",
        ],
    ),
    (
        "Are dogs allowed on the trail?",
        [
            "The trail around the lake is two miles long. Dogs are welcome on a leash.",
            "The trail around the lake is two miles long. To protect nesting birds, no dogs may enter it.",
            "The trail around the lake is two miles long and starts behind the old mill.",
        ],
    ),
];

/// A model whose word moves by less than this many nats between texts that answer and texts that do not is not asked.
const LEAST_RESPONSE: f64 = 1.5;
/// The response, in nats, from which on a model's leaning between yes and no counts in full.
const FULL_RESPONSE: f64 = 3.0;
/// The log-odds between a text that answers and one that does not, at the means of the probes.
const RANGE_LOG_ODDS: f64 = 6.0;

/// Which sign of an answer a model gives, and where on it the line runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aptitude {
    /// Whether the model's own word counts; otherwise how likely the text makes the question.
    pub is_responsive: bool,
    /// How much the model's leaning between yes and no counts, from 0 to 1.
    pub leaning: f64,
    silent: f64,
    answering: f64,
}

impl Aptitude {
    /// Asks the model. `chat` is how prompts are put to it.
    pub fn measure(model: &dyn Model, chat: bool) -> Result<Self, Error> {
        let stated = Response::measure(model, chat, stated_requests, |scores| Measure::of_labels(scores).stated)?;
        let leaning = (stated.width() / FULL_RESPONSE).clamp(0.0, 1.0);
        if stated.width() >= LEAST_RESPONSE {
            return Ok(Self { is_responsive: true, leaning, silent: stated.silent, answering: stated.answering });
        }
        let question =
            Response::measure(model, chat, question_requests, |scores| Measure::of_question(scores).question)?;
        Ok(Self { is_responsive: false, leaning, silent: question.silent, answering: question.answering })
    }

    /// The log-odds that a text with this measure (less what texts without content have) holds no answer.
    pub fn na_log_odds(&self, measure: &Measure) -> f64 {
        let width = (self.answering - self.silent).max(f64::MIN_POSITIVE);
        // The model's word is a strong sign, and half way is where it turns. How likely a question is says less: it is
        // held against an answer only where the text does not even keep to the subject.
        let (value, turn) = match self.is_responsive {
            true => (measure.stated, self.silent + width / 2.0),
            false => (measure.question, self.silent),
        };
        RANGE_LOG_ODDS * ((turn - value) / width).clamp(-5.0, 5.0)
    }
}

/// The mean of a sign over texts that answer and over texts that do not, each less what texts without content have.
struct Response {
    silent: f64,
    answering: f64,
}

impl Response {
    fn width(&self) -> f64 {
        self.answering - self.silent
    }

    fn measure(
        model: &dyn Model,
        chat: bool,
        requests: fn(&Wording, &str) -> ScoreRequest,
        sign: impl Fn(&[Score]) -> f64,
    ) -> Result<Self, Error> {
        let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
        let mut all = Vec::new();
        for (question, texts) in PROBES {
            let task = Task { definition: Some(question.to_owned()), ..Task::default() };
            let wording = Wording::new(&task, &spec, chat);
            all.extend(texts.iter().chain(&super::CONTENT_FREE).map(|text| requests(&wording, text)));
        }
        let scores = model.score(all)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (mut silent, mut answering) = (0.0, 0.0);
        for one in scores.chunks(3 + super::CONTENT_FREE.len()) {
            let signs: Vec<f64> = one.iter().map(|scores| sign(scores)).collect();
            let (texts, free) = signs.split_at(3);
            let free = free.iter().sum::<f64>() / free.len() as f64;
            answering += (texts[0] + texts[1]) / 2.0 - free;
            silent += texts[2] - free;
        }
        let count = PROBES.len() as f64;
        Ok(Self { silent: silent / count, answering: answering / count })
    }
}

fn stated_requests(wording: &Wording, text: &str) -> ScoreRequest {
    let continuations = ["Yes", "No", super::NOT_STATED].map(str::to_owned).to_vec();
    ScoreRequest { prompt: wording.answer(text), continuations }
}

fn question_requests(wording: &Wording, text: &str) -> ScoreRequest {
    ScoreRequest { prompt: wording.evidence(text), continuations: vec![wording.description().to_owned()] }
}
