//! Rows as a Parquet table with typed columns, written some rows at a time.

mod builders;

use super::Column;
use super::answer::plain;
use super::target::Target;
use crate::Row;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use builders::CellBuilder;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::sync::Arc;

/// So many rows are held before they are encoded.
const BATCH_ROWS: usize = 1024;
/// So many bytes of text are held before they are encoded.
const BATCH_BYTES: usize = 4 << 20;
/// So many encoded bytes are held before they are written.
const GROUP_BYTES: usize = 32 << 20;

/// What the system said, where that is what went wrong: a full disk must be told from others.
pub fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

/// A table that rows are added to.
pub struct Table {
    writer: ArrowWriter<Target>,
    rows: Rows,
}

impl Table {
    /// Writes the schema.
    pub fn new(target: Target, columns: &[Column]) -> io::Result<Table> {
        let mut rows = Rows::new(columns);
        let schema = rows.batch()?.schema();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by("saydo".to_owned())
            .build();
        let writer = ArrowWriter::try_new(target, schema, Some(properties)).map_err(io_error)?;
        Ok(Table { writer, rows })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.count >= BATCH_ROWS || self.rows.bytes >= BATCH_BYTES {
            self.encode()?;
        }
        if self.writer.in_progress_size() >= GROUP_BYTES {
            self.writer.flush().map_err(io_error)?;
        }
        Ok(())
    }

    fn encode(&mut self) -> io::Result<()> {
        let batch = self.rows.batch()?;
        self.writer.write(&batch).map_err(io_error)
    }

    /// Writes what is left.
    pub fn finish(mut self) -> io::Result<Target> {
        if self.rows.count > 0 {
            self.encode()?;
        }
        self.writer.into_inner().map_err(io_error)
    }
}

/// Rows that are not encoded yet.
pub(super) struct Rows {
    id: StringBuilder,
    source: StringBuilder,
    model: StringBuilder,
    cells: Vec<(String, CellBuilder)>,
    count: usize,
    bytes: usize,
}

impl Rows {
    pub(super) fn new(columns: &[Column]) -> Rows {
        let cell = |column: &Column| (column.name.clone(), CellBuilder::new(&column.spec));
        Rows {
            id: StringBuilder::new(),
            source: StringBuilder::new(),
            model: StringBuilder::new(),
            cells: columns.iter().map(cell).collect(),
            count: 0,
            bytes: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, row: &Row) {
        self.id.append_value(plain(&row.id));
        self.source.append_value(&row.source);
        self.model.append_value(&row.model);
        for (place, (_, builder)) in self.cells.iter_mut().enumerate() {
            self.bytes += builder.push(row.cells.get(place));
        }
        self.count += 1;
        self.bytes += row.source.len();
    }

    /// Everything so far, which is then forgotten.
    pub(super) fn batch(&mut self) -> io::Result<RecordBatch> {
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("id".to_owned(), Arc::new(self.id.finish())), ("source".to_owned(), Arc::new(self.source.finish()))];
        let model: ArrayRef = Arc::new(self.model.finish());
        let is_flat = self.cells.len() == 1;
        for (name, builder) in &mut self.cells {
            for (part, array) in builder.finish(is_flat) {
                let column = match (is_flat, part) {
                    (true, part) => part.to_owned(),
                    (false, "answer") => name.clone(),
                    (false, part) => format!("{name}.{part}"),
                };
                if is_flat && column == "ms" {
                    columns.push(("model".to_owned(), model.clone()));
                }
                columns.push((column, array));
            }
        }
        if !is_flat {
            columns.push(("model".to_owned(), model));
        }
        (self.count, self.bytes) = (0, 0);
        let nullable = columns.into_iter().map(|(name, array)| (name, array, true));
        RecordBatch::try_from_iter_with_nullable(nullable).map_err(io::Error::other)
    }
}
