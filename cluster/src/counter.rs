//! What a process has done, as numbers that only grow.

use saydo_model::{AnyReply, AnyRequest, Error, Model, Reply, Request, Score, ScoreRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests that the model was given, for whatever purpose.
    pub model_calls: u64,
    /// Answers that the model gave.
    pub computed: u64,
    /// Answers that were given before and found again.
    pub found: u64,
    /// Texts that got no answer: the model failed, or its reply could not be read.
    pub failed: u64,
}

/// Numbers that several threads add to.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) model_calls: AtomicU64,
    pub(crate) computed: AtomicU64,
    pub(crate) found: AtomicU64,
    pub(crate) failed: AtomicU64,
}

impl Counters {
    pub(crate) fn counts(&self) -> Counts {
        let now = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            model_calls: now(&self.model_calls),
            computed: now(&self.computed),
            found: now(&self.found),
            failed: now(&self.failed),
        }
    }
}

/// Adds to a number.
pub(crate) fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

/// A model whose requests are counted.
pub(crate) struct Counted {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) counters: Arc<Counters>,
}

impl Model for Counted {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        self.model.generate_each(&mut requests.inspect(|_| add(&self.counters.model_calls, 1)), done)
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        self.model.score_each(&mut requests.inspect(|_| add(&self.counters.model_calls, 1)), done)
    }

    fn answer_each(
        &self,
        requests: &mut dyn Iterator<Item = AnyRequest>,
        done: &mut dyn FnMut(usize, Result<AnyReply, Error>),
    ) -> Result<(), Error> {
        self.model.answer_each(&mut requests.inspect(|_| add(&self.counters.model_calls, 1)), done)
    }
}
