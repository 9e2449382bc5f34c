//! The verdict on labelled rows.

use crate::error;
use crate::function::Function;
use crate::interrupt::interruptible;
use pyo3::prelude::*;
use saydo::answering::{self, Memory, rows};
use saydo::record::Ledger;
use saydo_corpus::{Cell, Document, Status, Unreadable};
use saydo_protocol::labelled::{Confusion, LabelledRow, answer_text, flips, read_labelled, verdict};
use saydo_task::source::Source;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The verdict as JSON: the first function's, and how often the others answer differently. `labelled` is JSON Lines.
#[pyfunction]
#[pyo3(signature = (functions, labelled, *, name="labelled rows", column=None, limit=None, seed=0, ledger=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
pub fn check(
    py: Python<'_>,
    functions: Vec<PyRef<'_, Function>>,
    labelled: String,
    name: &str,
    column: Option<&str>,
    limit: Option<usize>,
    seed: u64,
    ledger: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let source = Source::from_bytes(Path::new(name), labelled.into_bytes());
    let labelled = source.and_then(|source| read_labelled(&source, column));
    let mut labelled = labelled.map_err(|error| error::of(py, error::Kind::Data, &error))?;
    labelled.truncate(limit.unwrap_or(usize::MAX));
    let Some(first) = functions.first().filter(|_| !labelled.is_empty()) else {
        return Err(error::of_arguments(py, "nothing to check, expected a task and labelled rows"));
    };
    let kind = first.inner.spec().kind.clone();
    let wordings: Vec<Wording> = functions
        .iter()
        .map(|one| Wording {
            function: one.inner.clone(),
            model: one.model.clone(),
            fingerprint: one.fingerprint.clone(),
        })
        .collect();
    let (stop, finished) = (AtomicBool::new(false), AtomicUsize::new(0));
    let total = labelled.len() * wordings.len();
    let mut watch = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (finished.load(Ordering::Relaxed), total)).map(drop),
        None => Ok(()),
    };
    let work = || -> Result<Vec<Vec<Option<String>>>, saydo::Error> {
        let mut ledger = ledger.map(|path| Ledger::open(&path, &[])).transpose()?;
        wordings.iter().map(|wording| wording.answers(&labelled, ledger.as_mut(), &stop, &finished)).collect()
    };
    let given = interruptible(py, &stop, &mut watch, work)?.map_err(|error| error::of_library(py, &error))?;
    let pairs: Vec<_> = labelled.iter().zip(&given[0]).map(|(row, said)| (row.gold.clone(), said.clone())).collect();
    let verdict = verdict(&kind, &pairs, seed).expect("there is a row");
    let row = |(number, row): (usize, &LabelledRow)| {
        let given: Vec<&Option<String>> = given.iter().map(|wording| &wording[number]).collect();
        let score = verdict.rows[number].score;
        json!({"id": row.id, "text": row.text, "gold": row.gold, "given": given, "score": score})
    };
    let confusion = |one: &Confusion| json!([one.gold, one.given, one.count]);
    let flips = flips(&given, seed);
    let report = json!({
        "task": first.name,
        "model": first.model,
        "kind": kind.name(),
        "f1": verdict.f1,
        "f1_interval": [verdict.f1_interval.low, verdict.f1_interval.high],
        "accuracy": verdict.accuracy,
        "accuracy_interval": [verdict.accuracy_interval.low, verdict.accuracy_interval.high],
        "confusions": verdict.confusions.iter().map(confusion).collect::<Value>(),
        "flips": flips.map(|flips| json!({
            "rate": flips.rate,
            "interval": [flips.interval.low, flips.interval.high],
            "rows": flips.rows,
        })),
        "rows": labelled.iter().enumerate().map(row).collect::<Value>(),
    });
    Ok(report.to_string())
}

/// A function, for a thread of its own.
struct Wording {
    function: std::sync::Arc<saydo_function::Function>,
    model: String,
    fingerprint: String,
}

impl Wording {
    /// One answer for each row, as ZEST writes them; none where it failed.
    fn answers(
        &self,
        labelled: &[LabelledRow],
        ledger: Option<&mut Ledger>,
        stop: &AtomicBool,
        finished: &AtomicUsize,
    ) -> Result<Vec<Option<String>>, saydo::Error> {
        let document = |row: &LabelledRow| -> Result<Document, Unreadable> {
            let (id, source, text) = (Value::from(row.id.as_str()), row.id.clone(), row.text.clone());
            Ok(Document { id, source, text, question: None })
        };
        let given = |cell: &Cell| match cell.status {
            Status::Ok | Status::Na => Some(answer_text(&cell.answer)),
            Status::Unparsable | Status::Failed => None,
        };
        let mut memory = match ledger {
            // What failed before is tried again.
            Some(ledger) => Memory::ledger(ledger, true),
            None => Memory::nothing(),
        };
        let columns = [answering::Column::of(&self.function, &self.fingerprint)];
        let (settings, mut answers) = (answering::Settings::new(&self.model), Vec::with_capacity(labelled.len()));
        rows(&columns, &mut labelled.iter().map(document), &mut memory, &settings, stop, &mut |one| {
            finished.fetch_add(1, Ordering::Relaxed);
            answers.push(one.row.cells.first().and_then(given));
            Ok(())
        })?;
        Ok(answers)
    }
}
