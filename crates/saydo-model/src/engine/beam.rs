//! Beam search, step for step as Hugging Face's `generate` does it, so that its published results can be had again.
//!
//! Each step looks at the best continuations of all beams together, twice as many as there are beams. Those that end
//! compete for a place among the finished replies if they are among the first `width`; the best others go on.

use super::LocalModel;
use super::schedule::{Job, Scheduler};
use super::sequence::Sequence;
use super::text::ReplyText;
use crate::Error;
use crate::cache::SequenceCache;
use crate::kernel::ops;
use crate::model::{Finish, Reply, Request, Strategy, Usage};
use saydo_guide::Guide;

/// One reply by beam search.
pub(super) struct BeamJob {
    width: usize,
    length_penalty: f64,
    early_stopping: bool,
    /// How many continuations a step looks at.
    looked_at: usize,
    most_tokens: usize,
    usage: Usage,
    reserved: usize,
    /// One for each beam; at first one, for the prompt.
    sequences: Vec<Sequence>,
    beams: Vec<Beam>,
    /// Continuations of the beams whose logits came in this step.
    candidates: Vec<Candidate>,
    rows_taken: usize,
    finished: Vec<Finished>,
    /// Tokens generated so far by every beam.
    len: usize,
}

/// A reply that is being made.
#[derive(Clone)]
struct Beam {
    score: f64,
    tokens: Vec<u32>,
    text: ReplyText,
    guide: Option<Guide>,
}

/// A continuation of a beam by one token.
#[derive(Clone, Copy)]
struct Candidate {
    beam: usize,
    token: u32,
    score: f64,
}

/// A candidate with what its token leads to.
struct Step {
    candidate: Candidate,
    beam: Beam,
    finish: Option<Finish>,
}

/// A complete reply.
struct Finished {
    /// Divided by its length to the power of the penalty.
    score: f64,
    beam: Beam,
    finish: Finish,
}

impl BeamJob {
    pub fn start<J: Job>(request: &Request, scheduler: &mut Scheduler<'_, J>) -> Result<Self, Error> {
        let Strategy::Beam { width, length_penalty, early_stopping } = request.decoding.strategy else {
            unreachable!("a beam job is made of a request for beam search")
        };
        if width == 0 || !length_penalty.is_finite() {
            return Err(Error::BeamSearch { width, length_penalty });
        }
        let model = scheduler.model;
        let guide = model.guide(request)?;
        let start = model.start(&request.prompt)?;
        let most_tokens = model.most_tokens(&request.decoding, start.room)?.max(1);
        let ends = model.tokenizer.roles().ends.len();
        Ok(Self {
            width,
            length_penalty,
            early_stopping,
            looked_at: (1 + ends).max(2) * width,
            most_tokens,
            usage: start.usage,
            reserved: model.reserve(start.own + width * most_tokens)?,
            sequences: vec![start.sequence],
            beams: vec![Beam { score: 0.0, tokens: Vec::new(), text: model.reply_text(&request.decoding), guide }],
            candidates: Vec::new(),
            rows_taken: 0,
            finished: Vec::new(),
            len: 0,
        })
    }

    pub fn sequences(&mut self) -> &mut [Sequence] {
        &mut self.sequences
    }

