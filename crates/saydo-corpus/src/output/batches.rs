//! Rows as Arrow record batches, in the columns of a Parquet output: for whoever passes tables on in memory.

use super::Column;
use super::parquet::Rows;
use crate::Row;
use arrow_array::RecordBatch;
use std::io;

/// Rows on their way to a record batch.
///
/// ```
/// use saydo_corpus::{Batches, Column};
/// use saydo_task::{AnswerKind, AnswerSpec};
///
/// let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
/// let mut batches = Batches::new(&[Column { name: "dogs".to_owned(), spec }]);
/// let empty = batches.take()?;
/// assert_eq!((empty.num_rows(), empty.schema().field(2).name().as_str()), (0, "status"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Batches {
    rows: Rows,
}

impl Batches {
    /// No rows yet.
    pub fn new(columns: &[Column]) -> Self {
        Self { rows: Rows::new(columns) }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &Row) {
        self.rows.push(row);
    }

    /// How many rows are there since the last batch.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows since the last batch, be they none: an empty batch still has its schema.
    pub fn take(&mut self) -> io::Result<RecordBatch> {
        self.rows.batch()
    }
}
