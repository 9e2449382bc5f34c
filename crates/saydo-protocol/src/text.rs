//! Scores for anyone's texts: rows of a prediction and its references, by the three measures that need nothing else.
//!
//! ROUGE-L and exact match are those of the Super-NaturalInstructions evaluator on its default track, token F1 that of
//! SQuAD; a prediction counts by its best reference. Every mean comes with its count and interval, and if rows name a
//! group, with a breakdown.

mod input;
mod report;
pub(crate) mod rows;

pub use input::Row;
pub use report::{Group, Measure, Report, Scores};

use rayon::prelude::*;
use saydo_metrics::exact::exact_match;
use saydo_metrics::rouge::{RougeScorer, rouge_l};
use saydo_metrics::token_f1::token_f1;
use saydo_task::source::Source;
use std::path::Path;

/// How many rows one thread scores at a time; it stems each word once for all of them.
const CHUNK: usize = 256;

/// Why rows could not be scored: the file cannot be read, or a row is wrong, with its place.
pub type Error = saydo_task::Error;

/// The scores of one row, as fractions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowScore {
    /// ROUGE-L F-measure.
    pub rouge_l: f64,
    /// Whether the prediction equals a reference but for case, punctuation and spacing.
    pub exact_match: bool,
    /// F1 of the bags of words.
    pub f1: f64,
}

/// Scores a JSON Lines file of `{"prediction", "references"}`. The references are a list or one string; `id` and `group`
/// (or `task`) may name the row and the group it counts in.
///
/// An empty file is an error, since nothing has no mean.
pub fn score(path: &Path, seed: u64) -> Result<Report, Error> {
    let rows = input::read(&Source::load(path)?)?;
    Ok(Report::new(&rows, &score_rows(&rows), seed))
}

/// The report on rows whose scores are these, as [`score_rows`] gives them. There must be at least one row.
pub fn report(rows: &[Row], scores: &[RowScore], seed: u64) -> Report {
    Report::new(rows, scores, seed)
}

/// The scores of each row, in order.
///
/// ```
/// use saydo_protocol::text::{Row, score_rows};
///
/// let references = vec!["the red car".to_owned(), "a bus".to_owned()];
/// let row = Row { prediction: "A bus!".to_owned(), references, ..Row::default() };
/// assert!(score_rows(&[row])[0].exact_match);
/// ```
pub fn score_rows(rows: &[Row]) -> Vec<RowScore> {
    let score_chunk = |chunk: &[Row]| {
        let mut rouge = RougeScorer::new();
        chunk.iter().map(|row| score_row(row, &mut rouge)).collect::<Vec<_>>()
    };
    rows.par_chunks(CHUNK).flat_map_iter(score_chunk).collect()
}

fn score_row(row: &Row, rouge: &mut RougeScorer) -> RowScore {
    let prediction = rouge.encode(&row.prediction);
    let best = |scores: &mut dyn Iterator<Item = f64>| scores.fold(0.0, f64::max);
    let mut rouge_scores =
        row.references.iter().map(|reference| rouge_l(&prediction, &rouge.encode(reference)).f_measure);
    RowScore {
        rouge_l: best(&mut rouge_scores),
        exact_match: exact_match(&row.prediction, &row.references),
        f1: best(&mut row.references.iter().map(|reference| token_f1(&row.prediction, reference))),
    }
}

#[cfg(test)]
mod tests;
