//! What is said at the end of a run.

use super::{Args, note, plan::Plan};
use saydo_run::Repair;
use saydo_run::runner::{Counts, Summary};
use std::time::Duration;

/// Says how many rows went how, how fast, and where everything is.
pub(super) fn print(args: &Args, plan: &Plan, summary: &Summary, repair: Repair, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let rate = summary.rows as f64 / seconds.max(1e-3);
    let cells = summary.rows * summary.columns.len() as u64;
    let found = match cells.saturating_sub(summary.computed) {
        0 => String::new(),
        found => format!(", {found} answers not computed anew"),
    };
    match summary.columns.as_slice() {
        [counts] => {
            note(args, &format!("{} rows: {}; {seconds:.1} s, {rate:.1} rows/s{found}", summary.rows, counted(*counts)))
        }
        columns => {
            note(args, &format!("{} rows; {seconds:.1} s, {rate:.1} rows/s{found}", summary.rows));
            for (named, counts) in plan.functions.iter().zip(columns) {
                note(args, &format!("  {}: {}", named.name, counted(*counts)));
            }
        }
    }
    if repair.damaged_lines > 0 {
        note(args, &format!("{} damaged lines of the ledger were passed over", repair.damaged_lines));
    }
    plan.opened.notes().iter().for_each(|text| note(args, &format!("note: {text}")));
    if let Some(path) = &args.output_path {
        note(args, &format!("output: {}", path.display()));
    }
    note(args, &format!("run: {}", plan.path().display()));
}

fn counted(counts: Counts) -> String {
    let Counts { ok, na, unparsable, failed } = counts;
    format!("{ok} ok, {na} na, {unparsable} unparsable, {failed} failed")
}
