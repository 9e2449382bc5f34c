//! Predictions that are there already, by the authors' rules; no model.

use crate::error;
use crate::interrupt::interruptible;
use pyo3::prelude::*;
use saydo_protocol::natural_instructions::{self as ni, Given};
use saydo_protocol::super_natural_instructions::{self as sni, Predictions, Reference, References, Track};
use saydo_protocol::turking::{Gold, Outputs};
use saydo_protocol::zest::{PredictionFormat, read_predictions};
use saydo_protocol::{Mode, text, turking, zest};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::zest::read_records;
use saydo_task::problem::Place;
use saydo_task::source::Source;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What can go wrong with scores, whatever the protocol.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The mode of this name.
pub fn mode(py: Python<'_>, name: &str) -> PyResult<Mode> {
    match name {
        "strict" => Ok(Mode::Strict),
        "fixed" => Ok(Mode::Fixed),
        _ => Err(error::of_arguments(py, &format!("mode {name:?}, expected strict or fixed"))),
    }
}

/// Scores as JSON. Predictions and references are files, or lists of texts and of lists of texts.
#[pyfunction]
#[pyo3(signature = (protocol, *, prediction_file=None, reference_files=None, predictions=None, references=None, mode="strict", seed=0))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
pub fn score(
    py: Python<'_>,
    protocol: &str,
    prediction_file: Option<PathBuf>,
    reference_files: Option<Vec<PathBuf>>,
    predictions: Option<Vec<String>>,
    references: Option<Vec<Vec<String>>>,
    mode: &str,
    seed: u32,
) -> PyResult<String> {
    let mode = self::mode(py, mode)?;
    let work = || -> Result<Value, Failure> {
        match (prediction_file, reference_files, predictions, references) {
            (Some(predictions), references, None, None) => {
                of_files(protocol, &predictions, &references.unwrap_or_default(), mode, seed)
            }
            (None, None, Some(predictions), Some(references)) => {
                of_lists(protocol, predictions, references, mode, seed)
            }
            (None, Some(references), Some(predictions), None) if protocol == "zest" => {
                zest_of_texts(&predictions, one(&references)?, mode, seed)
            }
            _ => {
                Err("expected files of predictions and references, or lists of both; for zest, the gold is a file"
                    .into())
            }
        }
    };
    let scores = interruptible(py, &AtomicBool::new(false), &mut |_| Ok(()), work)?;
    scores.map(|scores| scores.to_string()).map_err(|error| error::of(py, error::Kind::Data, &*error))
}

fn of_files(
    protocol: &str,
    predictions: &Path,
    references: &[PathBuf],
    mode: Mode,
    seed: u32,
) -> Result<Value, Failure> {
    Ok(match protocol {
        "zest" => {
            let format = PredictionFormat::from_path(predictions);
            zest_of(&Source::load(predictions)?.text, format, one(references)?, mode, seed)?
        }
        "natural-instructions" => {
            let tasks: Vec<&Path> = references.iter().map(PathBuf::as_path).collect();
            serde_json::to_value(ni::score_among(&tasks, predictions, &ni::Options { mode, seed: seed.into() })?)?
        }
        "super-natural-instructions" => {
            let options = sni::Options { mode, seed: seed.into(), ..sni::Options::default() };
            serde_json::to_value(sni::score(one(references)?, predictions, &options)?)?
        }
        "turking" => {
            let tasks: Vec<Task> =
                Dataset::load(one(references)?)?.tasks.into_iter().map(|located| located.task).collect();
            let gold = Gold::new(&tasks)?;
            let outputs = Outputs::read(&Source::load(predictions)?, &gold)?;
            serde_json::to_value(turking::score(&gold, &outputs, seed.into())?)?
        }
        "text" if references.is_empty() => serde_json::to_value(text::score(predictions, seed.into())?)?,
        "text" => return Err("references in files of their own, expected them beside each prediction".into()),
        _ => return Err(unknown(protocol)),
    })
}

