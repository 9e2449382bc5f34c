//! The servers of a model together: which one a request goes to, and who looks whether one that was set aside is back.

use crate::server::{Blame, Server, State, Tally};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Says how much time has passed since some moment; an argument, so that tests need not wait.
pub(crate) type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The servers of a model.
pub(crate) struct Pool {
    pub(crate) servers: Vec<Server>,
    states: Mutex<Vec<State>>,
    freed: Notify,
    clock: Clock,
    seed: u64,
}

/// A request's place at a server, given back when dropped.
pub(crate) struct Place<'a> {
    pool: &'a Pool,
    pub(crate) server: &'a Server,
    number: u64,
    was_full: bool,
    begun: Duration,
}

impl Pool {
    pub(crate) fn new(servers: Vec<Server>, bound: usize, clock: Clock, seed: u64) -> Self {
        let states = servers.iter().map(|_| State::new(bound)).collect();
        Self { servers, states: Mutex::new(states), freed: Notify::new(), clock, seed }
    }

    /// Waits for a place at a server that is up, the one with most room first; `tried` ones are left out. If all others
    /// are set aside, at one of those: somebody has to find out.
    ///
    /// `probe` is called with every server that should be looked at; it answers by [`Self::probed`].
    pub(crate) async fn place(&self, tried: &[usize], probe: &(dyn Fn(usize) + Send + Sync)) -> Place<'_> {
        loop {
            // Waiting begins before looking, so that a place freed in between is not missed.
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            let (place, due) = self.look(tried);
            due.into_iter().for_each(probe);
            match place {
                Some(place) => return place,
                None => freed.await,
            }
        }
    }

    /// A place if there is room, and the servers that it is time to look at.
    fn look(&self, tried: &[usize]) -> (Option<Place<'_>>, Vec<usize>) {
        let now = (self.clock)();
        let mut states = self.states();
        let any_up = states.iter().enumerate().any(|(index, state)| state.is_up() && !tried.contains(&index));
        let due = if any_up {
            (0..states.len()).filter(|index| states[*index].wants_probe(now)).collect()
        } else {
            Vec::new()
        };
        let open = (0..states.len()).filter(|index| !tried.contains(index));
        let usable = open.filter(|index| states[*index].is_up() == any_up && states[*index].free() > 0);
        let best = usable.max_by_key(|index| (states[*index].free(), std::cmp::Reverse(*index)));
        let place = best.map(|index| {
            let state = &mut states[index];
            let number = state.next;
            state.next += 1;
            state.in_flight += 1;
            Place { pool: self, server: &self.servers[index], number, was_full: state.free() == 0, begun: now }
        });
        (place, due)
    }

    /// Whether a server that was not tried is up.
    pub(crate) fn has_other(&self, tried: &[usize]) -> bool {
        self.states().iter().enumerate().any(|(index, state)| state.is_up() && !tried.contains(&index))
    }

    /// Takes note of whether a server that was looked at is back.
    pub(crate) fn probed(&self, index: usize, is_back: bool) {
        self.states()[index].probed(is_back, (self.clock)(), self.seed ^ index as u64);
        self.freed.notify_waiters();
    }

    pub(crate) fn tallies(&self) -> Vec<Tally> {
        let states = self.states();
        let tally = |(server, state): (&Server, &State)| Tally {
            url: server.address.shown(),
            answered: state.answered,
            failed: state.failed,
            set_aside: state.set_aside,
            limit: state.concurrency.limit(),
        };
        self.servers.iter().zip(states.iter()).map(tally).collect()
    }

    fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place<'_> {
    pub(crate) fn succeeded(&self) {
        let latency = (self.pool.clock)().saturating_sub(self.begun);
        self.pool.states()[self.server.index].succeed(latency, self.was_full);
    }

    pub(crate) fn failed(&self, blame: Blame) {
        let (now, seed) = ((self.pool.clock)(), self.pool.seed ^ self.server.index as u64);
        self.pool.states()[self.server.index].fail(blame, self.number, now, seed);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let state = &mut self.pool.states()[self.server.index];
        state.in_flight = state.in_flight.saturating_sub(1);
        self.pool.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
