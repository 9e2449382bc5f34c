//! What every model can do, wherever it runs: continue a prompt, and say how likely a given continuation is.
//!
//! Requests come from an iterator and results go to a closure, so that a model can keep its batch full over a corpus
//! of any size: it takes the next request as soon as there is room and gives each result back as soon as it is known.

mod any;
mod decoding;
mod prompt;
mod scripted;
mod wanted;

pub use any::{AnyReply, AnyRequest};
pub use decoding::{Decoding, MaxTokens, Strategy};
pub use prompt::{Form, Prompt};
pub use scripted::ScriptedModel;
pub use wanted::Wanted;

use crate::Error;
pub use saydo_guide::{Constraint, Escape};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A model as text in, text or log-probability out.
///
/// Implementers guarantee that
/// - every request taken from the iterator is answered exactly once, by its number in order of being taken, in any
///   order; one that fails is answered with its error and does not stop the others;
/// - a call fails as a whole only if no request could succeed, such as when a server cannot be reached;
/// - with [`Strategy::Greedy`], the reply depends on the request alone and never on what else is in flight; with
///   [`Strategy::Sample`], on the request and its seed. A server may break this, but says so in its documentation;
/// - `requests.next()` is called again as long as anything is in flight, even after it gave `None`, which means
///   "nothing now"; the call ends when nothing is in flight and `next` gives `None`.
pub trait Model: Send + Sync {
    /// Continues each prompt and calls `done` with the request's number and its reply.
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error>;

    /// Scores continuations of each prompt and calls `done` with the request's number and one score for each of its
    /// continuations, in order.
    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error>;

    /// Does both for a stream of requests of either kind, and calls `done` with the request's number. Models that cannot do
    /// both at once take turns; a model that can keeps one batch full.
    fn answer_each(
        &self,
        requests: &mut dyn Iterator<Item = AnyRequest>,
        done: &mut dyn FnMut(usize, Result<AnyReply, Error>),
    ) -> Result<(), Error> {
        any::alternate(self, requests, done)
    }

    /// Replies to all requests, in their order.
    fn generate(&self, requests: Vec<Request>) -> Result<Vec<Result<Reply, Error>>, Error> {
        collect(requests, |requests, done| self.generate_each(requests, done))
    }

    /// Scores of all requests, in their order.
    fn score(&self, requests: Vec<ScoreRequest>) -> Result<Vec<Result<Vec<Score>, Error>>, Error> {
        collect(requests, |requests, done| self.score_each(requests, done))
    }
}

/// What a model calls with a request's number and result.
type Done<'a, T> = &'a mut dyn FnMut(usize, Result<T, Error>);

/// Feeds `requests` to `run` and puts the results in their order.
fn collect<R, T>(
    requests: Vec<R>,
    run: impl FnOnce(&mut dyn Iterator<Item = R>, Done<'_, T>) -> Result<(), Error>,
) -> Result<Vec<Result<T, Error>>, Error> {
    let mut results: Vec<Option<Result<T, Error>>> = requests.iter().map(|_| None).collect();
    run(&mut requests.into_iter(), &mut |index, result| results[index] = Some(result))?;
    Ok(results.into_iter().map(|result| result.expect("a model answers every request it takes")).collect())
}

/// A prompt to continue.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What comes before the reply.
    pub prompt: Prompt,
    /// How the reply is chosen and where it ends.
    pub decoding: Arc<Decoding>,
    /// What the reply may look like; anything if absent.
    pub constraint: Option<Arc<Constraint>>,
    /// Whether anybody still waits for the reply; somebody does if absent. A model stops as soon as it notices that nobody
    /// does, at the latest before it begins, and then answers with [`Error::Unwanted`].
    pub wanted: Option<Wanted>,
    /// A reply that is decided about before any other, such as "n/a". Servers ignore it.
    pub opening: Option<Opening>,
}

/// A reply that the first token decides about: it is given if it is likelier than all other replies together, and ruled
/// out otherwise. One pass over the prompt then both decides whether there is an answer and begins the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The reply. Its first token stands for all of it. White space at its start is its own, as in a continuation.
    pub text: String,
    /// Added to its log-odds.
    pub bias: f64,
}

impl Opening {
    /// Whether a reply with these log-odds, before the bias, is given.
    pub fn is_given(&self, log_odds: f64) -> bool {
        log_odds + self.bias > 0.0
    }
}

/// The log-odds of an event with this log-probability, within ±30: beyond that a model's rounding decides.
pub fn log_odds(log_prob: f64) -> f64 {
    let other = (-log_prob.min(0.0).exp()).ln_1p();
    (log_prob - other).clamp(-30.0, 30.0)
}

impl Request {
    /// A request without constraint.
    pub fn new(prompt: Prompt, decoding: impl Into<Arc<Decoding>>) -> Self {
        Self { prompt, decoding: decoding.into(), constraint: None, wanted: None, opening: None }
    }
}

/// A prompt with continuations to score.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreRequest {
    /// What comes before the continuations.
    pub prompt: Prompt,
    /// Texts that might follow it. White space at their start is theirs: " yes" and "yes" differ.
    pub continuations: Vec<String>,
    /// Whether anybody still waits for the scores, as in a [`Request`].
    pub wanted: Option<Wanted>,
}

impl ScoreRequest {
    /// A request that is wanted until it is answered.
    pub fn new(prompt: Prompt, continuations: Vec<String>) -> Self {
        Self { prompt, continuations, wanted: None }
    }
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, without the stop string or end token that ended it.
    pub text: String,
    /// Its tokens, one that ended it included; empty if the model does not say.
    pub tokens: Vec<u32>,
    /// Why it ended.
    pub finish: Finish,
    /// Natural logarithm of the reply's probability, end token included, under the model itself: before temperature,
    /// nucleus and constraint. Absent if the model does not say.
    pub log_prob: Option<f64>,
    /// That of its first token alone: how willingly the model began it. Absent for beam search, or if the model does not
    /// say.
    #[serde(default)]
    pub first_log_prob: Option<f64>,
    /// The log-odds of the request's opening, before its bias. Absent without an opening, for beam search, or if the model
    /// does not say.
    #[serde(default)]
    pub opening_log_odds: Option<f64>,
    /// How many tokens went in and out.
    pub usage: Usage,
}

impl Reply {
    /// The probability of its tokens, as their geometric mean, so that long replies are not unlikely for being long;
    /// none if the model does not say.
    pub fn confidence(&self) -> Option<f64> {
        let tokens = self.tokens.len().max(self.usage.reply_tokens).max(1);
        self.log_prob.map(|log_prob| (log_prob / tokens as f64).exp().clamp(0.0, 1.0))
    }
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// The model ended it, or the constraint left nothing else to say.
    End,
    /// A stop string appeared.
    Stop,
    /// It reached the greatest number of tokens, or the model's context was full.
    Length,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Those of them that were found computed.
    pub cached_tokens: usize,
    /// Tokens generated or scored.
    pub reply_tokens: usize,
}

/// How likely a continuation is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Natural logarithm of its probability: the sum over its tokens.
    pub log_prob: f64,
    /// Its number of tokens.
    pub tokens: usize,
    /// Whether each of its tokens is the most likely one at its place.
    pub is_greedy: bool,
}
