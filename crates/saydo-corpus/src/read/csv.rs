//! Comma- and tab-separated tables with a header. Quoted cells may hold line breaks.

mod line;
pub(super) mod record;

use super::column::{self, Candidate, ID};
use super::{Bad, NO_QUESTION, not_utf8, unreadable};
use crate::{Document, Error, Options, Unreadable};
use record::Records;
use serde_json::Value;
use std::io::BufRead;

/// The documents of a table.
pub struct Rows<R> {
    records: Records<R>,
    name: String,
    columns: usize,
    text: usize,
    question: Option<usize>,
    id: Option<usize>,
    number: u64,
    is_over: bool,
}

impl<R: BufRead> Rows<R> {
    /// Reads the header.
    pub fn open(stream: R, delimiter: u8, name: String, options: &Options) -> Result<Rows<R>, Error> {
        let mut records = Records::new(stream, delimiter, options.max_document_bytes);
        let header = records.read().unwrap_or(Ok(())).map_err(|bad| match bad {
            Bad::Row(reason) => Error::Damaged { path: name.clone(), reason: format!("its header: {reason}") },
            Bad::Stream(error) => unreadable(&name, error),
        });
        header?;
        let named = |cell: &[u8]| Candidate { name: String::from_utf8_lossy(cell).into_owned(), other: None };
        let mut columns: Vec<Candidate> = records.cells().map(named).collect();
        let is_over = columns.is_empty();
        let (mut question, mut text) = (None, 0);
        if !is_over {
            question = column::choose_question(&name, options.question.as_deref(), &mut columns)?;
            text = column::choose(&name, options.column.as_deref(), &columns)?;
        }
        let id = columns.iter().position(|column| column.name == ID).filter(|&id| id != text && Some(id) != question);
        Ok(Rows { records, name, columns: columns.len(), text, question, id, number: 0, is_over })
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
        match (cell(self.text), self.question.map(cell).transpose()) {
            (Ok(_), Ok(Some(question))) if question.trim().is_empty() => {
                Err(Unreadable { id, source, reason: NO_QUESTION.to_owned() })
            }
            (Ok(text), Ok(question)) => {
                Ok(Document { id, source, text: text.to_owned(), question: question.map(str::to_owned) })
            }
            (Err(error), _) | (_, Err(error)) => Err(Unreadable { id, source, reason: not_utf8(error) }),
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
