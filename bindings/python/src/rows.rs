//! Functions over many texts: typed rows, as Arrow batches, as answers, or in a file.

use crate::arrow;
use crate::error;
use crate::function::{Function, answer};
use crate::interrupt::interruptible;
use crate::texts::{ArrowTexts, Failure, PythonTexts, Texts};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use saydo::answering::{self, Counts, FailOnError, Memory, Summary};
use saydo::record::Ledger;
use saydo_corpus::{Batches, Cell, Column, Corpus, Limit, Meta, Options, Output};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Rows of an Arrow batch.
const BATCH_ROWS: usize = 8192;

/// What came of a run: rows in the texts' order, and how many came out how.
#[pyclass(frozen, module = "saydo._saydo")]
pub struct Rows {
    columns: Vec<Column>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// The cells of each row, if they were to be kept.
    cells: Vec<Vec<Cell>>,
    summary: Summary,
}

/// Where rows go.
enum Sink {
    Batches(Box<Batches>, Vec<RecordBatch>),
    Cells(Vec<Vec<Cell>>),
    File(Box<Output>),
}

/// Has functions answer texts: `texts` is an iterable of `str` or None, `table` has `__arrow_c_stream__`, `paths` are files.
#[pyfunction]
#[pyo3(signature = (
    functions, *, texts=None, table=None, paths=None, column=None, limit=None, output=None, as_cells=false, ledger=None,
    retry_errors=false, fail_on_error=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
pub fn run(
    py: Python<'_>,
    functions: Vec<PyRef<'_, Function>>,
    texts: Option<Bound<'_, PyAny>>,
    table: Option<Bound<'_, PyAny>>,
    paths: Option<Vec<String>>,
    column: Option<String>,
    limit: Option<String>,
    output: Option<PathBuf>,
    as_cells: bool,
    ledger: Option<PathBuf>,
    retry_errors: bool,
    fail_on_error: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Rows> {
    let bound = fail_on_error.map(|bound| bound.parse::<FailOnError>()).transpose();
    let bound = bound.map_err(|message| error::of_arguments(py, &message))?;
    let Some(model) = functions.first().map(|function| function.model.clone()) else {
        return Err(error::of_arguments(py, "no function, expected at least one"));
    };
    let (stop, failure) = (Arc::new(AtomicBool::new(false)), Failure::default());
    let (mut texts, total) = match (texts, table, paths) {
        (Some(texts), None, None) => {
            let total = texts.len().ok();
            (Texts::Python(PythonTexts::new(&texts, Arc::clone(&stop), Arc::clone(&failure))?), total)
        }
        (None, Some(table), None) => {
            let (reader, total) = (arrow::import(&table)?, table.len().ok());
            let texts = ArrowTexts::new(py, reader, column.as_deref(), Arc::clone(&stop), Arc::clone(&failure))?;
            (Texts::Arrow(texts), total)
        }
        (None, None, Some(paths)) => {
            let limit = limit.map(|limit| limit.parse::<Limit>()).transpose();
            let limit = limit.map_err(|message| error::of_arguments(py, &message.to_string()))?;
            let options = Options { column, limit, ..Options::default() };
            let corpus = Corpus::open(&paths, &options).map_err(|error| error::of(py, error::Kind::Data, &error))?;
            let total = corpus.progress().documents_at_most().and_then(|count| usize::try_from(count).ok());
            (Texts::files(corpus, Arc::clone(&stop)), total)
        }
        _ => return Err(error::of_arguments(py, "expected texts, a table or paths, one of them")),
    };
    let named: Vec<(Column, Arc<saydo_function::Function>, String)> = functions
        .iter()
        .map(|one| {
            let column = Column { name: one.name.clone(), spec: one.inner.spec().clone() };
            (column, Arc::clone(&one.inner), one.fingerprint.clone())
        })
        .collect();
    let columns: Vec<Column> = named.iter().map(|(column, ..)| column.clone()).collect();
    let finished = AtomicU64::new(0);
    let mut watch = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (finished.load(Ordering::Relaxed), total)).map(drop),
        None => Ok(()),
    };
    let work = || -> Result<(Sink, Summary), saydo::Error> {
        let mut sink = Sink::new(&columns, &model, output, as_cells)?;
        let mut ledger = ledger.map(|path| Ledger::open(&path, &[])).transpose()?;
        let mut memory = match &mut ledger {
            Some(ledger) => Memory::ledger(ledger, retry_errors),
            None => Memory::nothing(),
        };
        let settings = answering::Settings { fail_on_error: bound, ..answering::Settings::new(&model) };
        let columns: Vec<answering::Column<'_>> =
            named.iter().map(|(_, function, fingerprint)| answering::Column::of(function, fingerprint)).collect();
        let summary = answering::rows(&columns, &mut texts, &mut memory, &settings, &stop, &mut |row| {
            finished.fetch_add(1, Ordering::Relaxed);
            sink.push(row)
        })?;
        Ok((sink, summary))
    };
    let result = interruptible(py, &stop, &mut watch, work)?;
    if let Some(error) = failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take() {
        return Err(error);
    }
    let (sink, summary) = result.map_err(|error| error::of_library(py, &error))?;
    sink.finish(columns, summary).map_err(|error| error::of_library(py, &error))
}

