//! A model of one's own: here one that only scores, which is enough for labels.

use saydo::{Model, Session};
use saydo_model::{Error, Reply, Request, Score, ScoreRequest};
use std::sync::Arc;

/// Finds "Yes" likely if the prompt says "welcome".
struct Keyword;

impl Model for Keyword {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        requests.enumerate().for_each(|(number, _)| done(number, Err(Error::Unwanted)));
        Ok(())
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        for (number, request) in requests.enumerate() {
            let likely = if request.prompt.whole().contains("welcome") { "yes" } else { "no" };
            let log_prob = |text: &str| if text.trim().eq_ignore_ascii_case(likely) { -0.1 } else { -5.0 };
            let score = |text: &String| Score { log_prob: log_prob(text), tokens: 1, is_greedy: false };
            done(number, Ok(request.continuations.iter().map(score).collect()));
        }
        Ok(())
    }
}

/// Asks the model.
pub fn main() -> Result<(), saydo::Error> {
    let dogs = Session::new(Arc::new(Keyword), "keyword", "keyword:1").function("Are dogs allowed?")?;
    assert_eq!(saydo::answer_text(&dogs.answer("Leashed dogs are welcome.")?.answer), "yes");
    Ok(())
}
