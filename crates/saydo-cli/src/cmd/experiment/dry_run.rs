//! What an experiment would ask, and about how long that would take.

use crate::failure::Verdict;
use crate::output;
use crate::progress::Terminal;
use crate::table::Table;
use anyhow::Result;
use indicatif::HumanDuration;
use saydo::job::eval::Probe;
use saydo::job::experiment::{Experiment, Shared, cells};
use saydo::session::Places;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Prints the cells, a prompt of each, token counts and a time estimate. Trainings are checked, but not estimated.
pub fn print(experiment: &Experiment, shared: &Shared, places: &Places) -> Result<Verdict> {
    let cells = cells(experiment, shared)?;
    let mut terminal = Terminal::new(false);
    let mut table =
        Table::new(&["cell", "tasks", "samples", "prompt tokens (least, mean, most)", "about"]).with_words(&[4]);
    let mut prompts = String::new();
    let mut total = Some(Duration::ZERO);
    let mut probes: BTreeMap<&str, Probe> = BTreeMap::new();
    for cell in &cells {
        let is_new = !probes.contains_key(cell.asks());
        if is_new {
            let probe = Probe::new(&cell.evaluation(None), places, &mut |event| terminal.show(event))?;
            probes.insert(cell.asks(), probe);
        }
        let probe = &probes[cell.asks()];
        let [least, mean, most] = probe.prompt_tokens;
        total = total.zip(probe.time).map(|(total, time)| total + time);
        table.row([
            cell.name(),
            probe.tasks.to_string(),
            probe.samples.to_string(),
            format!("{least} {mean} {most}"),
            about(probe.time),
        ]);
        if is_new {
            let cut =
                if probe.is_cut { "\n(longer than the model reads: examples, then elements are dropped)" } else { "" };
            writeln!(prompts, "--- {} ---\n{}{cut}\n", cell.name(), probe.prompt)?;
        }
    }
    drop(terminal);
    let beside = if experiment.train.is_some() { ", trainings not counted" } else { "" };
    let title = format!("{}: {} cells, time {} in all{beside}", experiment.title, cells.len(), about(total));
    output::print(&format!("{title}\n\n{}\n{prompts}", table.render()))?;
    Ok(Verdict::Done)
}

/// A time that is known once an evaluation of the model has been run on this machine.
fn about(time: Option<Duration>) -> String {
    time.map_or_else(|| "unknown".to_owned(), |time| HumanDuration(time).to_string())
}
