//! Rows as JSON Lines: flat for one task, with an object of answers for several.

use super::{Column, rounded};
use crate::{Cell, Row, Status};
use saydo_task::Span;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Writes one line of JSON for each row.
pub struct JsonLines<W> {
    out: W,
    names: Vec<String>,
    line: Vec<u8>,
}

impl<W: Write> JsonLines<W> {
    /// Rows of these tasks, to this writer.
    pub fn new(out: W, columns: &[Column]) -> JsonLines<W> {
        JsonLines { out, names: columns.iter().map(|column| column.name.clone()).collect(), line: Vec::new() }
    }

    /// Writes a row in one piece.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        self.line.clear();
        match (self.names.as_slice(), row.cells.as_slice()) {
            ([_], [cell]) => serde_json::to_writer(&mut self.line, &Flat::new(row, cell))?,
            _ => serde_json::to_writer(&mut self.line, &Wide::new(row, &self.names))?,
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    /// What the rows were written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[derive(Serialize)]
struct Flat<'a> {
    id: &'a Value,
    source: &'a str,
    status: Status,
    answer: &'a Value,
    spans: Vec<Rounded<'a>>,
    confidence: Option<f64>,
    windows: usize,
    model: &'a str,
    ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> Flat<'a> {
    fn new(row: &'a Row, cell: &'a Cell) -> Flat<'a> {
        Flat {
            id: &row.id,
            source: &row.source,
            status: cell.status,
            answer: &cell.answer,
            spans: rounded_spans(&cell.spans),
            confidence: cell.confidence.and_then(rounded),
            windows: cell.windows,
            model: &row.model,
            ms: cell.ms,
            error: cell.error.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct Wide<'a> {
    id: &'a Value,
    source: &'a str,
    answers: Answers<'a>,
    model: &'a str,
}

impl<'a> Wide<'a> {
    fn new(row: &'a Row, names: &'a [String]) -> Wide<'a> {
        Wide { id: &row.id, source: &row.source, answers: Answers { names, cells: &row.cells }, model: &row.model }
    }
}

struct Answers<'a> {
    names: &'a [String],
    cells: &'a [Cell],
}

impl Serialize for Answers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, cell) in self.names.iter().zip(self.cells) {
            map.serialize_entry(name, &Part::new(cell))?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Part<'a> {
    status: Status,
    answer: &'a Value,
    spans: Vec<Rounded<'a>>,
    confidence: Option<f64>,
    windows: usize,
    ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> Part<'a> {
    fn new(cell: &'a Cell) -> Part<'a> {
        Part {
            status: cell.status,
            answer: &cell.answer,
            spans: rounded_spans(&cell.spans),
            confidence: cell.confidence.and_then(rounded),
            windows: cell.windows,
            ms: cell.ms,
            error: cell.error.as_deref(),
        }
    }
}

/// A span whose score is rounded.
#[derive(Serialize)]
struct Rounded<'a> {
    start: usize,
    end: usize,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

impl<'a> From<&'a Span> for Rounded<'a> {
    fn from(span: &'a Span) -> Rounded<'a> {
        Rounded {
            start: span.start,
            end: span.end,
            text: &span.text,
            label: span.label.as_deref(),
            record: span.record,
            score: span.score.and_then(rounded),
        }
    }
}

fn rounded_spans(spans: &[Span]) -> Vec<Rounded<'_>> {
    spans.iter().map(Rounded::from).collect()
}

/// The spans as one line of JSON, for formats whose cells are text.
pub fn spans_json(spans: &[Span]) -> io::Result<String> {
    Ok(serde_json::to_string(&rounded_spans(spans))?)
}

impl Row {
    /// Reads a row back from a line that [`JsonLines`] wrote for tasks of these names.
    pub fn parse(line: &str, names: &[String]) -> Result<Row, serde_json::Error> {
        if names.len() == 1 {
            let ReadFlat { id, source, model, cell } = serde_json::from_str(line)?;
            return Ok(Row { id, source, model, cells: vec![cell] });
        }
        let ReadWide { id, source, mut answers, model } = serde_json::from_str(line)?;
        let cell = |name: &String| Cell::deserialize(answers.remove(name).unwrap_or_default());
        let cells = names.iter().map(cell).collect::<Result<_, _>>()?;
        Ok(Row { id, source, model, cells })
    }
}

#[derive(Deserialize)]
struct ReadFlat {
    id: Value,
    source: String,
    model: String,
    #[serde(flatten)]
    cell: Cell,
}

#[derive(Deserialize)]
struct ReadWide {
    id: Value,
    source: String,
    answers: Map<String, Value>,
    model: String,
}
