//! Comma- and tab-separated tables with a header. Quoted cells may hold line breaks.

mod line;
mod record;

use super::column::{self, Candidate, ID};
use super::{Bad, not_utf8, unreadable};
use crate::{Document, Error, Unreadable};
use record::Records;
use serde_json::Value;
use std::io::BufRead;

/// The documents of a table.
pub struct Rows<R> {
    records: Records<R>,
    name: String,
    columns: usize,
    text: usize,
    id: Option<usize>,
    number: u64,
    is_over: bool,
}

impl<R: BufRead> Rows<R> {
    /// Reads the header.
    pub fn open(stream: R, delimiter: u8, name: String, max: u64, wanted: Option<&str>) -> Result<Rows<R>, Error> {
        let mut records = Records::new(stream, delimiter, max);
        let header = records.read().unwrap_or(Ok(())).map_err(|bad| match bad {
            Bad::Row(reason) => Error::Damaged { path: name.clone(), reason: format!("its header: {reason}") },
            Bad::Stream(error) => unreadable(&name, error),
        });
        header?;
        let named = |cell: &[u8]| Candidate { name: String::from_utf8_lossy(cell).into_owned(), other: None };
        let columns: Vec<Candidate> = records.cells().map(named).collect();
        let is_over = columns.is_empty();
        let text = if is_over { 0 } else { column::choose(&name, wanted, &columns)? };
        let id = columns.iter().position(|column| column.name == ID).filter(|&id| id != text);
        Ok(Rows { records, name, columns: columns.len(), text, id, number: 0, is_over })
    }

    fn document(&self, source: String) -> Result<Document, Unreadable> {
        let found = self.records.cells().len();
        if found != self.columns {
            let (columns, place) = (self.columns, self.records.place());
            let cells = if found == 1 { "cell" } else { "cells" };
            let reason = format!("{place}: the row has {found} {cells}, expected {columns} as in the header");
            return Err(Unreadable::new(source, reason));
        }
        let cell = |place: usize| std::str::from_utf8(self.records.cells().nth(place).unwrap_or_default());
        let id = self.id.and_then(|place| cell(place).ok()).filter(|id| !id.is_empty());
        let id = Value::from(id.unwrap_or(&source));
        match cell(self.text) {
            Ok(text) => Ok(Document { id, source, text: text.to_owned() }),
            Err(error) => Err(Unreadable { id, source, reason: not_utf8(error) }),
        }
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.records.read()?;
        self.number += 1;
        let source = format!("{}:{}", self.name, self.number);
        Some(match read {
            Ok(()) => self.document(source),
            Err(bad) => {
                self.is_over = matches!(bad, Bad::Stream(_));
                Err(Unreadable::new(source, bad.reason()))
            }
        })
    }
}
