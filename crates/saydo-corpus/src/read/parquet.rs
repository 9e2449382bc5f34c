//! Parquet: only the columns of the text and the id are read, some rows at a time.

mod values;

use super::column::{self, Candidate, ID};
use super::unreadable;
use crate::input::{Place, SharedInput, file_for_seeking, file_from_stream};
use crate::{Document, Error, Options, Progress, Unreadable};
use arrow_array::RecordBatch;
use arrow_schema::Field;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// About how many bytes of text are held at a time.
const BATCH_BYTES: u64 = 8 << 20;
const BATCH_ROWS: u64 = 1024;

/// The documents of a table.
pub struct Rows {
    batches: ParquetRecordBatchReader,
    name: String,
    column: String,
    has_id: bool,
    batch: std::vec::IntoIter<(Option<Value>, Option<String>)>,
    number: u64,
    max: u64,
    is_over: bool,
    progress: Progress,
    bytes_per_row: f64,
}

impl Rows {
    /// Opens the table at a place.
    pub fn open(place: &Place, options: &Options, stdin: SharedInput, progress: &Progress) -> Result<Rows, Error> {
        let failed = |source| unreadable(&place.name, source);
        // What has to be unpacked first is counted then, not row by row.
        let unpacking = Progress::default();
        let file = file_for_seeking(place, stdin, &unpacking).map_err(failed)?;
        progress.add_bytes(unpacking.bytes_read());
        let left = place.bytes.saturating_sub(unpacking.bytes_read());
        Rows::from_file(file, &place.name, options, progress.clone(), left)
    }

    /// Opens a table that comes through standard input.
    pub fn from_stream(place: &Place, options: &Options, stream: impl Read) -> Result<Rows, Error> {
        let file = file_from_stream(stream).map_err(|source| unreadable(&place.name, source))?;
        Rows::from_file(file, &place.name, options, Progress::default(), 0)
    }

    fn from_file(file: File, name: &str, options: &Options, progress: Progress, bytes: u64) -> Result<Rows, Error> {
        guarded(|| Rows::try_from_file(file, name, options, progress, bytes))
            .unwrap_or_else(|reason| Err(Error::Damaged { path: name.to_owned(), reason }))
    }

    fn try_from_file(file: File, name: &str, options: &Options, progress: Progress, bytes: u64) -> Result<Rows, Error> {
        let damaged = |error: ParquetError| damaged(name, &error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
        let fields = builder.schema().fields().clone();
        let candidates: Vec<Candidate> = fields.iter().map(|field| candidate(field)).collect();
        let text = column::choose(name, options.column.as_deref(), &candidates)?;
        let id = fields.iter().position(|field| field.name() == ID && values::is_id(field.data_type()));
        let id = id.filter(|&id| id != text);
        let mask = ProjectionMask::roots(builder.parquet_schema(), [text].into_iter().chain(id));
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let text_bytes: i64 = builder.metadata().row_groups().iter().map(|group| group.total_byte_size()).sum();
        let batch_rows = batch_rows(rows, u64::try_from(text_bytes).unwrap_or(0));
        let batches = builder.with_projection(mask).with_batch_size(batch_rows).build().map_err(damaged)?;
        Ok(Rows {
            batches,
            name: name.to_owned(),
            column: fields[text].name().clone(),
            has_id: id.is_some(),
            batch: Vec::new().into_iter(),
            number: 0,
            max: options.max_document_bytes,
            is_over: false,
            progress,
            bytes_per_row: bytes as f64 / rows.max(1) as f64,
        })
    }

    /// Gets the next rows; none after the last.
    fn refill(&mut self) -> Option<Result<(), String>> {
        let batch = match guarded(|| self.batches.next()) {
            Ok(next) => next?.map_err(|error| error.to_string()),
            Err(reason) => Err(reason),
        };
        let batch = match batch {
            Ok(batch) => batch,
            Err(reason) => {
                self.is_over = true;
                return Some(Err(reason));
            }
        };
        self.progress.add_bytes((self.bytes_per_row * batch.num_rows() as f64) as u64);
        self.batch = self.rows(&batch).into_iter();
        Some(Ok(()))
    }

    fn rows(&self, batch: &RecordBatch) -> Vec<(Option<Value>, Option<String>)> {
        let column = |name: &str| batch.column_by_name(name);
        let texts = column(&self.column).and_then(|array| values::texts(array)).unwrap_or_default();
        let ids = column(ID).filter(|_| self.has_id).map(|array| values::ids(array)).unwrap_or_default();
        texts.into_iter().enumerate().map(|(row, text)| (ids.get(row).cloned().flatten(), text)).collect()
    }

    fn document(&self, id: Option<Value>, text: Option<String>) -> Result<Document, Unreadable> {
        let source = format!("{}:{}", self.name, self.number);
        let id = id.unwrap_or_else(|| Value::from(source.as_str()));
        match text {
            Some(text) if text.len() as u64 > self.max => {
                Err(Unreadable { id, source, reason: super::too_large(self.max) })
            }
            Some(text) => Ok(Document { id, source, text }),
            None => Err(Unreadable { id, source, reason: format!("column `{}` is null, expected text", self.column) }),
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((id, text)) = self.batch.next() {
                self.number += 1;
                return Some(self.document(id, text));
            }
            if self.is_over {
                return None;
            }
            if let Err(reason) = self.refill()? {
                return Some(Err(Unreadable::new(format!("{}:{}", self.name, self.number + 1), reason)));
            }
        }
    }
}

/// Does what may panic: the decoder does, on some damaged files. What it was working on must not be used again then.
fn guarded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(decode)).map_err(|_| "the Parquet data is damaged".to_owned())
}

/// How many rows to hold at a time, by how large they are on average.
fn batch_rows(rows: u64, bytes: u64) -> usize {
    let row_bytes = (bytes / rows.max(1)).max(1);
    (BATCH_BYTES / row_bytes).clamp(1, BATCH_ROWS) as usize
}

fn candidate(field: &Field) -> Candidate {
    let is_text = values::is_text(field.data_type());
    Candidate { name: field.name().clone(), other: (!is_text).then(|| format!("values of type {}", field.data_type())) }
}

fn damaged(name: &str, error: &ParquetError) -> Error {
    let reason = match error {
        ParquetError::EOF(_) | ParquetError::NeedMoreData(_) => "not a whole Parquet file: it is cut short".to_owned(),
        ParquetError::General(said) | ParquetError::NYI(said) => format!("not a whole Parquet file: {said}"),
        other => format!("not a whole Parquet file: {other}"),
    };
    Error::Damaged { path: name.to_owned(), reason }
}
