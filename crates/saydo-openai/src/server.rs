//! One of the servers of a model: where it is, what it turned out to be unable to do, and how it fares.

use crate::address::Address;
use crate::backoff;
use crate::concurrency::Concurrency;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;
use tokio::sync::OnceCell;

/// So many failures in a row that may be the server's own set it aside.
const MAX_FAILURES: u32 = 3;

/// A server.
pub(crate) struct Server {
    pub(crate) index: usize,
    pub(crate) address: Address,
    /// It refuses `logprobs` when it generates.
    pub(crate) without_log_probs: Switch,
    /// It gives no list of likely first tokens.
    pub(crate) without_first_tokens: Switch,
    /// It wants `max_completion_tokens` in place of `max_tokens`.
    pub(crate) renamed_max_tokens: Switch,
    /// How it takes a schema.
    pub(crate) schema: SchemaWay,
    /// Whether it is vLLM; found out when it matters.
    pub(crate) is_vllm: OnceCell<bool>,
}

impl Server {
    pub(crate) fn new(index: usize, address: Address) -> Self {
        Self {
            index,
            address,
            without_log_probs: Switch::default(),
            without_first_tokens: Switch::default(),
            renamed_max_tokens: Switch::default(),
            schema: SchemaWay::default(),
            is_vllm: OnceCell::new(),
        }
    }
}

/// How a server is told the schema of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum SchemaForm {
    /// `response_format` of type `json_schema`.
    JsonSchema,
    /// As part of `json_object`, an older way.
    JsonObject,
    /// Not at all: the reply is read as it comes.
    Nothing,
}

/// What was learned about that: it only ever goes down the list.
#[derive(Default)]
pub(crate) struct SchemaWay(AtomicU8);

impl SchemaWay {
    pub(crate) fn form(&self) -> SchemaForm {
        match self.0.load(Ordering::Relaxed) {
            0 => SchemaForm::JsonSchema,
            1 => SchemaForm::JsonObject,
            _ => SchemaForm::Nothing,
        }
    }

    pub(crate) fn lower_to(&self, form: SchemaForm) {
        self.0.fetch_max(form as u8, Ordering::Relaxed);
    }
}

/// Something learned about a server, for good.
#[derive(Default)]
pub(crate) struct Switch(AtomicBool);

impl Switch {
    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn turn_on(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a server did in a model's service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Its address, without what it hides.
    pub url: String,
    /// Requests it answered.
    pub answered: u64,
    /// Attempts that failed there.
    pub failed: u64,
    /// How often it was set aside.
    pub set_aside: u64,
    /// Requests it would be given at once now.
    pub limit: usize,
}

/// How a server fares; changed under the pool's lock.
pub(crate) struct State {
    pub(crate) concurrency: Concurrency,
    pub(crate) in_flight: usize,
    /// The next request's number.
    pub(crate) next: u64,
    pub(crate) answered: u64,
    pub(crate) failed: u64,
    pub(crate) set_aside: u64,
    failures_in_a_row: u32,
    /// Times it was set aside or found dead since it last answered.
    setbacks: u32,
    /// If it is set aside: when it may be looked at again.
    aside_until: Option<Duration>,
    is_probed: bool,
}

/// What a failed attempt says about its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// Nothing: it was the request's fault.
    None,
    /// It has too much to do.
    Overload,
    /// It took too long: overload, or worse.
    Silence,
    /// Something is wrong with it, perhaps only once.
    Fault,
    /// It cannot be used at all.
    Absence,
}

