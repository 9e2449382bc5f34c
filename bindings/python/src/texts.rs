//! Texts from Python as documents: a column of an Arrow stream, any iterator, or files.

use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayReader, ArrayRef};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use saydo_corpus::{Candidate, Corpus, Document, Unreadable, Until, choose_text_column};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How many texts are taken from an iterator while the interpreter is held, at most.
const MAX_TAKEN: usize = 256;

/// How long texts are taken from a slow iterator before those at hand go on.
const PATIENCE: Duration = Duration::from_millis(5);

/// What a source said when it failed: an exception for the caller.
pub type Failure = Arc<Mutex<Option<PyErr>>>;

/// Documents from Python. Where the source fails, they end, the run is stopped, and `failure` holds the exception.
pub enum Texts {
    /// A column.
    Arrow(ArrowTexts),
    /// Anything that can be iterated.
    Python(PythonTexts),
    /// Files.
    Files(Box<Until>),
}

impl Iterator for Texts {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Arrow(texts) => texts.next(),
            Self::Python(texts) => texts.next(),
            Self::Files(corpus) => corpus.next(),
        }
    }
}

impl Texts {
    /// The documents of a corpus until `stop` is set.
    pub fn files(corpus: Corpus, stop: Arc<AtomicBool>) -> Self {
        Self::Files(Box::new(corpus.until(stop)))
    }
}

/// A text with its row's number, from 0; where there is none, the row fails.
fn document(row: u64, text: Option<String>) -> Result<Document, Unreadable> {
    let (id, source) = (Value::from(row), format!("row {row}"));
    match text {
        Some(text) => Ok(Document { id, source, text, question: None }),
        None => Err(Unreadable { id, source, reason: "the row has no text".to_owned() }),
    }
}

/// The texts of a column. Its arrays stay where they are; each text is copied when it is its turn.
pub struct ArrowTexts {
    reader: ArrayStreamReader,
    /// Which field of a table; none for a column by itself.
    field: Option<usize>,
    column: Option<Column>,
    /// The next row of the column.
    place: usize,
    row: u64,
    stop: Arc<AtomicBool>,
    failure: Failure,
}

impl ArrowTexts {
    /// The column of this name, or the one that holds the texts by its name or as the only text.
    pub fn new(
        py: Python<'_>,
        reader: ArrayStreamReader,
        name: Option<&str>,
        stop: Arc<AtomicBool>,
        failure: Failure,
    ) -> PyResult<Self> {
        let wrong = |message: &str| error::exception(py, error::Kind::Data, message, None);
        let field = match reader.field().data_type() {
            DataType::Struct(fields) => Some(text_field(py, fields, name)?),
            kind if is_text(kind) => None,
            kind => return Err(wrong(&format!("the column holds {kind}, expected texts"))),
        };
        Ok(Self { reader, field, column: None, place: 0, row: 0, stop, failure })
    }

    fn next_column(&mut self) -> Option<()> {
        match self.reader.next()? {
            Ok(array) => {
                let column = match self.field {
                    Some(field) => Arc::clone(array.as_struct().column(field)),
                    None => array,
                };
                (self.column, self.place) = (Some(Column::new(column)), 0);
                Some(())
            }
            Err(error) => {
                let message = format!("the stream of texts failed: {error}");
                let error = Python::attach(|py| error::exception(py, error::Kind::Data, &message, None));
                fail(&self.failure, &self.stop, error);
                None
            }
        }
    }
}

fn fail(failure: &Failure, stop: &AtomicBool, error: PyErr) {
    failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
    stop.store(true, Ordering::Relaxed);
}

impl Iterator for ArrowTexts {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.column.as_ref().is_none_or(|column| self.place == column.len()) {
            self.next_column()?;
        }
        let text = self.column.as_ref()?.text(self.place);
        let row = self.row;
        (self.place, self.row) = (self.place + 1, self.row + 1);
        Some(document(row, text))
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// A chunk of the column.
struct Column {
    texts: ArrayRef,
    /// Which of the texts each row has, where they are stored as a dictionary; the array itself says where rows are null.
    keys: Option<(ArrayRef, Vec<usize>)>,
}

impl Column {
    fn new(array: ArrayRef) -> Self {
        match array.as_any_dictionary_opt() {
            // Without texts there are no keys to them.
            Some(dictionary) if !dictionary.values().is_empty() => {
                let (texts, keys) = (Arc::clone(dictionary.values()), dictionary.normalized_keys());
                Self { texts, keys: Some((array, keys)) }
            }
            _ => Self { texts: array, keys: None },
        }
    }

    fn len(&self) -> usize {
        self.keys.as_ref().map_or(self.texts.len(), |(array, _)| array.len())
    }

    /// The text of a row; none where it is null.
    fn text(&self, row: usize) -> Option<String> {
        let place = match &self.keys {
            Some((array, keys)) => (!array.is_null(row)).then(|| keys[row])?,
            None => row,
        };
        if self.texts.is_null(place) {
            return None;
        }
        let text = match self.texts.data_type() {
            DataType::Utf8 => self.texts.as_string::<i32>().value(place),
            DataType::LargeUtf8 => self.texts.as_string::<i64>().value(place),
            DataType::Utf8View => self.texts.as_string_view().value(place),
            // A dictionary of nothing but nulls.
            _ => return None,
        };
        Some(text.to_owned())
    }
}

fn text_field(py: Python<'_>, fields: &Fields, name: Option<&str>) -> PyResult<usize> {
    let candidate = |field: &Arc<Field>| {
        let other = (!is_text(field.data_type())).then(|| field.data_type().to_string());
        Candidate { name: field.name().clone(), other }
    };
    let candidates: Vec<Candidate> = fields.iter().map(candidate).collect();
    choose_text_column("the table", name, &candidates).map_err(|error| error::of(py, error::Kind::Data, &error))
}

/// The texts of an iterator: `str`, or `None` for a row without text.
pub struct PythonTexts {
    iterator: Py<PyIterator>,
    taken: VecDeque<Option<String>>,
    is_over: bool,
    row: u64,
    stop: Arc<AtomicBool>,
    failure: Failure,
}

impl PythonTexts {
    /// What the object gives when it is iterated.
    pub fn new(object: &Bound<'_, PyAny>, stop: Arc<AtomicBool>, failure: Failure) -> PyResult<Self> {
        let iterator = object.try_iter()?.unbind();
        Ok(Self { iterator, taken: VecDeque::new(), is_over: false, row: 0, stop, failure })
    }

    fn take(&mut self) {
        let begun = Instant::now();
        let taken = &mut self.taken;
        let result = Python::attach(|py| -> PyResult<bool> {
            let mut iterator = self.iterator.bind(py).clone();
            while taken.len() < MAX_TAKEN && (taken.is_empty() || begun.elapsed() < PATIENCE) {
                match iterator.next() {
                    Some(item) => taken.push_back(item?.extract()?),
                    None => return Ok(true),
                }
            }
            Ok(false)
        });
        match result {
            Ok(is_over) => self.is_over = is_over,
            Err(error) => {
                fail(&self.failure, &self.stop, error);
                self.is_over = true;
            }
        }
    }
}

impl Iterator for PythonTexts {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.taken.is_empty() && !self.is_over {
            self.take();
        }
        let text = self.taken.pop_front()?;
        self.row += 1;
        Some(document(self.row - 1, text))
    }
}
