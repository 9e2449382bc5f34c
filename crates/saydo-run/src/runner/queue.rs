//! Documents between being read and being a row.

use super::summary::Summary;
use super::{Finished, RowError, Settings};
use crate::{Column, Error, Key, Ledger, cell};
use rustc_hash::{FxHashMap, FxHashSet};
use saydo_corpus::{Cell, Document, Row, Status, Unreadable};
use saydo_function::Outcome;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Documents longer than this together fill the queue, however few they are.
const MAX_BYTES: usize = 64 << 20;

pub(super) struct Queue<'a> {
    columns: &'a [Column<'a>],
    documents: &'a mut dyn Iterator<Item = Result<Document, Unreadable>>,
    ledger: &'a mut Ledger,
    settings: &'a Settings,
    stop: &'a AtomicBool,
    each: &'a mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
    /// Documents whose row is not out yet, in order.
    slots: VecDeque<Slot>,
    /// The number of the first slot, counted over the whole run.
    first: usize,
    /// Bytes of text in the slots.
    bytes: usize,
    /// Whether there are no more documents.
    is_drained: bool,
    /// The columns whose turn it is, and the slot and column that are to be looked at next.
    turn: Range<usize>,
    next: usize,
    column: usize,
    /// How many texts were given out in this turn.
    given: usize,
    flights: FxHashMap<usize, Flight>,
    /// The flight that answers a key.
    by_key: FxHashMap<Key, usize>,
    /// Keys that failed in this run: they are not tried twice.
    failed: FxHashSet<Key>,
    failure: Option<Error>,
    summary: Summary,
}

/// A document and what is known of its row.
struct Slot {
    document: Document,
    cells: Vec<Option<Cell>>,
    is_new: bool,
}

/// A text that a column's function is at work on.
struct Flight {
    column: usize,
    key: Key,
    since: Instant,
    /// The slots that wait for it: documents with the same text.
    slots: Vec<usize>,
}

