//! Requests that wait for the model.

use super::Event;
use crate::failure::{Answered, Failure};
use saydo_model::{Reply, Request};
use saydo_task::Task;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// One request.
pub(super) enum Job {
    /// A task applied to texts. Those with equal keys are answered by one function.
    Apply { key: String, task: Box<Task>, texts: Vec<Arc<str>>, out: mpsc::UnboundedSender<Event> },
    /// A prompt continued.
    Generate { request: Box<Request>, out: oneshot::Sender<Answered<Reply>> },
}

impl Job {
    /// What can be answered together has the same.
    fn key(&self) -> Option<&str> {
        match self {
            Job::Apply { key, .. } => Some(key),
            Job::Generate { .. } => None,
        }
    }

    /// Whether nobody waits for it any more.
    fn is_abandoned(&self) -> bool {
        match self {
            Job::Apply { out, .. } => out.is_closed(),
            Job::Generate { out, .. } => out.is_closed(),
        }
    }
}

/// The queue.
pub(super) struct Queue {
    state: Mutex<State>,
    arrived: Condvar,
    most: usize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    is_closed: bool,
    /// Seconds that a group took, on average of late.
    pace: f64,
}

impl Queue {
    pub(super) fn new(most: usize) -> Self {
        Self { state: Mutex::default(), arrived: Condvar::new(), most }
    }

    /// Lets a request wait, or says when to come back.
    pub(super) fn push(&self, job: Job) -> Answered<()> {
        let mut state = self.state();
        if state.jobs.len() >= self.most {
            state.jobs.retain(|job| !job.is_abandoned());
        }
        if state.jobs.len() >= self.most {
            // Requests for one task go together, so the queue is shorter than it looks; half a minute is patience enough.
            let wait = (state.pace * state.jobs.len() as f64 / 4.0).ceil().clamp(1.0, 30.0);
            return Err(Failure::Busy(wait as u64));
        }
        state.jobs.push_back(job);
        drop(state);
        self.arrived.notify_one();
        Ok(())
    }

    /// The request that waited longest with all that can be answered along with it; none once the queue is closed.
    pub(super) fn next(&self) -> Option<Vec<Job>> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(first) = state.jobs.pop_front() {
                let (like, others): (VecDeque<Job>, VecDeque<Job>) =
                    std::mem::take(&mut state.jobs).into_iter().partition(|job| job.key() == first.key());
                state.jobs = others;
                return Some(std::iter::once(first).chain(like).filter(|job| !job.is_abandoned()).collect());
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes how long a group took.
    pub(super) fn took(&self, seconds: f64) {
        let mut state = self.state();
        state.pace = 0.8 * state.pace + 0.2 * seconds;
    }

    /// How many wait; those whose clients have gone are let go.
    pub(super) fn len(&self) -> usize {
        let mut state = self.state();
        state.jobs.retain(|job| !job.is_abandoned());
        state.jobs.len()
    }

    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.arrived.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(key: &str) -> (Job, mpsc::UnboundedReceiver<Event>) {
        let (out, receiver) = mpsc::unbounded_channel();
        (Job::Apply { key: key.to_owned(), task: Box::default(), texts: Vec::new(), out }, receiver)
    }

    #[test]
    fn requests_for_one_task_go_together_and_the_others_keep_their_turn() {
        let queue = Queue::new(8);
        let (jobs, _receivers): (Vec<_>, Vec<_>) = ["a", "b", "a", "c"].into_iter().map(job).unzip();
        jobs.into_iter().for_each(|job| queue.push(job).unwrap());
        let keys = |jobs: Vec<Job>| jobs.iter().filter_map(|job| job.key().map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(keys(queue.next().unwrap()), ["a", "a"]);
        assert_eq!(keys(queue.next().unwrap()), ["b"]);
        assert_eq!(queue.len(), 1);
    }

    #[test]
    fn a_full_queue_refuses_and_forgets_whoever_has_gone() {
        let queue = Queue::new(1);
        let (first, receiver) = job("a");
        queue.push(first).unwrap();
        let (second, _second) = job("a");
        assert_eq!(queue.push(second), Err(Failure::Busy(1)));
        drop(receiver);
        let (third, _third) = job("a");
        assert_eq!(queue.push(third), Ok(()));
        queue.close();
        assert!(queue.next().is_none());
    }
}
