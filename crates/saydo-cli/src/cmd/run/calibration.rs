//! `--calibrate`: where the line between an answer and NA runs best, on labelled rows.

use crate::output;
use crate::table::{Table, percent};
use anyhow::{Context, Result, bail};
use saydo_eval::labelled::{
    Forced, LabelledRow, OperatingPoint, answer_text, best_point, operating_points, read_labelled, row_verdict,
};
use saydo_function::{Function, Outcome};
use saydo_task::source::Source;
use std::path::Path;
use std::sync::Arc;

/// Enough to keep every answer from being NA, and little enough to be taken off again without loss.
const NEVER_NA: f64 = -1e6;
/// Operating points that are printed.
const MOST_POINTS: usize = 9;

/// The function with the line where F1 on the rows is best. The points it was chosen from are printed on stderr.
pub(super) fn calibrate(function: Function, path: &Path, column: Option<&str>) -> Result<Function> {
    let rows = read_labelled(&Source::load(path)?, column)?;
    if !function.spec().allows_na() {
        bail!("--calibrate finds where NA begins, but the task has no NA");
    }
    let function = function.with_na_bias(NEVER_NA);
    let forced = forced(&function, &rows)?;
    let points = operating_points(&forced);
    let best = best_point(&points).with_context(|| format!("{} holds no rows", path.display()))?;
    output::note(&format!("calibrated on {} rows of {}:\n{}", rows.len(), path.display(), render(&points, best)));
    Ok(function.with_na_bias(best.na_bias))
}

fn forced(function: &Function, rows: &[LabelledRow]) -> Result<Vec<Forced>> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; rows.len()];
    let progress = crate::progress::rows(rows.len());
    let mut documents = rows.iter().map(|row| Arc::from(row.text.as_str()));
    function.apply_each(&mut documents, &mut |index, outcome| {
        progress.inc(1);
        outcomes[index] = outcome.ok();
    })?;
    progress.finish_and_clear();
    let kind = &function.spec().kind;
    let mut forced = Vec::new();
    for (row, outcome) in rows.iter().zip(outcomes) {
        // Rows without a reply say nothing about the line, nor do empty documents.
        let Some(outcome) = outcome.filter(|outcome| !row.text.trim().is_empty() || outcome.na_log_odds.is_some())
        else {
            continue;
        };
        let na_log_odds = outcome
            .na_log_odds
            .context("--calibrate needs scores of given answers, which this model does not give; try a local model")?;
        let given = answer_text(&outcome.answer.to_json());
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
    let step = points.len().div_ceil(MOST_POINTS).max(1);
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
