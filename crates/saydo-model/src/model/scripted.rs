//! A model that says what a test tells it to.

use super::{Finish, Model, Opening, Reply, Request, Score, ScoreRequest, Usage, Wanted, log_odds};
use crate::Error;

/// A model whose replies and scores come from two functions: for tests of everything that uses models.
///
/// ```
/// use saydo_model::{Decoding, Model, Prompt, Request, ScriptedModel};
///
/// let model = ScriptedModel::new(|prompt| prompt.to_uppercase());
/// let replies = model.generate(vec![Request::new(Prompt::plain("hello"), Decoding::default())])?;
/// assert_eq!(replies[0].as_ref().unwrap().text, "HELLO");
/// # Ok::<(), saydo_model::Error>(())
/// ```
pub struct ScriptedModel {
    reply: Box<ReplyTo>,
    log_prob: Option<Box<LogProbOf>>,
}

type ReplyTo = dyn Fn(&str) -> String + Send + Sync;
type LogProbOf = dyn Fn(&str, &str) -> f64 + Send + Sync;

impl ScriptedModel {
    /// A model that replies to the whole prompt by `reply`, and for which all continuations have probability 1.
    pub fn new(reply: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self { reply: Box::new(reply), log_prob: None }
    }

    /// This model with log-probabilities of continuations by `log_prob(prompt, continuation)`.
    pub fn with_log_prob(self, log_prob: impl Fn(&str, &str) -> f64 + Send + Sync + 'static) -> Self {
        Self { log_prob: Some(Box::new(log_prob)), ..self }
    }

    /// Replies as scripted, cut at the first stop string. Words count as tokens; the max length is ignored.
    fn reply_to(&self, request: &Request) -> Reply {
        let prompt = request.prompt.whole();
        let mut text = (self.reply)(&prompt);
        let opening_log_odds = request.opening.as_ref().map(|opening| self.opening_log_odds(opening, &prompt, &text));
        if let Some(opening) = request.opening.as_ref().filter(|one| opening_log_odds.is_some_and(|o| one.is_given(o)))
        {
            text = opening.text.clone();
        }
        let cut = request.decoding.stop.iter().filter_map(|stop| text.find(stop)).min();
        text.truncate(cut.unwrap_or(text.len()));
        let finish = if cut.is_some() { Finish::Stop } else { Finish::End };
        let words = |text: &str| text.split_whitespace().count();
        let usage = Usage { prompt_tokens: words(&prompt), cached_tokens: 0, reply_tokens: words(&text) };
        Reply {
            text,
            tokens: Vec::new(),
            finish,
            log_prob: Some(0.0),
            first_log_prob: Some(0.0),
            opening_log_odds,
            usage,
        }
    }

    /// By the scripted log-probability if there is one, and otherwise by whether the reply is the opening.
    fn opening_log_odds(&self, opening: &Opening, prompt: &str, reply: &str) -> f64 {
        match &self.log_prob {
            Some(scripted) => log_odds(scripted(prompt, &opening.text)),
            None if reply.trim() == opening.text.trim() => f64::INFINITY,
            None => f64::NEG_INFINITY,
        }
    }
}

impl Model for ScriptedModel {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        for (index, request) in requests.enumerate() {
            done(index, Wanted::check(request.wanted.as_ref()).map(|()| self.reply_to(&request)));
        }
        Ok(())
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        for (index, request) in requests.enumerate() {
            let prompt = request.prompt.whole();
            let score = |continuation: &String| Score {
                log_prob: self.log_prob.as_ref().map_or(0.0, |scripted| scripted(&prompt, continuation)),
                tokens: continuation.split_whitespace().count(),
                is_greedy: *continuation == (self.reply)(&prompt),
            };
            let wanted = Wanted::check(request.wanted.as_ref());
            done(index, wanted.map(|()| request.continuations.iter().map(score).collect()));
        }
        Ok(())
    }
}
