//! Rows as a comma- or tab-separated table.
//!
//! Cells hold exactly what came out: a text that begins with `=`, `+`, `-` or `@` is not changed, so a spreadsheet may
//! take it for a formula. Import such columns as text.

use super::answer::plain;
use super::jsonl::spans_json;
use super::target::Target;
use super::{Column, rounded};
use crate::{Cell, Row};
use std::io;

/// A table that rows are added to.
pub struct Table {
    writer: csv::Writer<Target>,
    is_flat: bool,
}

impl Table {
    /// Writes the header.
    pub fn new(target: Target, delimiter: u8, columns: &[Column]) -> io::Result<Table> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(target);
        let is_flat = columns.len() == 1;
        if is_flat {
            writer.write_record(FLAT)?;
        } else {
            let parts = columns.iter().flat_map(|column| PARTS.map(|part| format!("{}{part}", column.name)));
            let ends = |name: &str| name.to_owned();
            writer.write_record([ends("id"), ends("source")].into_iter().chain(parts).chain([ends("model")]))?;
        }
        Ok(Table { writer, is_flat })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        let mut record = vec![plain(&row.id), row.source.clone()];
        if let (true, [cell]) = (self.is_flat, row.cells.as_slice()) {
            let [answer, status, confidence, spans, windows, ms, error] = parts(cell)?;
            record.extend([status, answer, confidence, spans, windows, row.model.clone(), ms, error]);
        } else {
            for cell in &row.cells {
                record.extend(parts(cell)?);
            }
            record.push(row.model.clone());
        }
        Ok(self.writer.write_record(record)?)
    }

    /// Writes what is left.
    pub fn finish(self) -> io::Result<Target> {
        self.writer.into_inner().map_err(|error| error.into_error())
    }
}

/// The columns for one task.
const FLAT: [&str; 10] = ["id", "source", "status", "answer", "confidence", "spans", "windows", "model", "ms", "error"];

/// What stands behind each task's name if there are several.
const PARTS: [&str; 7] = ["", ".status", ".confidence", ".spans", ".windows", ".ms", ".error"];

/// A cell in the order of [`PARTS`].
fn parts(cell: &Cell) -> io::Result<[String; 7]> {
    Ok([
        plain(&cell.answer),
        cell.status.name().to_owned(),
        cell.confidence.and_then(rounded).map(|confidence| confidence.to_string()).unwrap_or_default(),
        spans_json(&cell.spans)?,
        cell.windows.to_string(),
        cell.ms.to_string(),
        cell.error.clone().unwrap_or_default(),
    ])
}
