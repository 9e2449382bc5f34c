//! Tables with all their columns, for whoever needs more of a row than its text.

use super::csv::record::Records;
use super::{Bad, json, jsonl, not_utf8, unreadable};
use crate::input::{Places, SharedInput, file_for_seeking, raw_stream, text_stream};
use crate::{Error, Format, Options, Progress};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::record::{Field, Row};
use serde_json::{Map, Value};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A row of a table: its number, from 1, and its columns by name, or why it cannot be read.
pub type TableRow = (u64, Result<Map<String, Value>, String>);

/// The rows of a CSV, TSV, JSON, JSON Lines or Parquet file, one after the other. A cell of CSV is text; the others keep their
/// types. Fails if the file cannot be opened or is no table.
pub fn table(path: &Path) -> Result<Box<dyn Iterator<Item = TableRow>>, Error> {
    let options = Options::default();
    let name = path.display().to_string();
    let places = Places::find(std::slice::from_ref(&name), &options)?.places;
    let not_one = || Error::Damaged { path: name.clone(), reason: "expected one file with a table".to_owned() };
    let [place] = <[_; 1]>::try_from(places).map_err(|_| not_one())?;
    let failed = |source: io::Error| unreadable(&name, source);
    let (stdin, progress) = (SharedInput::new(io::empty()), Progress::default());
    if place.format == Some(Format::Parquet) {
        let file = file_for_seeking(&place, stdin, &progress).map_err(failed)?;
        return parquet_rows(file, &name);
    }
    let stream = text_stream(raw_stream(&place, stdin, &progress).map_err(failed)?).map_err(failed)?;
    let max = options.max_document_bytes;
    Ok(match place.format {
        Some(Format::Csv) => Box::new(Delimited::open(Records::new(stream, b',', max), &name)?),
        Some(Format::Tsv) => Box::new(Delimited::open(Records::new(stream, b'\t', max), &name)?),
        Some(Format::JsonLines) => Box::new(jsonl::Lines::new(stream, max).map(object)),
        Some(Format::Json) => Box::new(json::Values::new(stream, max).map(object)),
        _ => return Err(not_one()),
    })
}

fn object((number, value): (u64, Result<Value, Bad>)) -> TableRow {
    let row = match value {
        Ok(Value::Object(columns)) => Ok(columns),
        Ok(_) => Err("expected an object".to_owned()),
        Err(bad) => Err(bad.reason()),
    };
    (number, row)
}

/// The rows of a comma- or tab-separated table.
struct Delimited<R> {
    records: Records<R>,
    columns: Vec<String>,
    number: u64,
    is_over: bool,
}

impl<R: io::BufRead> Delimited<R> {
    fn open(mut records: Records<R>, name: &str) -> Result<Self, Error> {
        let header = records.read().unwrap_or(Ok(())).map_err(|bad| match bad {
            Bad::Row(reason) => Error::Damaged { path: name.to_owned(), reason: format!("its header: {reason}") },
            Bad::Stream(error) => unreadable(name, error),
        });
        header?;
        let columns: Vec<String> = records.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
        let is_over = columns.is_empty();
        Ok(Self { records, columns, number: 0, is_over })
    }

    fn row(&self) -> Result<Map<String, Value>, String> {
        let (found, expected) = (self.records.cells().len(), self.columns.len());
        if found != expected {
            let place = self.records.place();
            return Err(format!("{place}: the row has {found} cells, expected {expected} as in the header"));
        }
        let cell = |(name, cell): (&String, &[u8])| {
            let text = std::str::from_utf8(cell).map_err(not_utf8)?;
            Ok((name.clone(), Value::from(text)))
        };
        self.columns.iter().zip(self.records.cells()).map(cell).collect()
    }
}

impl<R: io::BufRead> Iterator for Delimited<R> {
    type Item = TableRow;

    fn next(&mut self) -> Option<TableRow> {
        if self.is_over {
            return None;
        }
        let read = self.records.read()?;
        self.number += 1;
        let row = match read {
            Ok(()) => self.row(),
            Err(bad) => {
                self.is_over = matches!(bad, Bad::Stream(_));
                Err(bad.reason())
            }
        };
        Some((self.number, row))
    }
}

/// The decoder panics on some damaged files; nothing more is read of one then.
fn parquet_rows(file: std::fs::File, name: &str) -> Result<Box<dyn Iterator<Item = TableRow>>, Error> {
    let damaged = |reason: String| Error::Damaged { path: name.to_owned(), reason };
    let opened = catch_unwind(AssertUnwindSafe(|| SerializedFileReader::new(file)));
    let reader = opened.map_err(|_| damaged("the Parquet data is damaged".to_owned()))?;
    let reader = reader.map_err(|error| damaged(format!("not a whole Parquet file: {error}")))?;
    let mut rows = reader.into_iter();
    let mut is_over = false;
    let next = move || {
        if is_over {
            return None;
        }
        let row = match catch_unwind(AssertUnwindSafe(|| rows.next())) {
            Ok(None) => return None,
            Ok(Some(Ok(row))) => Ok(columns(&row)),
            Ok(Some(Err(error))) => Err(error.to_string()),
            Err(_) => Err("the Parquet data is damaged".to_owned()),
        };
        is_over = row.is_err();
        Some(row)
    };
    Ok(Box::new(std::iter::from_fn(next).zip(1..).map(|(row, number)| (number, row))))
}

fn columns(row: &Row) -> Map<String, Value> {
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => Value::from(*value),
        Field::Byte(value) => Value::from(*value),
        Field::Short(value) => Value::from(*value),
        Field::Int(value) => Value::from(*value),
        Field::Long(value) => Value::from(*value),
        Field::UByte(value) => Value::from(*value),
        Field::UShort(value) => Value::from(*value),
        Field::UInt(value) => Value::from(*value),
        Field::ULong(value) => Value::from(*value),
        Field::Float(value) => Value::from(*value),
        Field::Double(value) => Value::from(*value),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::from(String::from_utf8_lossy(bytes.data())),
        Field::Group(row) => Value::Object(columns(row)),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => Value::from(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rows(name: &str, text: &str) -> Vec<Result<Value, String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        table(&path).unwrap().map(|(_, row)| row.map(Value::Object)).collect()
    }

    #[test]
    fn every_column_is_read() {
        assert_eq!(rows("a.csv", "a,b\n1,\"x, y\"\n"), [Ok(json!({"a": "1", "b": "x, y"}))]);
        assert_eq!(rows("a.tsv", "a\tb\n1\tx\n"), [Ok(json!({"a": "1", "b": "x"}))]);
        assert_eq!(rows("a.jsonl", "{\"a\": 1}\n{\"a\": null}\n"), [Ok(json!({"a": 1})), Ok(json!({"a": null}))]);
        assert_eq!(rows("a.json", "[{\"a\": [true]}]"), [Ok(json!({"a": [true]}))]);
    }

    #[test]
    fn a_bad_row_stops_nothing() {
        let found = rows("a.csv", "a,b\n1\n2,3\n");
        assert_eq!(found[0], Err("line 2: the row has 1 cells, expected 2 as in the header".to_owned()));
        assert_eq!(found[1], Ok(json!({"a": "2", "b": "3"})));
        assert_eq!(rows("a.jsonl", "3\n"), [Err("expected an object".to_owned())]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("a.txt", "text"), ("a.parquet", "PAR1 nothing")] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            assert!(table(&path).is_err(), "{name}");
        }
        assert!(table(&folder.path().join("none.csv")).is_err());
    }
}
