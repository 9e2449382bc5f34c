//! Log-probabilities of given continuations: the prompt once, then all continuations side by side.

use super::LocalModel;
use super::choice;
use super::schedule::{Job, Scheduler};
use super::sequence::Sequence;
use crate::Error;
use crate::cache::SequenceCache;
use crate::model::{Form, Prompt, Score, ScoreRequest, Wanted};

/// A request for scores.
pub(super) struct ScoreJob {
    /// First the prompt alone, then a sequence for each continuation of more than one token.
    sequences: Vec<Sequence>,
    /// Which continuation each sequence computes; empty while the prompt is computed.
    branches: Vec<usize>,
    continuations: Vec<Continuation>,
    reserved: usize,
    /// Whether anybody still waits for it.
    wanted: Option<Wanted>,
}

struct Continuation {
    tokens: Vec<u32>,
    score: Score,
}

impl Continuation {
    /// Adds the log-probability of its next token.
    fn take(&mut self, logits: &[f32]) {
        let (log_prob, greedy) = choice::log_prob(logits, self.tokens[self.score.tokens]);
        self.score.log_prob += log_prob;
        self.score.is_greedy &= greedy;
        self.score.tokens += 1;
    }
}

impl ScoreJob {
    pub fn start<J: Job>(request: ScoreRequest, scheduler: &mut Scheduler<'_, J>) -> Result<Self, Error> {
        Wanted::check(request.wanted.as_ref())?;
        let model = scheduler.model;
        let continuations = model.continuation_tokens(&request)?;
        let start = model.start(&request.prompt)?;
        let longest = continuations.iter().map(Vec::len).max().unwrap_or(0);
        if longest > start.room {
            let tokens = start.usage.prompt_tokens + longest;
            return Err(Error::PromptTooLong { tokens, context: model.network.context() });
        }
        let positions: usize = continuations.iter().map(Vec::len).sum::<usize>() + start.own;
        let score = Score { log_prob: 0.0, tokens: 0, is_greedy: true };
        Ok(Self {
            sequences: vec![start.sequence],
            branches: Vec::new(),
            continuations: continuations.into_iter().map(|tokens| Continuation { tokens, score }).collect(),
            reserved: model.reserve(positions)?,
            wanted: request.wanted,
        })
    }

    /// Makes a sequence for each continuation that is not yet done.
    fn branch(&mut self, model: &LocalModel) {
        let Some(trunk) = self.sequences.pop() else { return };
        let trunk: SequenceCache = trunk.cache.freeze(&model.shape);
        for (number, continuation) in self.continuations.iter().enumerate() {
            let rest = continuation.tokens.len() - 1;
            if rest > 0 {
                let feed = continuation.tokens[..rest].to_vec();
                self.sequences.push(Sequence::new(trunk.clone(), feed, rest));
                self.branches.push(number);
            }
        }
    }
}

impl Job for ScoreJob {
    type Output = Vec<Score>;

    fn sequences(&mut self) -> &mut [Sequence] {
        &mut self.sequences
    }

    fn take_row(&mut self, sequence: usize, logits: &mut [f32], _: &LocalModel) -> Result<(), Error> {
        match self.branches.get(sequence) {
            Some(number) => self.continuations[*number].take(logits),
            None => self.continuations.iter_mut().for_each(|continuation| continuation.take(logits)),
        }
        Ok(())
    }

    fn advance(&mut self, model: &LocalModel) -> Option<Result<Vec<Score>, Error>> {
        let started = self.continuations.iter().all(|continuation| continuation.score.tokens > 0);
        if started && self.branches.is_empty() {
            self.branch(model);
        }
        let is_done = |continuation: &Continuation| continuation.score.tokens == continuation.tokens.len();
        let done = started && self.continuations.iter().all(is_done);
        let scores = done.then(|| Ok(self.continuations.iter().map(|continuation| continuation.score).collect()));
        scores.or_else(|| Wanted::check(self.wanted.as_ref()).err().map(Err))
    }

    fn reserved_bytes(&self) -> usize {
        self.reserved
    }

    fn width(&self) -> usize {
        self.continuations.len().max(1)
    }
}

impl LocalModel {
    /// The tokens of each continuation.
    fn continuation_tokens(&self, request: &ScoreRequest) -> Result<Vec<Vec<u32>>, Error> {
        request.continuations.iter().map(|continuation| self.tokens_behind(&request.prompt, continuation)).collect()
    }

    /// The tokens of a text behind a prompt, at least one: those that both together have behind the prompt's own. If the
    /// last token of the prompt would grow into the text, the text is encoded by itself instead, since that is what a
    /// model that continues this prompt would have to say.
    pub(super) fn tokens_behind(&self, prompt: &Prompt, text: &str) -> Result<Vec<u32>, Error> {
        let tokenizer = &self.tokenizer;
        let is_encoded_apart = self.network.decoder_start().is_some();
        let mut tokens = Vec::new();
        if matches!(prompt.form, Form::Plain) && !is_encoded_apart {
            // The end of the prompt is enough: tokens do not reach across lines.
            let whole = prompt.whole();
            let tail = whole.rfind('\n').map_or(&*whole, |at| &whole[at..]);
            let bare = tokenizer.encode(tail, false)?;
            let joined = tokenizer.encode(&format!("{tail}{text}"), false)?;
            tokens.extend(joined.strip_prefix(&bare[..]).unwrap_or_default());
        }
        if tokens.is_empty() {
            tokens = tokenizer.encode(text, false)?;
        }
        if is_encoded_apart {
            // A decoder's text is whole, so its end belongs to it.
            tokens.extend(self.tokenizer.eos());
        }
        if tokens.is_empty() { Err(Error::EmptyContinuation) } else { Ok(tokens) }
    }
}
