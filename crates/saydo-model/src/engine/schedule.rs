//! The loop that keeps a batch full: jobs join, share passes, and leave when they are done.

use super::LocalModel;
use super::sequence::Sequence;
use crate::Error;
use crate::kernel::Pool;
use crate::nn::{CachedRows, Pass, with_values};
use candle_core::{Device, Tensor};

/// Rows whose logits are computed together: a bound on memory, since a row of logits is as wide as the vocabulary.
const LOGIT_ROWS: usize = 32;
/// A sequence with so few rows to compute is waiting for its next token, and goes first.
const SHORT: usize = 4;

/// What a request became.
pub(super) trait Job {
    /// What it gives in the end.
    type Output;

    /// Its sequences, those in flight and those that wait.
    fn sequences(&mut self) -> &mut [Sequence];

    /// Takes the logits of the next wanted row of sequence number `sequence`. The logits may be changed.
    fn take_row(&mut self, sequence: usize, logits: &mut [f32], model: &LocalModel) -> Result<(), Error>;

    /// Called when all rows of a pass were taken: sequences may be added, dropped or fed here. The result, once known.
    fn advance(&mut self, model: &LocalModel) -> Option<Result<Self::Output, Error>>;

    /// The most bytes of keys and values its sequences will have taken.
    fn reserved_bytes(&self) -> usize;

    /// How many sequences it runs at most.
    fn width(&self) -> usize;
}

/// A job in flight.
struct Running<J> {
    index: usize,
    job: J,
}

/// The jobs of one call.
pub(super) struct Scheduler<'m, J> {
    pub model: &'m LocalModel,
    running: Vec<Running<J>>,
    /// A job that was made but finds no room yet.
    waiting: Option<Running<J>>,
    taken: usize,
}

impl<'m, J: Job> Scheduler<'m, J> {
    pub fn new(model: &'m LocalModel) -> Self {
        Self { model, running: Vec::new(), waiting: None, taken: 0 }
    }

    /// Runs all requests, each of which `start` makes a job of.
    pub fn run<R>(
        mut self,
        requests: &mut dyn Iterator<Item = R>,
        start: impl Fn(R, &mut Self) -> Result<J, Error>,
        done: &mut dyn FnMut(usize, Result<J::Output, Error>),
    ) -> Result<(), Error> {
        loop {
            self.admit(requests, &start, done);
            if self.running.is_empty() {
                return Ok(());
            }
            self.step(done);
        }
    }

    /// Takes requests in while there is room.
    fn admit<R>(
        &mut self,
        requests: &mut dyn Iterator<Item = R>,
        start: &impl Fn(R, &mut Self) -> Result<J, Error>,
        done: &mut dyn FnMut(usize, Result<J::Output, Error>),
    ) {
        loop {
            if let Some(waiting) = self.waiting.take() {
                if !self.has_room(&waiting.job) {
                    self.waiting = Some(waiting);
                    return;
                }
                self.running.push(waiting);
            }
            if self.sequences() >= self.model.settings.most_sequences() {
                return;
            }
            let Some(request) = requests.next() else { return };
            let index = self.taken;
            self.taken += 1;
            match start(request, self) {
                Ok(job) => self.waiting = Some(Running { index, job }),
                Err(error) => done(index, Err(error)),
            }
        }
    }

    fn sequences(&self) -> usize {
        self.running.iter().map(|running| running.job.width()).sum()
    }

    /// Whether a job fits beside those that run; prefixes that nobody uses make way. Alone, any job may run: it was
    /// held against the budget when it was made.
    fn has_room(&self, job: &J) -> bool {
        if self.running.is_empty() {
            return true;
        }
        let settings = &self.model.settings;
        let reserved: usize = self.running.iter().map(|running| running.job.reserved_bytes()).sum();
        let prefixes = self.model.lock_prefixes().bytes();
        self.sequences() + job.width() <= settings.most_sequences()
            && reserved + prefixes + job.reserved_bytes() <= settings.cache_bytes
    }

