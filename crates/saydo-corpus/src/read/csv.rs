//! Comma- and tab-separated tables with a header. Quoted cells may hold line breaks.

use super::column::{self, Candidate, ID};
use super::metered::{Meter, Metered};
use super::{io_reason, not_utf8, too_large, unreadable};
use crate::{Document, Error, Unreadable};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use serde_json::Value;
use std::io::{self, Read};

/// The documents of a table.
pub struct Rows<R> {
    reader: Reader<Metered<R>>,
    meter: Meter,
    record: ByteRecord,
    name: String,
    text: usize,
    id: Option<usize>,
    number: u64,
    is_over: bool,
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    pub fn open(stream: R, delimiter: u8, name: String, max: u64, wanted: Option<&str>) -> Result<Rows<R>, Error> {
        let meter = Meter::default();
        let metered = Metered::new(stream, meter.clone(), max, too_large(max));
        let mut reader = ReaderBuilder::new().delimiter(delimiter).buffer_capacity(64 * 1024).from_reader(metered);
        let header = reader.byte_headers().map_err(|error| table_error(&name, error))?;
        let named = |cell: &[u8]| Candidate { name: String::from_utf8_lossy(cell).into_owned(), other: None };
        let columns: Vec<Candidate> = header.iter().map(named).collect();
        let is_over = columns.is_empty();
        let text = if is_over { 0 } else { column::choose(&name, wanted, &columns)? };
        let id = columns.iter().position(|column| column.name == ID).filter(|&id| id != text);
        Ok(Rows { reader, meter, record: ByteRecord::new(), name, text, id, number: 0, is_over })
    }

    /// Reads the next record; none after the last.
    fn read(&mut self) -> Option<Result<(), String>> {
        self.meter.mark();
        self.number += 1;
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(error) => Some(Err(match error.kind() {
                ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("the row has {len} cells, expected {expected_len} as in the header")
                }
                ErrorKind::Io(error) => {
                    self.is_over = true;
                    io_reason(error)
                }
                _ => error.to_string(),
            })),
        }
    }

    fn document(&self, source: String) -> Result<Document, Unreadable> {
        let cell = |place: usize| std::str::from_utf8(self.record.get(place).unwrap_or_default());
        let id = self.id.and_then(|place| cell(place).ok()).filter(|id| !id.is_empty());
        let id = Value::from(id.unwrap_or(&source));
        match cell(self.text) {
            Ok(text) => Ok(Document { id, source, text: text.to_owned() }),
            Err(error) => Err(Unreadable { id, source, reason: not_utf8(error) }),
        }
    }
}

impl<R: Read> Iterator for Rows<R> {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.read()?;
        let source = format!("{}:{}", self.name, self.number);
        Some(match read {
            Ok(()) => self.document(source),
            Err(reason) => Err(Unreadable::new(source, reason)),
        })
    }
}

fn table_error(name: &str, error: csv::Error) -> Error {
    match error.into_kind() {
        ErrorKind::Io(error) => unreadable(name, error),
        other => unreadable(name, io::Error::new(io::ErrorKind::InvalidData, format!("{other:?}"))),
    }
}
