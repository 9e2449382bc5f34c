//! The result of scoring: per file, over all files, and by encoding.

use super::Options;
use super::encoding::{self, EncodingRow};
use super::error::Error;
use crate::{Mode, Quirk};
use saydo_metrics::bootstrap::{RESAMPLES, interval_of};
use saydo_metrics::mean::sequential_sum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The scores of all files. Scores are fractions; the papers print them times 100.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Each file's score, by file name.
    pub files: Vec<FileScore>,
    /// The mean of the files' scores.
    pub mean: f64,
    /// Its 95% interval over other tasks of this kind; that of the file if there is one file, none if there are several
    /// files of one task.
    pub interval: Option<[f64; 2]>,
    /// How it was scored.
    pub mode: Mode,
    /// What fixed scoring changed; none in strict mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// Files of a folder that were left out, and why.
    pub skipped: Vec<Skipped>,
    /// The mean over tasks for each way of writing the instruction, where file names tell it.
    pub by_encoding: Vec<EncodingRow>,
}

/// The score of one prediction file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileScore {
    /// The file's name without folders and without `.gz`.
    pub file: String,
    /// The id of its task.
    pub task: String,
    /// How many predictions were scored.
    pub n: usize,
    /// The mean ROUGE-L F-measure, each prediction against its best reference.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
    /// The 95% interval of that mean over other instances of the task.
    pub interval: Option<[f64; 2]>,
    /// Predictions for instances whose gold is not known; only where the task file is a part of the published one.
    #[serde(skip_serializing_if = "is_zero")]
    pub unscorable: usize,
    /// Predictions beyond the first for the same instance; they count like the others.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated: usize,
    /// The strict score, beside a fixed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<f64>,
    /// The score of each prediction, in file order, unscorable ones left out.
    #[serde(skip)]
    pub scores: Vec<f64>,
}

/// How far fixed scoring moved the mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moved {
    /// The quirk that was repaired.
    pub quirk: Quirk,
    /// The mean in strict mode.
    pub strict_mean: f64,
    /// The fixed mean less the strict one.
    pub by: f64,
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl Report {
    pub(super) fn new(
        path: &Path,
        mut files: Vec<FileScore>,
        mut skipped: Vec<Skipped>,
        options: &Options,
    ) -> Result<Report, Error> {
        files.sort_by(|a, b| a.file.cmp(&b.file));
        skipped.sort_by(|a, b| a.file.cmp(&b.file));
        let scores: Vec<f64> = files.iter().map(|file| file.rouge_l).collect();
        let Some(mean) = mean(&scores) else {
            return Err(Error::NothingScored { path: path.to_owned(), skipped });
        };
        let strict: Vec<f64> = files.iter().filter_map(|file| file.strict).collect();
        let moved = |strict_mean| Moved { quirk: Quirk(17), strict_mean, by: mean - strict_mean };
        Ok(Report {
            mean,
            interval: interval(&files, options.seed),
            mode: options.mode,
            moved: self::mean(&strict).map(moved),
            skipped,
            by_encoding: encoding::rows(&files),
            files,
        })
    }
}

fn mean(scores: &[f64]) -> Option<f64> {
    (!scores.is_empty()).then(|| sequential_sum(scores) / scores.len() as f64)
}

/// Files of one task are alike, so tasks are resampled, each with all its files.
fn interval(files: &[FileScore], seed: u64) -> Option<[f64; 2]> {
    if let [file] = files {
        return file.interval;
    }
    let mut tasks = BTreeMap::<&str, (f64, usize)>::new();
    for file in files {
        let (sum, count) = tasks.entry(&file.task).or_default();
        *sum += file.rouge_l;
        *count += 1;
    }
    let tasks: Vec<(f64, usize)> = tasks.into_values().collect();
    if tasks.len() < 2 {
        return None;
    }
    let mean_of_files = |drawn: &[usize]| {
        let (sum, count) = drawn.iter().fold((0.0, 0), |(sum, count), &i| (sum + tasks[i].0, count + tasks[i].1));
        sum / count as f64
    };
    interval_of(tasks.len(), RESAMPLES, seed, mean_of_files).map(|interval| [interval.low, interval.high])
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
