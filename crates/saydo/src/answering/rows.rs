//! A corpus through the loop: documents are taken as the model has room for them, rows come out in the documents' order.
//!
//! Only documents whose row is not out yet are in memory, and there are at most [`Settings::window`] of them.

use super::column::{Column, Columns};
use super::memory::Memory;
use super::summary::{FailOnError, Summary};
use super::{Asker, answer};
use crate::Error;
use crate::record::{Key, cell};
use saydo_corpus::{Cell, Document, Row, Unreadable};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// Documents longer than this together fill the queue, however few they are.
const MAX_BYTES: usize = 64 << 20;

/// How a run goes about it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model's name, for the rows.
    pub model: String,
    /// When to give up. Default: never.
    pub fail_on_error: Option<FailOnError>,
    /// How many documents may be in memory at most. Default: 512.
    pub window: usize,
}

impl Settings {
    /// The defaults, for a model of this name.
    pub fn new(model: impl Into<String>) -> Self {
        Self { model: model.into(), fail_on_error: None, window: 512 }
    }
}

/// A row that is ready.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The row.
    pub row: &'a Row,
    /// The document; its text is empty if it could not be read.
    pub document: &'a Document,
    /// Whether anything of it was computed now, and not only read back.
    pub is_new: bool,
}

/// What a caller's own function said when it was given a row.
pub type RowError = Box<dyn std::error::Error + Send + Sync>;

/// Applies the columns' functions to the documents and calls `each` with every row, in the documents' order.
///
/// Once `stop` is set no further document is taken: those in flight are finished and recorded, rows that are complete
/// come out, and the summary says that it was interrupted. The same holds if `each` or the memory fails, or if a
/// function fails as a whole, and then the error is given back.
pub fn rows(
    columns: &[Column<'_>],
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    memory: &mut Memory<'_>,
    settings: &Settings,
    stop: &AtomicBool,
    each: &mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
) -> Result<Summary, Error> {
    rows_of(&Columns::of(columns), documents, memory, settings, stop, each)
}

/// The same for columns whose answers come from anywhere.
pub fn rows_of<Q>(
    columns: &Columns<'_, Q>,
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    memory: &mut Memory<'_>,
    settings: &Settings,
    stop: &AtomicBool,
    each: &mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
) -> Result<Summary, Error> {
    let mut queue = Queue::new(columns, documents, settings, stop, each);
    let mut answered = Ok(());
    // One turn is enough for a model that asks for more while anything is in flight.
    while answered.is_ok() && !queue.is_over() {
        answered = answer(&mut queue, memory, |questions, done| (columns.stream)(questions, done))
            .map(|tally| queue.summary.computed += tally.computed);
    }
    let synced = memory.sync();
    // What the queue met came before whatever the loop said about it.
    queue.failure.map_or(Ok(()), Err)?;
    answered?;
    synced?;
    queue.summary.interrupted = !queue.is_drained || !queue.slots.is_empty();
    Ok(queue.summary)
}

/// Documents between being read and being a row.
struct Queue<'a, Q> {
    columns: &'a Columns<'a, Q>,
    documents: &'a mut dyn Iterator<Item = Result<Document, Unreadable>>,
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
    /// The slot and column that are to be looked at next.
    next: (usize, usize),
    failure: Option<Error>,
    summary: Summary,
}

/// A document and what is known of its row.
struct Slot {
    document: Document,
    cells: Vec<Option<Cell>>,
    is_new: bool,
}

impl<Q> Asker for Queue<'_, Q> {
    /// The number of a slot and of a column.
    type Tag = (usize, usize);
    type Ask = Q;

    /// All columns come to one document before the next.
    fn next(&mut self) -> Option<(Key, Self::Tag)> {
        while !self.is_stopped() {
            let (number, column) = self.next;
            if column == self.columns.keys.len() || number < self.first {
                // A row that is out needs no further column.
                self.next = ((number + 1).max(self.first), 0);
                continue;
            }
            if number == self.first + self.slots.len() && !self.take_document() {
                return None;
            }
            self.next.1 += 1;
            let slot = &self.slots[number - self.first];
            if slot.cells[column].is_none() {
                return Some((self.columns.keys[column].of(&slot.document.asked()), (number, column)));
            }
            self.put_out();
        }
        None
    }

    fn ask(&mut self, (number, column): &Self::Tag) -> Result<Q, saydo_function::Error> {
        (self.columns.ask)(*column, &self.slots[number - self.first].document)
    }

    fn fits(&self, (number, column): &Self::Tag, cell: &Cell) -> bool {
        (self.columns.fits)(*column, cell, &self.slots[number - self.first].document.text)
    }

    fn done(&mut self, (number, column): Self::Tag, cell: Cell, is_new: bool) {
        let slot = &mut self.slots[number - self.first];
        slot.cells[column] = Some(cell);
        slot.is_new |= is_new;
        self.put_out();
    }
}

impl<'a, Q> Queue<'a, Q> {
    fn new(
        columns: &'a Columns<'a, Q>,
        documents: &'a mut dyn Iterator<Item = Result<Document, Unreadable>>,
        settings: &'a Settings,
        stop: &'a AtomicBool,
        each: &'a mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
    ) -> Self {
        Self {
            columns,
            documents,
            settings,
            stop,
            each,
            slots: VecDeque::new(),
            first: 0,
            bytes: 0,
            is_drained: false,
            next: (0, 0),
            failure: None,
            summary: Summary::new(columns.keys.len()),
        }
    }

    /// Reads one more document into the queue, if there is room.
    fn take_document(&mut self) -> bool {
        if self.is_drained || self.slots.len() >= self.settings.window.max(1) || self.bytes > MAX_BYTES {
            return false;
        }
        let Some(document) = self.documents.next() else {
            // Documents that end because of the stop have not come to their end.
            self.is_drained = !self.stop.load(Ordering::Relaxed);
            return false;
        };
        let slot = Slot::new(document, self.columns.keys.len());
        self.bytes += slot.document.text.len();
        self.slots.push_back(slot);
        true
    }

    /// Puts out the rows at the front that are complete.
    fn put_out(&mut self) {
        while self.slots.front().is_some_and(Slot::is_complete) && self.failure.is_none() {
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
                self.failure = Some(Error::Row(error));
                return;
            }
            let bound = self.settings.fail_on_error.filter(|bound| bound.is_reached(&self.summary));
            if let Some(bound) = bound {
                let (failed, rows) = (self.summary.rows_failed, self.summary.rows);
                self.failure = Some(Error::TooManyFailed { failed, rows, bound });
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.failure.is_some() || self.stop.load(Ordering::Relaxed)
    }

    /// Whether there is nothing left to do.
    fn is_over(&self) -> bool {
        self.is_stopped() || self.is_drained && self.slots.is_empty()
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
