//! Natural Instructions v1: ROUGE-L of prediction files against the outputs of their tasks.
//!
//! A prediction is scored by the best of its references, a file by the mean of its predictions, and a paper's number is
//! the mean of files. The reference program reads one task and one prediction file at a time; here a folder of each is
//! paired by name and scored at once, every task read once and every reference split into tokens once. Rules N1
//! and N2 of docs/metrics.md; the table by encoding is the one of docs/scoring.md.

mod encoding;
mod error;
pub mod gain;
mod pairing;
pub(crate) mod plan;
mod prediction;
mod quick;
mod reference;
pub(crate) mod replayed;
mod report;
pub(crate) mod score;
mod scorer;
mod stored;
pub mod survey;
pub(crate) mod table;

pub use encoding::{Cell, EncodingRow};
pub use error::Error;
pub use report::{FileScore, Moved, Report, Skipped};
pub use stored::{Given, Stored, score_given, stored};

use crate::Mode;
use pairing::{Group, Plan};
use rayon::prelude::*;
use reference::References;
use saydo_task::source::Source;
use scorer::TaskScorer;
use std::path::Path;

/// How predictions are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Strict scores the raw continuation, as the reference does. Fixed takes its first line: leading white space is
    /// dropped, then everything from the first line end (Q17), and the report says how far that moved the mean.
    pub mode: Mode,
    /// Seeds the resampling behind the intervals.
    pub seed: u64,
}

/// Scores a prediction file, or every prediction file of a folder, against a task file or a folder of them.
///
/// A file's task is its name up to the first `@`. A single task file serves a single prediction file whatever its
/// name. In a folder, files whose task is not at hand and files without predictions are skipped and listed; anything
/// wrong inside a file stops the run.
///
/// ```no_run
/// use saydo_protocol::natural_instructions::{Options, score};
/// use std::path::Path;
///
/// let report = score(Path::new("tasks"), Path::new("gpt3_predictions"), &Options::default())?;
/// println!("{:.1}", 100.0 * report.mean);
/// # Ok::<(), saydo_protocol::natural_instructions::Error>(())
/// ```
pub fn score(tasks: &Path, predictions: &Path, options: &Options) -> Result<Report, Error> {
    score_among(&[tasks], predictions, options)
}

/// As [`score()`], with the task files under several paths: what a published folder lacks may stand elsewhere.
pub fn score_among(tasks: &[&Path], predictions: &Path, options: &Options) -> Result<Report, Error> {
    let Plan { groups, mut skipped, is_folder } = pairing::plan(tasks, predictions)?;
    // Results come in the order of the plan, so that of several errors always the same one is reported.
    let outcomes: Vec<_> = groups.par_iter().map(|group| score_group(group, options)).collect();
    let mut files = Vec::new();
    for outcome in outcomes {
        for file in outcome? {
            match file {
                Ok(file) => files.push(file),
                Err(error) if is_folder && error.leaves_others_scorable() => skipped.push(error.into_skipped()),
                Err(error) => return Err(error),
            }
        }
    }
    Report::new(predictions, files, skipped, options)
}

/// Scores the prediction files of one task, each on its own; the outer error is that of the task.
fn score_group(group: &Group, options: &Options) -> Result<Vec<Result<FileScore, Error>>, Error> {
    let read = || group.files.par_iter().map(|path| prediction::load(path)).collect::<Vec<_>>();
    let (source, read) = rayon::join(|| Source::load(&group.task_file), read);
    let source = source?;
    let references = References::parse(&source, &group.task)?;
    let mut scorer = TaskScorer::new(&references, &group.task, options);
    Ok(group.files.iter().zip(read).map(|(path, predictions)| scorer.score_file(path, &predictions?)).collect())
}

#[cfg(test)]
mod tests;
