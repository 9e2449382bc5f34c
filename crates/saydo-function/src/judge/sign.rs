//! What a model gives away about whether a text answers a question: three things to ask it, each with its scores.

use super::{Labels, Measure};
use crate::wording::Wording;
use saydo_model::{Score, ScoreRequest};

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

/// One thing to ask of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Asked for the answer, how far it is from saying "Not stated". The labels are scored with it.
    Word,
    /// Asked whether the text answers the question, how far yes is ahead of no. It takes what is merely on the subject for
    /// an answer more often than the word does, and overlooks fewer answers.
    Claim,
    /// Asked for a question that the text answers, how likely the task's own is. For models that cannot tell when asked.
    Question,
}

impl Sign {
    /// Texts that hold no answer; scores count against what they are there.
    pub fn baseline(self) -> [&'static str; 2] {
        match self {
            Self::Word | Self::Claim => CONTENT_FREE,
            Self::Question => UNRELATED,
        }
    }

    /// What to score for a text.
    pub fn request(self, wording: &Wording, labels: &Labels, text: &str) -> ScoreRequest {
        match self {
            Self::Word => ScoreRequest { prompt: wording.answer(text), continuations: labels.written.clone() },
            Self::Claim => {
                let continuations = vec!["Yes".to_owned(), "No".to_owned()];
                ScoreRequest { prompt: wording.claim(text), continuations }
            }
            Self::Question => {
                let continuations = vec![wording.description().to_owned()];
                ScoreRequest { prompt: wording.evidence(text), continuations }
            }
        }
    }

    /// Puts what was scored into a measure.
    pub fn read(self, scores: &[Score], measure: &mut Measure) {
        match self {
            Self::Word => measure.labels = Measure::of_labels(scores),
            Self::Claim => {
                if let [yes, no] = &Measure::of_labels(scores)[..] {
                    measure.claim = yes - no;
                }
            }
            Self::Question => {
                let first = scores.first();
                measure.question = first.map_or(0.0, |first| first.log_prob / first.tokens.max(1) as f64);
            }
        }
    }

    /// The sign itself: the greater, the surer that there is an answer.
    pub fn value(self, measure: &Measure) -> f64 {
        match self {
            Self::Word => measure.stated(),
            Self::Claim => measure.claim,
            Self::Question => measure.question,
        }
    }
}