    pub fn reserved_bytes(&self) -> usize {
        self.reserved
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// Notes the best continuations of one beam.
    pub fn take_row(&mut self, beam: usize, logits: &mut [f32], model: &LocalModel) -> Result<(), Error> {
        model.forced.apply(self.len, self.most_tokens, logits);
        let total = ops::log_sum_exp(logits);
        if let Some(guide) = &mut self.beams[beam].guide {
            guide.mask(logits)?;
        }
        let before = self.beams[beam].score;
        let mut best: Vec<Candidate> = (0..)
            .zip(logits.iter())
            .filter(|(_, logit)| **logit > f32::NEG_INFINITY)
            .map(|(token, logit)| Candidate { beam, token, score: before + f64::from(logit - total) })
            .collect();
        if best.len() > self.looked_at {
            best.select_nth_unstable_by(self.looked_at - 1, Candidate::order);
            best.truncate(self.looked_at);
        }
        self.candidates.extend(best);
        self.rows_taken += 1;
        Ok(())
    }

    /// Makes a step once the logits of all beams are there. The reply, when the search is over.
    pub fn advance(&mut self, model: &LocalModel) -> Option<Result<Reply, Error>> {
        if self.rows_taken < self.beams.len() {
            return None;
        }
        self.rows_taken = 0;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(Candidate::order);
        candidates.truncate(self.looked_at);
        if candidates.is_empty() && self.finished.is_empty() {
            return Some(Err(Error::NoToken));
        }
        let steps = candidates.into_iter().map(|candidate| self.step(candidate, model));
        let steps = match steps.collect::<Result<Vec<Step>, Error>>() {
            Ok(steps) => steps,
            Err(error) => return Some(Err(error)),
        };
        self.finish(&steps);
        self.len += 1;
        let all_end = steps.iter().all(|step| step.finish.is_some());
        self.go_on(steps.into_iter().filter(|step| step.finish.is_none()), model);
        (all_end || self.is_over()).then(|| self.reply())
    }

    /// What a candidate leads to.
    fn step(&self, candidate: Candidate, model: &LocalModel) -> Result<Step, Error> {
        let mut beam = self.beams[candidate.beam].clone();
        beam.score = candidate.score;
        beam.tokens.push(candidate.token);
        if model.tokenizer.is_end(candidate.token) {
            return Ok(Step { candidate, beam, finish: Some(Finish::End) });
        }
        let stopped = beam.text.push(candidate.token, &model.tokenizer);
        let mut finish = stopped.then_some(Finish::Stop);
        if let Some(guide) = beam.guide.as_mut().filter(|_| !stopped) {
            guide.accept(candidate.token)?;
            finish = guide.is_finished().then_some(Finish::End);
        }
        if finish.is_none() && self.len + 1 >= self.most_tokens {
            finish = Some(Finish::Length);
        }
        Ok(Step { candidate, beam, finish })
    }

    /// Lets the steps that end, among the first `width`, compete with the replies finished before.
    fn finish(&mut self, steps: &[Step]) {
        if self.early_stopping && self.finished.len() == self.width {
            return;
        }
        let penalty = ((self.len + 1) as f64).powf(self.length_penalty);
        for step in steps.iter().take(self.width) {
            if let Some(finish) = step.finish {
                let score = step.candidate.score / penalty;
                self.finished.push(Finished { score, beam: step.beam.clone(), finish });
            }
        }
        self.finished.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.finished.truncate(self.width);
    }

    /// Whether nothing that still runs can or may change the finished replies.
    fn is_over(&self) -> bool {
        let Some(best) = self.beams.first() else { return true };
        if self.finished.len() < self.width {
            return false;
        }
        let hope = best.score / (self.len as f64).powf(self.length_penalty);
        self.early_stopping || self.finished.last().is_none_or(|worst| hope <= worst.score)
    }

    /// Makes the best steps that did not end the new beams.
    fn go_on(&mut self, steps: impl Iterator<Item = Step>, model: &LocalModel) {
        if self.len == 1 {
            // The prompt is behind the first sequence: from here on all beams share it.
            self.sequences =
                self.sequences.drain(..).map(|s| Sequence::new(s.cache.freeze(&model.shape), Vec::new(), 0)).collect();
        }
        let mut next: Vec<(SequenceCache, Beam, u32)> = Vec::with_capacity(self.width);
        for step in steps.take(self.width) {
            let cache = self.sequences[step.candidate.beam].cache.clone();
            next.push((cache, step.beam, step.candidate.token));
        }
        self.sequences.clear();
        self.beams.clear();
        for (cache, beam, token) in next {
            self.sequences.push(Sequence::new(cache, vec![token], 1));
            self.beams.push(beam);
        }
    }

    fn reply(&mut self) -> Result<Reply, Error> {
        let Finished { beam, finish, .. } = self.finished.drain(..).next().ok_or(Error::NoToken)?;
        let usage = Usage { reply_tokens: beam.tokens.len(), ..self.usage };
        let (text, log_prob) = (beam.text.into_text(), Some(beam.score));
        Ok(Reply { text, tokens: beam.tokens, finish, log_prob, first_log_prob: None, opening_log_odds: None, usage })
    }
}

impl Candidate {
    /// The more likely first; of equals, the earlier beam and the smaller token.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let place = |candidate: &Self| (candidate.beam, candidate.token);
        other.score.total_cmp(&self.score).then(place(self).cmp(&place(other)))
    }
}
