//! `--calibrate`: where the line between an answer and NA runs best, on labelled rows.

use crate::kept::Kept;
use crate::output;
use crate::table::{Table, percent};
use anyhow::{Context, Result, bail};
use saydo::answering::Detail;
use saydo_corpus::Status;
use saydo_function::Function;
use saydo_protocol::labelled::{
    Forced, LabelledRow, OperatingPoint, answer_text, best_point, operating_points, read_labelled, row_verdict,
};
use saydo_task::source::Source;
use std::path::Path;

/// Enough to keep every answer from being NA, and little enough to be taken off again without loss.
const NEVER_NA: f64 = -1e6;
/// Operating points that are printed.
const MAX_POINTS: usize = 9;

/// The function with the line where F1 on the rows is best. The points it was chosen from are printed on stderr.
pub(super) fn calibrate(function: Function, path: &Path, column: Option<&str>, kept: &Kept<'_>) -> Result<Function> {
    let rows = read_labelled(&Source::load(path)?, column)?;
    if !function.spec().allows_na() {
        bail!("--calibrate finds where NA begins, but the task has no NA");
    }
    let function = function.with_na_bias(NEVER_NA);
    let forced = forced(&function, &rows, kept)?;
    let points = operating_points(&forced);
    let best = best_point(&points).with_context(|| format!("{} holds no rows", path.display()))?;
    output::note(&format!("calibrated on {} rows of {}:\n{}", rows.len(), path.display(), render(&points, best)));
    Ok(function.with_na_bias(best.na_bias))
}

fn forced(function: &Function, rows: &[LabelledRow], kept: &Kept<'_>) -> Result<Vec<Forced>> {
    let cells = kept.answers(function, rows.iter().map(|row| row.text.as_str()), Detail::NaLogOdds)?;
    let kind = &function.spec().kind;
    let mut forced = Vec::new();
    for (row, cell) in rows.iter().zip(cells) {
        // Rows without a reply say nothing about the line, nor do empty documents.
        let has_reply = matches!(cell.status, Status::Ok | Status::Na);
        if !has_reply || row.text.trim().is_empty() && cell.na_log_odds.is_none() {
            continue;
        }
        let na_log_odds = cell
            .na_log_odds
            .context("--calibrate needs scores of given answers, which this model does not give; try a local model")?;
        let given = answer_text(&cell.answer);
        forced.push(Forced {
            na_log_odds: na_log_odds - NEVER_NA,
            answered: row_verdict(kind, &row.gold, Some(&given)),
            na: row_verdict(kind, &row.gold, Some("n/a")),
        });
    }
    Ok(forced)
}

/// A few points from all NA to none, the chosen one among them.
fn render(points: &[OperatingPoint], best: OperatingPoint) -> String {
    let mut table = Table::new(&["bias", "answered", "precision", "recall", "F1", ""]).with_words(&[5]);
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    for (number, point) in points.iter().enumerate() {
        if number % step == 0 || *point == best {
            let mark = if *point == best { "chosen" } else { "" };
            table.row([
                format!("{:+.2}", point.na_bias),
                percent(point.answered),
                percent(point.precision),
                percent(point.recall),
                percent(point.f1),
                mark.to_owned(),
            ]);
        }
    }
    table.render()
}
