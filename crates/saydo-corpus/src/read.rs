//! From a place to its documents: one file per format.

mod column;
mod csv;
mod html;
mod json;
mod jsonl;
mod objects;
mod parquet;
mod table;
mod text;

pub use column::{Candidate, choose as choose_text_column};
pub use table::{TableRow, table};

use crate::input::{Place, SharedInput, raw_stream, sniff, text_stream};
use crate::{Document, Error, Format, Options, Progress, Unreadable};
use objects::Objects;
use std::io;

/// Said of a row whose question is blank.
const NO_QUESTION: &str = "its question is empty";

/// The documents of one place, one after the other.
pub type Documents = Box<dyn Iterator<Item = Result<Document, Unreadable>> + Send>;

/// What a place can hold instead of a document.
#[derive(Debug)]
pub enum Bad {
    /// This row is wrong; the next one may be right.
    Row(String),
    /// Nothing more can be read.
    Stream(io::Error),
}

impl Bad {
    /// What is wrong, for people.
    pub fn reason(&self) -> String {
        match self {
            Bad::Row(reason) => reason.clone(),
            Bad::Stream(error) => io_reason(error),
        }
    }
}

/// Opens a place. Of a table, the first row is read, so that a wrong column is known before any work begins.
pub fn documents(
    place: &Place,
    options: &Options,
    stdin: SharedInput,
    progress: &Progress,
) -> Result<Documents, Error> {
    let failed = |source: io::Error| unreadable(&place.name, source);
    if place.format == Some(Format::Parquet) {
        return Ok(Box::new(parquet::Rows::open(place, options, stdin, progress)?));
    }
    let raw = raw_stream(place, stdin, progress).map_err(failed)?;
    let (format, raw) = match place.format {
        Some(format) => (format, raw),
        None => sniff(raw).map_err(failed)?,
    };
    if format == Format::Parquet {
        return Ok(Box::new(parquet::Rows::from_stream(place, options, raw)?));
    }
    let stream = text_stream(raw).map_err(failed)?;
    let (name, max) = (place.name.clone(), options.max_document_bytes);
    if let (true, Some(column)) = (format.is_one_document(), &options.question) {
        return Err(Error::NoTable { path: name, column: column.clone() });
    }
    Ok(match format {
        Format::Text | Format::Html => {
            let is_html = format == Format::Html;
            Box::new(std::iter::once_with(move || text::read(stream, name, is_html, max)))
        }
        Format::JsonLines => Box::new(Objects::open(jsonl::Lines::new(stream, max), name, options)?),
        Format::Json => {
            let values = json::Values::new(stream, max);
            let is_array = values.is_array();
            let objects = Objects::open(values, name, options)?;
            Box::new(if is_array { objects } else { objects.number_if_several() })
        }
        Format::Csv => Box::new(csv::Rows::open(stream, b',', name, options)?),
        Format::Tsv => Box::new(csv::Rows::open(stream, b'\t', name, options)?),
        Format::Parquet => unreachable!("parquet was opened above"),
    })
}

/// What went wrong with a whole place.
fn unreadable(name: &str, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            Error::Damaged { path: name.to_owned(), reason: io_reason(&source) }
        }
        _ => Error::Read { path: name.to_owned(), source },
    }
}

/// What the system or a decoder said, in words that help.
fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "its compressed data is cut short".to_owned(),
        _ => error.to_string(),
    }
}

/// Says how large a document may be.
fn too_large(max: u64) -> String {
    if max >= 1 << 30 && max.is_multiple_of(1 << 30) {
        format!("larger than {} GiB, the most for one document", max >> 30)
    } else {
        format!("larger than {max} bytes, the most for one document")
    }
}

/// Says where bytes stop being UTF-8.
fn not_utf8(error: std::str::Utf8Error) -> String {
    format!("not valid UTF-8 at byte {}", error.valid_up_to())
}
