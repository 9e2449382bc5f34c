//! What is said at the end of a run.

use super::{Args, note};
use saydo::answering::Counts;
use saydo::job::run::{Report, Run};
use saydo::record::Repair;
use saydo_openai::Tally;

/// Says how many rows went how, how fast, and where everything is.
pub(super) fn print(args: &Args, run: &Run, report: &Report, repair: Repair) {
    let Report { summary, elapsed, servers } = report;
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
            for (column, counts) in run.outputs().iter().zip(columns) {
                note(args, &format!("  {}: {}", column.name, counted(*counts)));
            }
        }
    }
    let ungrounded: u64 = summary.columns.iter().map(|counts| counts.ungrounded).sum();
    if ungrounded > 0 {
        note(args, &format!("{ungrounded} pieces of replies were left out because their document does not hold them"));
    }
    if repair.damaged_lines > 0 {
        note(args, &format!("{} damaged lines of the ledger were passed over", repair.damaged_lines));
    }
    for tally in servers.iter().filter(|_| servers.len() > 1) {
        let Tally { url, answered, failed, set_aside, .. } = tally;
        note(args, &format!("{url}: {answered} answers, {failed} attempts failed, set aside {set_aside} times"));
    }
    run.session.notes().iter().for_each(|text| note(args, &format!("note: {text}")));
    if let Some(path) = &args.output_path {
        note(args, &format!("output: {}", path.display()));
    }
    note(args, &format!("run: {}", run.path().display()));
}

fn counted(counts: Counts) -> String {
    let Counts { ok, na, unparsable, failed, .. } = counts;
    format!("{ok} ok, {na} na, {unparsable} unparsable, {failed} failed")
}
