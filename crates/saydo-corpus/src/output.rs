//! Rows into a file, in the format its extension names.

mod answer;
mod batches;
mod csv;
mod html;
mod jsonl;
mod markdown;
mod parquet;
mod spool;
mod tally;
mod target;
#[cfg(test)]
mod tests;

pub use batches::Batches;
pub use jsonl::JsonLines;
pub use parquet::io_error as parquet_io_error;

use crate::{Document, Error, Row};
use saydo_task::AnswerSpec;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use target::Target;

/// One task of a run: what stands above its answers, and what they look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The task's name; no two of a run have the same.
    pub name: String,
    /// The kind of its answers.
    pub spec: AnswerSpec,
}

/// What stands at the head of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Meta {
    /// The heading.
    pub title: String,
    /// What was asked, a line for each task.
    pub description: Vec<String>,
    /// The model, as it was named.
    pub model: String,
    /// The version of Saydo.
    pub version: String,
}

/// A file that rows are written to. It has its name only after [`Output::finish`]; dropped before, it leaves nothing.
pub struct Output {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    JsonLines(Box<JsonLines<Target>>),
    Csv(Box<csv::Table>),
    Parquet(Box<parquet::Table>),
    Markdown(Box<markdown::Page>),
    Html(Box<html::Page>),
}

impl Output {
    /// Begins the file: .jsonl, .ndjson, .csv or .tsv (each also with .gz or .zst behind it), .parquet, .md, .html or .htm.
    pub fn create(path: &Path, columns: &[Column], meta: &Meta) -> Result<Output, Error> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"));
        let extension = plain.unwrap_or(&name).rsplit_once('.').map_or("", |(_, extension)| extension);
        let unknown = || Error::UnknownOutput { path: path.to_owned() };
        if !["jsonl", "ndjson", "csv", "tsv", "parquet", "md", "html", "htm"].contains(&extension) {
            return Err(unknown());
        }
        if plain.is_some() && ["parquet", "md", "html", "htm"].contains(&extension) {
            return Err(unknown());
        }
        let failed = |source| Error::Write { path: path.to_owned(), source };
        let target = Target::create(path).map_err(failed)?;
        let kind = match extension {
            "jsonl" | "ndjson" => Ok(Kind::JsonLines(Box::new(JsonLines::new(target, columns)))),
            "csv" => csv::Table::new(target, b',', columns).map(|table| Kind::Csv(Box::new(table))),
            "tsv" => csv::Table::new(target, b'\t', columns).map(|table| Kind::Csv(Box::new(table))),
            "parquet" => parquet::Table::new(target, columns).map(|table| Kind::Parquet(Box::new(table))),
            "md" => markdown::Page::new(target, columns, meta).map(|page| Kind::Markdown(Box::new(page))),
            _ => html::Page::new(target, columns, meta).map(|page| Kind::Html(Box::new(page))),
        };
        Ok(Output { path: path.to_owned(), kind: kind.map_err(failed)? })
    }

    /// Adds a row. The document's text is only looked at where the format shows it.
    pub fn write(&mut self, document: &Document, row: &Row) -> Result<(), Error> {
        let written = match &mut self.kind {
            Kind::JsonLines(lines) => lines.write(row),
            Kind::Csv(table) => table.write(row),
            Kind::Parquet(table) => table.write(row),
            Kind::Markdown(page) => page.write(row),
            Kind::Html(page) => page.write(document, row),
        };
        written.map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the file and gives it its name, replacing what had that name.
    pub fn finish(self) -> Result<(), Error> {
        let finish = || -> io::Result<()> {
            match self.kind {
                Kind::JsonLines(lines) => lines.into_inner(),
                Kind::Csv(table) => table.finish()?,
                Kind::Parquet(table) => table.finish()?,
                Kind::Markdown(page) => page.finish()?,
                Kind::Html(page) => page.finish()?,
            }
            .finish()
        };
        finish().map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

/// A number as it is written: six decimals at most, so that the last bits of a sum do not show. None if it is no number.
fn rounded(number: f64) -> Option<f64> {
    number.is_finite().then(|| (number * 1e6).round() / 1e6)
}