fn of_lists(
    protocol: &str,
    predictions: Vec<String>,
    references: Vec<Vec<String>>,
    mode: Mode,
    seed: u32,
) -> Result<Value, Failure> {
    if predictions.len() != references.len() {
        let message =
            format!("{} predictions and {} references, expected as many", predictions.len(), references.len());
        return Err(message.into());
    }
    if let Some(row) = references.iter().position(Vec::is_empty) {
        return Err(format!("row {row} has no reference, expected at least one").into());
    }
    if predictions.is_empty() {
        return Err("no predictions, expected at least one".into());
    }
    match protocol {
        "natural-instructions" => {
            let pairs = references.iter().map(Vec::as_slice).zip(predictions.iter().map(String::as_str));
            let given = Given { task: "task", encoding: None, predictions: pairs.collect() };
            let (files, _) = ni::score_given(&[given], &ni::Options { mode, seed: seed.into() })?;
            let file = files.first().ok_or("a list is scored as one file")?;
            let mut scores = serde_json::to_value(file)?;
            scores["scores"] = json!(file.scores);
            Ok(scores)
        }
        "super-natural-instructions" => {
            let reference = |(row, references): (usize, Vec<String>)| {
                let place = Place { file: PathBuf::from("references"), line: row + 1, column: 1 };
                let (id, track) = (row.to_string(), Some(Track::Default));
                Reference { id, references, task: None, category: None, track, place }
            };
            let references: References = references.into_iter().enumerate().map(reference).collect();
            let by_id = predictions.into_iter().enumerate().map(|(row, text)| (row.to_string(), text)).collect();
            // The evaluator wants both tracks; a list is of one.
            let options = sni::Options { mode: Mode::Fixed, seed: seed.into(), ..sni::Options::default() };
            let report = sni::evaluate(&references, &Predictions { by_id, repeated: 0 }, &options)?;
            let of_track = |name: &str| report.scores[&format!("{name}_default_track")].clone();
            let instances = report.instances.iter().map(|one| json!([one.exact_match, one.rouge_l]));
            Ok(json!({
                "exact_match": of_track("exact_match"),
                "rougeL": of_track("rougeL"),
                "n": report.instances.len(),
                "scores": instances.collect::<Vec<_>>(),
            }))
        }
        "text" => {
            let row = |(prediction, references)| text::Row { prediction, references, ..text::Row::default() };
            let rows: Vec<text::Row> = predictions.into_iter().zip(references).map(row).collect();
            let scores = text::score_rows(&rows);
            let mut report = serde_json::to_value(text::report(&rows, &scores, seed.into()))?;
            report["scores"] = scores.iter().map(|row| json!([row.rouge_l, row.exact_match, row.f1])).collect();
            Ok(report)
        }
        "zest" | "turking" => Err(format!("{protocol} with lists of references, expected the file of its gold").into()),
        _ => Err(unknown(protocol)),
    }
}

fn zest_of_texts(predictions: &[String], gold: &Path, mode: Mode, seed: u32) -> Result<Value, Failure> {
    let lines: Vec<String> = predictions.iter().map(|text| json!(text).to_string()).collect();
    zest_of(&lines.join("\n"), PredictionFormat::JsonLines, gold, mode, seed)
}

fn zest_of(predictions: &str, format: PredictionFormat, gold: &Path, mode: Mode, seed: u32) -> Result<Value, Failure> {
    let records = read_records(&Source::load(gold)?)?;
    let options = zest::Options { seed, ..zest::Options::from(mode) };
    let predictions = read_predictions(predictions, format, options.repairs)?;
    Ok(serde_json::to_value(zest::score(&records, &predictions, &options)?)?)
}

fn one(paths: &[PathBuf]) -> Result<&Path, Failure> {
    match paths {
        [path] => Ok(path),
        paths => Err(format!("{} files of references, expected one", paths.len()).into()),
    }
}

fn unknown(protocol: &str) -> Failure {
    let known = "zest, natural-instructions, super-natural-instructions, turking or text";
    format!("{protocol:?} is no protocol, expected {known}").into()
}
