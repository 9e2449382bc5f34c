//! A reply made token by token, greedily or at random.

use super::LocalModel;
use super::beam::BeamJob;
use super::choice::Choice;
use super::schedule::{Job, Scheduler};
use super::sequence::Sequence;
use super::text::ReplyText;
use crate::Error;
use crate::cache::SequenceCache;
use crate::kernel::ops;
use crate::model::{Decoding, Finish, MaxTokens, Opening, Prompt, Reply, Request, Strategy, Usage, Wanted, log_odds};
use saydo_guide::Guide;

/// A request for a reply.
pub(super) struct ReplyJob {
    pub kind: ReplyKind,
    /// Whether anybody still waits for it.
    pub wanted: Option<Wanted>,
}

/// How a reply is made.
pub(super) enum ReplyKind {
    Single(Box<SingleJob>),
    Beam(Box<BeamJob>),
}

impl Job for ReplyJob {
    type Output = Reply;

    fn sequences(&mut self) -> &mut [Sequence] {
        match &mut self.kind {
            ReplyKind::Single(job) => std::slice::from_mut(&mut job.sequence),
            ReplyKind::Beam(job) => job.sequences(),
        }
    }

    fn take_row(&mut self, sequence: usize, logits: &mut [f32], model: &LocalModel) -> Result<(), Error> {
        match &mut self.kind {
            ReplyKind::Single(job) => job.take_row(logits, model),
            ReplyKind::Beam(job) => job.take_row(sequence, logits, model),
        }
    }

    fn advance(&mut self, model: &LocalModel) -> Option<Result<Reply, Error>> {
        let reply = match &mut self.kind {
            ReplyKind::Single(job) => job.finished.take().map(Ok),
            ReplyKind::Beam(job) => job.advance(model),
        };
        reply.or_else(|| Wanted::check(self.wanted.as_ref()).err().map(Err))
    }

    fn reserved_bytes(&self) -> usize {
        match &self.kind {
            ReplyKind::Single(job) => job.reserved,
            ReplyKind::Beam(job) => job.reserved_bytes(),
        }
    }

    fn width(&self) -> usize {
        match &self.kind {
            ReplyKind::Single(_) => 1,
            ReplyKind::Beam(job) => job.width(),
        }
    }
}

impl ReplyJob {
    pub fn start<J: Job>(request: Request, scheduler: &mut Scheduler<'_, J>) -> Result<Self, Error> {
        Wanted::check(request.wanted.as_ref())?;
        let kind = match request.decoding.strategy {
            Strategy::Beam { .. } => ReplyKind::Beam(BeamJob::start(&request, scheduler)?.into()),
            _ => ReplyKind::Single(SingleJob::start(&request, scheduler)?.into()),
        };
        Ok(Self { kind, wanted: request.wanted })
    }
}

/// Where every kind of job starts: the prompt's tokens behind what is shared of them.
pub(super) struct Start {
    /// A sequence that computes the rest of the prompt and wants the logits of its last row.
    pub sequence: Sequence,
    /// Tokens in, and those found computed.
    pub usage: Usage,
    /// Positions that are not shared.
    pub own: usize,
    /// Positions that a reply may take before the context is full.
    pub room: usize,
}

impl LocalModel {
    /// Encodes a prompt, finds or computes its prefix or its encoded input, and makes a sequence of the rest.
    pub(super) fn start(&self, prompt: &Prompt) -> Result<Start, Error> {
        let prompt = self.prompt_tokens(prompt)?;
        let context = self.network.context();
        let prompt_tokens = prompt.tokens.len();
        if let Some(first) = self.network.decoder_start() {
            let source = self.network.source(&prompt.tokens, self.shape.precision, &self.pool);
            let source = source.expect("a network with a start token has an encoder")?;
            let cache = SequenceCache::new(&self.shape, Vec::new(), Some(source.into()));
            let usage = Usage { prompt_tokens, ..Usage::default() };
            let sequence = Sequence::new(cache, vec![first], 1);
            return Ok(Start { sequence, usage, own: prompt_tokens + 1, room: context - 1 });
        }
        let shared = self.share(&prompt.tokens, prompt.shared)?;
        let usage = Usage { prompt_tokens, cached_tokens: shared.found, reply_tokens: 0 };
        let rest = prompt.tokens[shared.len..].to_vec();
        let own = rest.len();
        let sequence = Sequence::new(SequenceCache::new(&self.shape, shared.runs, None), rest, 1);
        Ok(Start { sequence, usage, own, room: context - prompt_tokens })
    }

    /// The greatest number of tokens of a reply, at most `room`.
    pub(super) fn most_tokens(&self, decoding: &Decoding, room: usize) -> Result<usize, Error> {
        let asked = match &decoding.max_tokens {
            MaxTokens::Count(count) => *count,
            MaxTokens::Beyond { text, plus } => self.tokenizer.encode(text, false)?.len() + plus,
        };
        Ok(asked.min(room))
    }

    /// Bytes of `positions` keys and values; an error if the budget could never hold them.
    pub(super) fn reserve(&self, positions: usize) -> Result<usize, Error> {
        let (needed, budget) = (positions * self.shape.bytes_per_position(), self.settings.cache_bytes);
        if needed > budget { Err(Error::CacheBudget { needed, budget }) } else { Ok(needed) }
    }