impl State {
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            concurrency: Concurrency::new(bound),
            in_flight: 0,
            next: 0,
            answered: 0,
            failed: 0,
            set_aside: 0,
            failures_in_a_row: 0,
            setbacks: 0,
            aside_until: None,
            is_probed: false,
        }
    }

    pub(crate) fn is_up(&self) -> bool {
        self.aside_until.is_none()
    }

    pub(crate) fn free(&self) -> usize {
        self.concurrency.limit().saturating_sub(self.in_flight)
    }

    pub(crate) fn succeed(&mut self, latency: Duration, was_full: bool) {
        self.answered += 1;
        (self.failures_in_a_row, self.setbacks, self.aside_until) = (0, 0, None);
        self.concurrency.answered(latency, was_full);
    }

    /// Takes note of a failure of request `number`. `seed` varies the time a server is left alone.
    pub(crate) fn fail(&mut self, blame: Blame, number: u64, now: Duration, seed: u64) {
        self.failed += 1;
        if matches!(blame, Blame::Overload | Blame::Silence) {
            self.concurrency.overloaded(number, self.next);
        }
        self.failures_in_a_row += u32::from(matches!(blame, Blame::Silence | Blame::Fault));
        if blame == Blame::Absence || self.failures_in_a_row >= MAX_FAILURES {
            self.put_aside(now, seed);
        }
    }

    fn put_aside(&mut self, now: Duration, seed: u64) {
        if self.is_up() {
            self.set_aside += 1;
            self.setbacks += 1;
        }
        self.failures_in_a_row = 0;
        self.aside_until = Some(now + backoff::respite(seed, self.setbacks.saturating_sub(1)));
    }

    /// Whether it is time to look whether it is back; if so, the caller looks and says what it [found](Self::probed).
    pub(crate) fn wants_probe(&mut self, now: Duration) -> bool {
        let is_due = !self.is_probed && self.aside_until.is_some_and(|until| now >= until);
        self.is_probed |= is_due;
        is_due
    }

    pub(crate) fn probed(&mut self, is_back: bool, now: Duration, seed: u64) {
        self.is_probed = false;
        if is_back {
            self.aside_until = None;
        } else {
            self.setbacks += 1;
            self.put_aside(now, seed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_server_that_is_absent_is_set_aside_at_once_and_looked_at_again_ever_more_rarely() {
        let mut state = State::new(8);
        state.fail(Blame::Absence, 0, Duration::ZERO, 1);
        assert!(!state.is_up() && !state.wants_probe(Duration::ZERO));
        let (mut now, mut waits) = (Duration::ZERO, Vec::new());
        for _ in 0..12 {
            let before = now;
            while !state.wants_probe(now) {
                now += SECOND / 10;
            }
            assert!(!state.wants_probe(now), "one look at a time");
            state.probed(false, now, 1);
            waits.push((now - before).as_secs_f64());
        }
        assert!(waits[0] < 1.1 && waits[11] > 14.0 && waits.iter().all(|wait| *wait < 30.2), "{waits:?}");
        state.probed(true, now, 1);
        assert!(state.is_up() && state.set_aside == 1);
    }

    #[test]
    fn faults_set_it_aside_only_in_a_row_and_overload_never() {
        let mut state = State::new(8);
        for number in 0..9 {
            state.fail(Blame::Overload, number, SECOND, 1);
            state.fail(Blame::None, number, SECOND, 1);
        }
        for blame in [Blame::Fault, Blame::Silence] {
            state.fail(blame, 9, SECOND, 1);
        }
        state.succeed(SECOND, false);
        state.fail(Blame::Fault, 10, SECOND, 1);
        state.fail(Blame::Fault, 11, SECOND, 1);
        assert!(state.is_up());
        state.fail(Blame::Silence, 12, SECOND, 1);
        assert!(!state.is_up());
        assert_eq!((state.answered, state.failed, state.set_aside), (1, 23, 1));
        state.succeed(SECOND, false);
        assert!(state.is_up(), "whoever answers is there");
    }

    #[test]
    fn a_schema_is_told_in_ever_plainer_ways() {
        let way = SchemaWay::default();
        assert_eq!(way.form(), SchemaForm::JsonSchema);
        way.lower_to(SchemaForm::Nothing);
        way.lower_to(SchemaForm::JsonObject);
        assert_eq!(way.form(), SchemaForm::Nothing);
    }
}
