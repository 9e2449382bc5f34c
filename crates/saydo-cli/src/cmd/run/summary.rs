//! What is said at the end of a run.

use super::plan::Plan;
use super::{Args, note};
use crate::model::Served;
use anyhow::{Context, Result};
use saydo_corpus::Column;
use saydo_openai::Tally;
use saydo_run::Repair;
use saydo_run::runner::{Counts, Summary};
use serde_json::json;
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
            for (column, counts) in plan.outputs().iter().zip(columns) {
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
    for tally in tallies(plan).iter().filter(|_| tallies(plan).len() > 1) {
        let Tally { url, answered, failed, set_aside, .. } = tally;
        note(args, &format!("{url}: {answered} answers, {failed} attempts failed, set aside {set_aside} times"));
    }
    plan.opened.notes().iter().for_each(|text| note(args, &format!("note: {text}")));
    if let Some(path) = &args.output_path {
        note(args, &format!("output: {}", path.display()));
    }
    note(args, &format!("run: {}", plan.path().display()));
}

/// Writes the same for programs, into the folder of the run.
pub(super) fn write(args: &Args, plan: &Plan, summary: &Summary, elapsed: Duration) -> Result<()> {
    let name = match args.shard {
        None => "summary.json".to_owned(),
        Some(shard) => format!("summary-{}-of-{}.json", shard.index(), shard.count()),
    };
    let column = |(column, counts): (&Column, &Counts)| {
        json!({
            "name": column.name,
            "ok": counts.ok,
            "na": counts.na,
            "unparsable": counts.unparsable,
            "failed": counts.failed,
            "ungrounded": counts.ungrounded,
        })
    };
    let server = |tally: &Tally| json!({"url": tally.url, "answered": tally.answered, "failed": tally.failed, "set_aside": tally.set_aside});
    let text = json!({
        "rows": summary.rows,
        "rows_failed": summary.rows_failed,
        "computed": summary.computed,
        "interrupted": summary.interrupted,
        "seconds": (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        "columns": plan.outputs().iter().zip(&summary.columns).map(column).collect::<Vec<_>>(),
        "servers": tallies(plan).iter().map(server).collect::<Vec<_>>(),
    });
    let path = plan.path().join(&name);
    saydo_file::write(&path, format!("{text:#}\n").as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// How the servers of the model did; none if it runs here.
fn tallies(plan: &Plan) -> Vec<Tally> {
    plan.opened.served.as_ref().map(Served::tallies).unwrap_or_default()
}

fn counted(counts: Counts) -> String {
    let Counts { ok, na, unparsable, failed, .. } = counts;
    format!("{ok} ok, {na} na, {unparsable} unparsable, {failed} failed")
}