    /// An empty text for a reply.
    pub(super) fn reply_text(&self, decoding: &Decoding) -> ReplyText {
        let strips = self.network.decoder_start().is_some() && self.tokenizer.has_space_prefix();
        ReplyText::new(&decoding.stop, strips)
    }

    /// A request's opening with its first token.
    fn opening(&self, request: &Request) -> Result<Option<(Opening, u32)>, Error> {
        let Some(opening) = &request.opening else { return Ok(None) };
        let tokens = self.tokens_behind(&request.prompt, &opening.text)?;
        Ok(Some((opening.clone(), tokens[0])))
    }

    /// A reply's constraint, ready to guide it.
    pub(super) fn guide(&self, request: &Request) -> Result<Option<Guide>, Error> {
        let Some(constraint) = &request.constraint else { return Ok(None) };
        Ok(Some(Guide::new(self.vocabulary()?, constraint)?))
    }
}

/// One reply.
pub(super) struct SingleJob {
    sequence: Sequence,
    choice: Choice,
    guide: Option<Guide>,
    text: ReplyText,
    tokens: Vec<u32>,
    log_prob: f64,
    first_log_prob: Option<f64>,
    /// The opening with its first token, until that is decided.
    opening: Option<(Opening, u32)>,
    opening_log_odds: Option<f64>,
    usage: Usage,
    min_tokens: usize,
    most_tokens: usize,
    reserved: usize,
    finished: Option<Reply>,
}

impl SingleJob {
    pub fn start<J: Job>(request: &Request, scheduler: &mut Scheduler<'_, J>) -> Result<Self, Error> {
        let model = scheduler.model;
        let choice = Choice::new(request.decoding.strategy)?;
        let guide = model.guide(request)?;
        let start = model.start(&request.prompt)?;
        let most_tokens = model.most_tokens(&request.decoding, start.room)?;
        let mut job = Self {
            sequence: start.sequence,
            choice,
            guide,
            text: model.reply_text(&request.decoding),
            tokens: Vec::new(),
            log_prob: 0.0,
            first_log_prob: None,
            opening: model.opening(request)?,
            opening_log_odds: None,
            usage: start.usage,
            min_tokens: request.decoding.min_tokens,
            most_tokens,
            reserved: model.reserve(start.own + most_tokens)?,
            finished: None,
        };
        if most_tokens == 0 {
            job.finish(Finish::Length);
        }
        Ok(job)
    }

    fn take_row(&mut self, logits: &mut [f32], model: &LocalModel) -> Result<(), Error> {
        if self.finished.is_some() {
            return Ok(());
        }
        model.forced.apply(self.tokens.len(), self.most_tokens, logits);
        let total = ops::log_sum_exp(logits);
        if let Some((opening, token)) = self.opening.take() {
            let log_prob = f64::from(logits[token as usize]) - f64::from(total);
            let log_odds = log_odds(log_prob);
            self.opening_log_odds = Some(log_odds);
            if opening.is_given(log_odds) {
                (self.tokens, self.log_prob) = (vec![token], log_prob);
                self.usage.reply_tokens = 1;
                self.finish_with(opening.text, Finish::End);
                return Ok(());
            }
            logits[token as usize] = f32::NEG_INFINITY;
        }
        if self.tokens.len() < self.min_tokens {
            let ends = &model.tokenizer.roles().ends;
            ends.iter().for_each(|end| logits.get_mut(*end as usize).into_iter().for_each(|l| *l = f32::NEG_INFINITY));
        }
        if let Some(guide) = &mut self.guide {
            guide.mask(logits)?;
        }
        let token = self.choice.choose(logits).ok_or(Error::NoToken)?;
        self.log_prob += f64::from(logits[token as usize]) - f64::from(total);
        self.first_log_prob.get_or_insert(self.log_prob);
        self.accept(token, model)
    }

    fn accept(&mut self, token: u32, model: &LocalModel) -> Result<(), Error> {
        self.tokens.push(token);
        self.usage.reply_tokens = self.tokens.len();
        if model.tokenizer.is_end(token) {
            self.finish(Finish::End);
            return Ok(());
        }
        if self.text.push(token, &model.tokenizer) {
            self.finish(Finish::Stop);
            return Ok(());
        }
        if let Some(guide) = &mut self.guide {
            guide.accept(token)?;
            if guide.is_finished() {
                self.finish(Finish::End);
                return Ok(());
            }
        }
        if self.usage.reply_tokens >= self.most_tokens {
            self.finish(Finish::Length);
        } else {
            self.sequence.feed(vec![token]);
        }
        Ok(())
    }

    fn finish(&mut self, finish: Finish) {
        self.finish_with(self.text.clone().into_text(), finish);
    }

    fn finish_with(&mut self, text: String, finish: Finish) {
        let tokens = std::mem::take(&mut self.tokens);
        let (log_prob, usage) = (Some(self.log_prob), self.usage);
        let (first_log_prob, opening_log_odds) = (self.first_log_prob, self.opening_log_odds);
        self.finished = Some(Reply { text, tokens, finish, log_prob, first_log_prob, opening_log_odds, usage });
    }
}
