//! The one loop that has questions answered: what is known is found again, equal questions are asked once, answers are timed
//! and kept as they come.
//!
//! [`answer`] is the loop. Whoever has questions tells it as an [`Asker`]: [`rows()`] takes a corpus through it and gives rows in
//! the order of the documents, [`texts()`] a list of texts, [`samples::run`] what a
//! protocol asks.

mod column;
mod list;
mod memory;
mod rows;
pub mod samples;
mod summary;

pub use column::{Column, Columns};
pub use list::{Detail, texts};
pub use memory::Memory;
pub use rows::{Finished, RowError, Settings, rows, rows_of};
pub use summary::{Counts, FailOnError, Summary};

use crate::Error;
use crate::record::{Key, cell};
use rustc_hash::FxHashMap;
use saydo_corpus::Cell;
use saydo_function::Outcome;
use std::cell::RefCell;
use std::time::Instant;

/// What is called with a question's number, in order of being taken, and what came out.
pub type Done<'a> = &'a mut dyn FnMut(usize, Result<Outcome, saydo_function::Error>);

/// Whoever has questions and wants answers. All questions are of one model.
pub trait Asker {
    /// Which question it is, for the asker.
    type Tag;
    /// What goes to the model.
    type Ask;

    /// What the answer to the next question depends on, and which question it is. `None` means that there is none now: it is
    /// called again as long as anything is in flight.
    fn next(&mut self) -> Option<(Key, Self::Tag)>;

    /// The question, now that its answer is not known. An error is its answer, unless the model failed.
    fn ask(&mut self, tag: &Self::Tag) -> Result<Self::Ask, saydo_function::Error>;

    /// Whether a cell that was found can be its answer. Read back from a file, it may be anything.
    fn fits(&self, _tag: &Self::Tag, _cell: &Cell) -> bool {
        true
    }

    /// The cell of what came out after so many milliseconds.
    fn cell(&self, result: Result<Outcome, saydo_function::Error>, ms: u64) -> Cell {
        cell::of(result, ms)
    }

    /// Takes the answer, and whether it was given now.
    fn done(&mut self, tag: Self::Tag, cell: Cell, is_new: bool);
}

/// How many answers came from where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answers that were given now, equal questions counted once.
    pub computed: u64,
    /// Questions whose answers were known.
    pub found: u64,
}

/// Has the asker's questions answered by `stream`, which keeps the contract of [`saydo_function::answer_each`]. Ends when there
/// is no question and none is in flight. If the model fails as a whole, or an answer cannot be kept, no more is asked.
pub fn answer<A: Asker>(
    asker: &mut A,
    memory: &mut Memory<'_>,
    stream: impl FnOnce(&mut dyn Iterator<Item = A::Ask>, Done<'_>) -> Result<(), saydo_function::Error>,
) -> Result<Tally, Error> {
    let (flights, by_key) = (FxHashMap::default(), FxHashMap::default());
    let state =
        RefCell::new(State { asker, memory, flights, by_key, given: 0, tally: Tally::default(), failure: None });
    let mut asked = std::iter::from_fn(|| state.borrow_mut().next());
    let streamed = stream(&mut asked, &mut |number, result| state.borrow_mut().done(number, result));
    let State { flights, failure, tally, .. } = state.into_inner();
    match (failure, streamed) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(Error::Function(error)),
        (None, Ok(())) => {
            assert!(flights.is_empty(), "whoever takes a question answers it");
            Ok(tally)
        }
    }
}

struct State<'a, 'm, A: Asker> {
    asker: &'a mut A,
    memory: &'a mut Memory<'m>,
    flights: FxHashMap<usize, Flight<A::Tag>>,
    /// The flight that answers a key.
    by_key: FxHashMap<Key, usize>,
    /// How many questions were given out.
    given: usize,
    tally: Tally,
    failure: Option<Error>,
}

/// A question that is being answered.
struct Flight<T> {
    key: Key,
    since: Instant,
    /// Who waits for the answer: equal questions.
    tags: Vec<T>,
}

impl<A: Asker> State<'_, '_, A> {
    /// The next question whose answer is not known.
    fn next(&mut self) -> Option<A::Ask> {
        while self.failure.is_none() {
            let (key, tag) = self.asker.next()?;
            if let Some(flight) = self.by_key.get(&key).and_then(|flight| self.flights.get_mut(flight)) {
                flight.tags.push(tag);
            } else if let Some(cell) = self.memory.find(key, |cell| self.asker.fits(&tag, cell)) {
                self.tally.found += 1;
                self.asker.done(tag, cell, false);
            } else {
                let asked = self.asker.ask(&tag);
                let flight = Flight { key, since: Instant::now(), tags: vec![tag] };
                match asked {
                    Ok(ask) => {
                        self.by_key.insert(key, self.given);
                        self.flights.insert(self.given, flight);
                        self.given += 1;
                        return Some(ask);
                    }
                    Err(error @ saydo_function::Error::Model(_)) => self.failure = Some(Error::Function(error)),
                    Err(error) => self.land(flight, Err(error)),
                }
            }
        }
        None
    }

    fn done(&mut self, number: usize, result: Result<Outcome, saydo_function::Error>) {
        let flight = self.flights.remove(&number).expect("a question is answered once");
        self.by_key.remove(&flight.key);
        self.land(flight, result);
    }

    /// Keeps an answer, and gives it to all who wait for it.
    fn land(&mut self, flight: Flight<A::Tag>, result: Result<Outcome, saydo_function::Error>) {
        let ms = u64::try_from(flight.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let cell = self.asker.cell(result, ms);
        if let Err(error) = self.memory.keep(flight.key, &cell) {
            self.failure.get_or_insert(error);
            return;
        }
        self.tally.computed += 1;
        for tag in flight.tags {
            self.asker.done(tag, cell.clone(), true);
        }
    }
}

#[cfg(test)]
mod tests;
