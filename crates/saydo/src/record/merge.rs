//! Joining what shards made: their outputs into one, in the order of the documents, or their ledgers into one run.
//!
//! Part `i` of `n` holds the documents `i`, `i + n`, `i + 2n`, …, so taking one row of each in turn restores the order.
//! It also shows when something is missing: no part may be longer than the one before it, nor shorter by more than one.

mod ledgers;
mod lines;
mod parquet;
mod rows;
mod table;

pub use ledgers::merge_runs;

use crate::Error;
use std::path::{Path, PathBuf};

/// Joins the outputs of all shards, given in their order, into one file of the same format. Gives the number of rows.
/// The file appears when it is whole.
pub fn merge_outputs(parts: &[PathBuf], out: &Path) -> Result<u64, Error> {
    let format = Format::of(out)?;
    for part in parts {
        let found = Format::of(part)?;
        if found != format {
            return Err(Error::MixedFormats { out: out.to_owned(), part: part.clone() });
        }
    }
    match format {
        Format::JsonLines => lines::merge(parts, out),
        Format::Table(delimiter) => table::merge(parts, out, delimiter),
        Format::Parquet => parquet::merge(parts, out),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    JsonLines,
    /// Separated by this.
    Table(u8),
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson") => Ok(Self::JsonLines),
            Some("csv") => Ok(Self::Table(b',')),
            Some("tsv") => Ok(Self::Table(b'\t')),
            Some("parquet") => Ok(Self::Parquet),
            _ => Err(Error::Unmergeable { path: path.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests;
