//! A job of either kind, so that replies and scores share one batch.

use super::LocalModel;
use super::reply::ReplyJob;
use super::schedule::{Job, Scheduler};
use super::score::ScoreJob;
use super::sequence::Sequence;
use crate::Error;
use crate::model::{AnyReply, AnyRequest};

/// A request for a reply or for scores.
pub(super) enum AnyJob {
    Reply(ReplyJob),
    Score(ScoreJob),
}

impl AnyJob {
    pub fn start<J: Job>(request: AnyRequest, scheduler: &mut Scheduler<'_, J>) -> Result<Self, Error> {
        Ok(match request {
            AnyRequest::Generate(request) => Self::Reply(ReplyJob::start(request, scheduler)?),
            AnyRequest::Score(request) => Self::Score(ScoreJob::start(request, scheduler)?),
        })
    }
}

impl Job for AnyJob {
    type Output = AnyReply;

    fn sequences(&mut self) -> &mut [Sequence] {
        match self {
            Self::Reply(job) => job.sequences(),
            Self::Score(job) => job.sequences(),
        }
    }

    fn take_row(&mut self, sequence: usize, logits: &mut [f32], model: &LocalModel) -> Result<(), Error> {
        match self {
            Self::Reply(job) => job.take_row(sequence, logits, model),
            Self::Score(job) => job.take_row(sequence, logits, model),
        }
    }

    fn advance(&mut self, model: &LocalModel) -> Option<Result<AnyReply, Error>> {
        match self {
            Self::Reply(job) => job.advance(model).map(|result| result.map(AnyReply::Reply)),
            Self::Score(job) => job.advance(model).map(|result| result.map(AnyReply::Scores)),
        }
    }

    fn reserved_bytes(&self) -> usize {
        match self {
            Self::Reply(job) => job.reserved_bytes(),
            Self::Score(job) => job.reserved_bytes(),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Reply(job) => job.width(),
            Self::Score(job) => job.width(),
        }
    }
}
