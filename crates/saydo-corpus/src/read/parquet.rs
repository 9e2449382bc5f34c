//! Parquet: only the columns of the text and the id are read, some rows at a time.

mod values;

use super::column::{self, Candidate, ID};
use super::{NO_QUESTION, unreadable};
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
    question: Option<String>,
    has_id: bool,
    batch: std::vec::IntoIter<Record>,
    number: u64,
    rows: u64,
    max: u64,
    is_over: bool,
    progress: Progress,
    bytes_per_row: f64,
}

/// What is read of one row.
struct Record {
    id: Option<Value>,
    text: Option<String>,
    question: Option<String>,
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
        let mut candidates: Vec<Candidate> = fields.iter().map(|field| candidate(field)).collect();
        let question = column::choose_question(name, options.question.as_deref(), &mut candidates)?;
        let text = column::choose(name, options.column.as_deref(), &candidates)?;
        let id = fields.iter().position(|field| field.name() == ID && values::is_id(field.data_type()));
        let id = id.filter(|&id| id != text && Some(id) != question);
        let mask = ProjectionMask::roots(builder.parquet_schema(), [text].into_iter().chain(id).chain(question));
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let text_bytes: i64 = builder.metadata().row_groups().iter().map(|group| group.total_byte_size()).sum();
        let batch_rows = batch_rows(rows, u64::try_from(text_bytes).unwrap_or(0));
        let batches = builder.with_projection(mask).with_batch_size(batch_rows).build().map_err(damaged)?;
        Ok(Rows {
            batches,
            name: name.to_owned(),
            column: fields[text].name().clone(),
            question: question.map(|question| fields[question].name().clone()),
            has_id: id.is_some(),
            batch: Vec::new().into_iter(),
            number: 0,
            rows,
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
        let rows = batch.and_then(|batch| {
            self.progress.add_bytes((self.bytes_per_row * batch.num_rows() as f64) as u64);
            self.rows_of(&batch).ok_or_else(|| "the column does not hold what the table says".to_owned())
        });
        match rows {
            Ok(rows) => {
                self.batch = rows.into_iter();
                Some(Ok(()))
            }
            Err(reason) => {
                self.is_over = true;
                Some(Err(self.lost(&reason)))
            }
        }
    }

    /// Nothing behind a damage can be decoded, but it is known how much there is.
    fn lost(&self, reason: &str) -> String {
        let (first, last) = (self.number + 1, self.rows.max(self.number + 1));
        if first == last { reason.to_owned() } else { format!("rows {first} to {last}: {reason}") }
    }

    /// None if the arrays are not of the types that the schema promised.
    fn rows_of(&self, batch: &RecordBatch) -> Option<Vec<Record>> {
        let texts_of = |name: &str| values::texts(batch.column_by_name(name)?);
        let mut texts = texts_of(&self.column)?.into_iter();
        let mut questions = match &self.question {
            Some(question) => texts_of(question)?.into_iter(),
            None => Vec::new().into_iter(),
        };
        let ids = batch.column_by_name(ID).filter(|_| self.has_id).map(|array| values::ids(array)).unwrap_or_default();
        let mut ids = ids.into_iter();
        let record =
            |_| Record { id: ids.next().flatten(), text: texts.next().flatten(), question: questions.next().flatten() };
        Some((0..batch.num_rows()).map(record).collect())
    }

    fn document(&self, record: Record) -> Result<Document, Unreadable> {
        let source = format!("{}:{}", self.name, self.number);
        let id = record.id.unwrap_or_else(|| Value::from(source.as_str()));
        let null = |column: &str| format!("column `{column}` is null, expected text");
        let reason = match (record.text, &self.question, record.question) {
            (None, _, _) => null(&self.column),
            (Some(text), _, _) if text.len() as u64 > self.max => super::too_large(self.max),
            (Some(_), Some(column), None) => null(column),
            (Some(_), Some(_), Some(question)) if question.trim().is_empty() => NO_QUESTION.to_owned(),
            (Some(text), _, question) => return Ok(Document { id, source, text, question }),
        };
        Err(Unreadable { id, source, reason })
    }
}

impl Iterator for Rows {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.batch.next() {
                self.number += 1;
                return Some(self.document(record));
            }
            if self.is_over {
                return None;
            }
            let refilled = self.refill().or_else(|| {
                self.is_over = true;
                (self.number < self.rows).then(|| Err(self.lost("there is no more, as the table says there should be")))
            });
            if let Err(reason) = refilled? {
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