impl<'a> Queue<'a> {
    pub(super) fn new(
        columns: &'a [Column<'a>],
        documents: &'a mut dyn Iterator<Item = Result<Document, Unreadable>>,
        ledger: &'a mut Ledger,
        settings: &'a Settings,
        stop: &'a AtomicBool,
        each: &'a mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
    ) -> Self {
        Self {
            columns,
            documents,
            ledger,
            settings,
            stop,
            each,
            slots: VecDeque::new(),
            first: 0,
            bytes: 0,
            is_drained: false,
            turn: 0..0,
            next: 0,
            column: 0,
            given: 0,
            flights: FxHashMap::default(),
            by_key: FxHashMap::default(),
            failed: FxHashSet::default(),
            failure: None,
            summary: Summary::new(columns.len()),
        }
    }

    /// Makes it some columns' turn.
    pub(super) fn begin(&mut self, columns: Range<usize>) {
        (self.column, self.next, self.given) = (columns.start, self.first, 0);
        self.turn = columns;
    }

    /// The next text that is to be answered, with its column; none if there is none now. All columns whose turn it is come to
    /// one document before the next.
    pub(super) fn next_text(&mut self) -> Option<(usize, Arc<str>)> {
        while !self.is_stopped() {
            // A row that is out needs no further column.
            if self.column == self.turn.end || self.next < self.first {
                (self.next, self.column) = ((self.next + 1).max(self.first), self.turn.start);
            }
            if self.next == self.first + self.slots.len() && !self.take_document() {
                return None;
            }
            let column = self.column;
            self.column += 1;
            if let Some(text) = self.look_up(self.next, column) {
                return Some((column, text));
            }
            self.put_out();
        }
        None
    }

    /// Reads one more document into the queue, if it is the first column's turn and there is room.
    fn take_document(&mut self) -> bool {
        if self.turn.start > 0
            || self.is_drained
            || self.slots.len() >= self.settings.window.max(1)
            || self.bytes > MAX_BYTES
        {
            return false;
        }
        let Some(document) = self.documents.next() else {
            // Documents that end because of the stop have not come to their end.
            self.is_drained = !self.stop.load(Ordering::Relaxed);
            return false;
        };
        let slot = Slot::new(document, self.columns.len());
        self.bytes += slot.document.text.len();
        self.slots.push_back(slot);
        true
    }

    /// Fills the column's cell of a slot if it is known; otherwise gives the text, or has the slot wait for an equal one.
    fn look_up(&mut self, number: usize, column: usize) -> Option<Arc<str>> {
        let slot = &mut self.slots[number - self.first];
        if slot.cells[column].is_some() {
            return None;
        }
        let asked = slot.document.asked();
        let key = self.columns[column].keys.of(&asked);
        if let Some(flight) = self.by_key.get(&key).and_then(|flight| self.flights.get_mut(flight)) {
            flight.slots.push(number);
            return None;
        }
        let is_failed = matches!(self.ledger.status(key), Some(Status::Unparsable | Status::Failed));
        if !(is_failed && self.settings.retry_errors && !self.failed.contains(&key))
            && let Some(cell) = self.ledger.read(key)
        {
            if self.columns[column].fits(&cell, &slot.document.text) {
                slot.cells[column] = Some(cell);
                return None;
            }
            self.ledger.reject(key);
        }
        self.by_key.insert(key, self.given);
        self.flights.insert(self.given, Flight { column, key, since: Instant::now(), slots: vec![number] });
        self.given += 1;
        Some(Arc::from(&*asked))
    }

    /// Takes what a function gave for one of its texts: records it, then puts out the rows that are complete by it.
    pub(super) fn done(&mut self, index: usize, result: Result<Outcome, saydo_function::Error>) {
        let flight = self.flights.remove(&index).expect("a function answers each text once");
        self.by_key.remove(&flight.key);
        let ms = u64::try_from(flight.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let cell = cell::of(result, ms);
        if matches!(cell.status, Status::Unparsable | Status::Failed) {
            self.failed.insert(flight.key);
        }
        if let Err(error) = self.ledger.record(flight.key, &cell) {
            self.fail(error);
        }
        self.summary.computed += 1;
        for number in flight.slots {
            let slot = &mut self.slots[number - self.first];
            slot.cells[flight.column] = Some(cell.clone());
            slot.is_new = true;
        }
        self.put_out();
    }

    /// Ends the columns' turn.
    pub(super) fn end(&mut self, applied: Result<(), saydo_function::Error>) {
        match applied {
            Ok(()) => assert!(self.flights.is_empty(), "a function answers every text it takes"),
            Err(error) => self.fail(Error::Function(error)),
        }
        self.flights.clear();
        self.by_key.clear();
        self.put_out();
    }

    /// Puts out the rows at the front that are complete.
    fn put_out(&mut self) {
        while self.slots.front().is_some_and(Slot::is_complete) && !self.is_failed() {
            let Some(slot) = self.slots.pop_front() else { return };
            self.first += 1;
            let Slot { document, cells, is_new } = slot;
            self.bytes -= document.text.len();
            let row = Row {
                id: document.id.clone(),
                source: document.source.clone(),
                model: self.settings.model.clone(),
                cells: cells.into_iter().flatten().collect(),
            };
            self.summary.add(&row);
            if let Err(error) = (self.each)(Finished { row: &row, document: &document, is_new }) {
                self.fail(Error::Row(error));
            }
            let bound = self.settings.fail_on_error.filter(|bound| bound.is_reached(&self.summary));
            if let Some(bound) = bound {
                let (failed, rows) = (self.summary.rows_failed, self.summary.rows);
                self.fail(Error::TooManyFailed { failed, rows, bound });
            }
        }
    }

    /// Remembers the first thing that went wrong.
    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    fn is_failed(&self) -> bool {
        self.failure.is_some()
    }

    fn is_stopped(&self) -> bool {
        self.is_failed() || self.stop.load(Ordering::Relaxed)
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_over(&self) -> bool {
        self.is_stopped() || self.is_drained && self.slots.is_empty()
    }

    /// What came of it all.
    pub(super) fn finish(mut self) -> Result<Summary, Error> {
        let synced = self.ledger.sync();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        synced?;
        self.summary.interrupted = !self.is_drained || !self.slots.is_empty();
        Ok(self.summary)
    }
}

impl Slot {
    fn new(document: Result<Document, Unreadable>, columns: usize) -> Self {
        let (document, cell) = match document {
            Ok(document) => (document, None),
            Err(unreadable) => {
                let cell = cell::unreadable(&unreadable);
                let Unreadable { id, source, .. } = unreadable;
                (Document { id, source, text: String::new(), question: None }, Some(cell))
            }
        };
        Self { document, cells: vec![cell; columns], is_new: false }
    }

    fn is_complete(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }
}