impl Sink {
    fn new(columns: &[Column], model: &str, output: Option<PathBuf>, as_cells: bool) -> Result<Self, saydo::Error> {
        let Some(path) = output else {
            return Ok(if as_cells {
                Self::Cells(Vec::new())
            } else {
                Self::Batches(Box::new(Batches::new(columns)), Vec::new())
            });
        };
        let title = columns.first().map(|column| column.name.clone()).unwrap_or_default();
        let description = columns.iter().map(|column| column.name.clone()).collect();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let meta = Meta { title, description, model: model.to_owned(), version };
        Ok(Self::File(Box::new(Output::create(&path, columns, &meta)?)))
    }

    fn push(&mut self, row: answering::Finished<'_>) -> Result<(), answering::RowError> {
        match self {
            Self::Batches(batches, done) => {
                batches.push(row.row);
                if batches.len() >= BATCH_ROWS {
                    done.push(batches.take()?);
                }
            }
            Self::Cells(cells) => cells.push(row.row.cells.clone()),
            Self::File(output) => output.write(row.document, row.row)?,
        }
        Ok(())
    }

    fn finish(self, columns: Vec<Column>, summary: Summary) -> Result<Rows, saydo::Error> {
        let failed = |error: std::io::Error| saydo::Error::Row(Box::new(error));
        let schema = Batches::new(&columns).take().map_err(failed)?.schema();
        let (batches, cells) = match self {
            Self::Batches(mut last, mut batches) => {
                if !last.is_empty() {
                    batches.push(last.take().map_err(failed)?);
                }
                (batches, Vec::new())
            }
            Self::Cells(cells) => (Vec::new(), cells),
            Self::File(output) => {
                output.finish()?;
                (Vec::new(), Vec::new())
            }
        };
        Ok(Rows { columns, schema, batches, cells, summary })
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        usize::try_from(self.summary.rows).unwrap_or(usize::MAX)
    }

    /// The rows as a stream of Arrow batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer that wants other types casts: the interface lets a producer give its own.
        let _ = requested_schema;
        arrow::export(py, Arc::clone(&self.schema), self.batches.clone())
    }

    /// The same rows with these columns only.
    fn select(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let places = names.iter().map(|name| self.schema.index_of(name)).collect::<Result<Vec<_>, ArrowError>>();
        let project = |places: Vec<usize>| -> Result<Self, ArrowError> {
            let schema = Arc::new(self.schema.project(&places)?);
            let batches = self.batches.iter().map(|batch| batch.project(&places)).collect::<Result<_, _>>()?;
            let (columns, summary) = (self.columns.clone(), self.summary.clone());
            Ok(Self { columns, schema, batches, cells: Vec::new(), summary })
        };
        places.and_then(project).map_err(|error| error::of(py, error::Kind::Data, &error))
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The answers of each task to the texts, which must be those of the run, where its cells were kept.
    fn answers<'py>(&self, py: Python<'py>, texts: &Bound<'py, PyList>) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
        let of_column = |(place, column): (usize, &Column)| {
            let rows = self.cells.iter().zip(texts.iter());
            rows.map(|(cells, text)| answer(py, &cells[place], &column.spec, Some(&text))).collect()
        };
        self.columns.iter().enumerate().map(of_column).collect()
    }

    /// Rows, rows that failed, answers computed now, and for each task its name with counts of ok, na, unparsable, failed.
    #[getter]
    #[expect(clippy::type_complexity, reason = "the package gives it names")]
    fn summary(&self) -> (u64, u64, u64, Vec<(String, u64, u64, u64, u64)>) {
        let Summary { rows, rows_failed, computed, columns, .. } = &self.summary;
        let counts = |(column, counts): (&Column, &Counts)| {
            (column.name.clone(), counts.ok, counts.na, counts.unparsable, counts.failed)
        };
        (*rows, *rows_failed, *computed, self.columns.iter().zip(columns).map(counts).collect())
    }
}