    /// One pass over the rows of all jobs.
    fn step(&mut self, done: &mut dyn FnMut(usize, Result<J::Output, Error>)) {
        let counts = self.plan();
        let failed = match compute(self.model, &mut self.running, &counts) {
            Ok(failed) => failed,
            Err(error) => {
                // A pass that fails leaves caches half filled: none of its jobs can go on.
                let message = error.to_string();
                for running in self.running.drain(..) {
                    done(running.index, Err(Error::Pass { message: message.clone() }));
                }
                return;
            }
        };
        self.note_peak();
        let mut still_running = Vec::with_capacity(self.running.len());
        for (mut running, failed) in self.running.drain(..).zip(failed) {
            match failed.map(Err).or_else(|| running.job.advance(self.model)) {
                Some(result) => done(running.index, result),
                None => still_running.push(running),
            }
        }
        self.running = still_running;
    }

    /// How many rows each sequence of each job computes in the next pass: those that wait for their next token
    /// first, then long prompts in order, up to the limit of a pass.
    fn plan(&mut self) -> Vec<Vec<usize>> {
        let waiting: Vec<Vec<usize>> =
            self.running.iter_mut().map(|r| r.job.sequences().iter().map(Sequence::waiting).collect()).collect();
        let short: usize = waiting.iter().flatten().filter(|rows| **rows <= SHORT).sum();
        let mut room = self.model.settings.rows_per_pass.saturating_sub(short).max(1);
        let mut take = |rows: usize| {
            if rows <= SHORT {
                return rows;
            }
            let taken = rows.min(room);
            room -= taken;
            taken
        };
        waiting.into_iter().map(|rows| rows.into_iter().map(&mut take).collect()).collect()
    }

    fn note_peak(&mut self) {
        let own: usize = self
            .running
            .iter_mut()
            .flat_map(|running| running.job.sequences().iter().map(|sequence| sequence.cache.own.bytes()))
            .sum();
        self.model.lock_prefixes().note_peak(own);
    }
}

/// Computes the planned rows and hands out logits. Gives, for each job, the error its own logits led to.
fn compute<J: Job>(
    model: &LocalModel,
    running: &mut [Running<J>],
    counts: &[Vec<usize>],
) -> Result<Vec<Option<Error>>, Error> {
    let (mut tokens, mut rows, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (running, counts)) in running.iter_mut().zip(counts).enumerate() {
        for (place, (sequence, count)) in running.job.sequences().iter_mut().zip(counts).enumerate() {
            if *count == 0 {
                continue;
            }
            let (taken, logits) = sequence.take(*count);
            tokens.extend(taken);
            wanted.extend((tokens.len() - logits..tokens.len()).map(|row| (number, place, row)));
            rows.push(CachedRows { cache: &mut sequence.cache, rows: *count });
        }
    }
    let hidden = model.network.hidden(&tokens, &mut Pass::cached(&model.pool, rows))?;
    let mut failed: Vec<Option<Error>> = running.iter().map(|_| None).collect();
    for wanted in wanted.chunks(LOGIT_ROWS) {
        let mut logits = logits(model, &hidden, wanted.iter().map(|(_, _, row)| *row as u32).collect(), &model.pool)?;
        let width = logits.len() / wanted.len();
        for ((number, place, _), logits) in wanted.iter().zip(logits.chunks_mut(width)) {
            if failed[*number].is_none() {
                failed[*number] = running[*number].job.take_row(*place, logits, model).err();
            }
        }
    }
    Ok(failed)
}

/// Logits of some rows, shape (rows, vocabulary).
fn logits(model: &LocalModel, hidden: &Tensor, rows: Vec<u32>, pool: &Pool) -> Result<Vec<f32>, Error> {
    let rows = Tensor::new(rows, &Device::Cpu)?;
    let logits = model.network.logits(&hidden.index_select(&rows, 0)?, pool)?;
    with_values(&logits, |logits| logits.to_vec())
}
