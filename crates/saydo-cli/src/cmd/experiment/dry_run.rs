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
use std::fmt::Write as _;
use std::time::Duration;

/// Prints the cells, a prompt of each, token counts and a time estimate. Trainings are checked, but not estimated.
pub fn print(experiment: &Experiment, shared: &Shared, places: &Places) -> Result<Verdict> {
    let cells = cells(experiment, shared)?;
    let mut terminal = Terminal::new(false);
    let mut table =
        Table::new(&["cell", "tasks", "samples", "prompt tokens (least, mean, most)", "about"]).with_words(&[4]);
    let mut prompts = String::new();
    let mut total = 0.0;
    for cell in &cells {
        let probe = Probe::new(&cell.evaluation(None), places, &mut |event| terminal.show(event))?;
        let [least, mean, most] = probe.prompt_tokens;
        total += probe.seconds;
        table.row([
            cell.name(),
            probe.tasks.to_string(),
            probe.samples.to_string(),
            format!("{least} {mean} {most}"),
            about(probe.seconds),
        ]);
        writeln!(prompts, "--- {} ---\n{}\n", cell.name(), probe.prompt)?;
    }
    drop(terminal);
    let beside = if experiment.train.is_some() { ", trainings not counted" } else { "" };
    let title = format!("{}: {} cells, about {} in all{beside}", experiment.title, cells.len(), about(total));
    output::print(&format!("{title}\n\n{}\n{prompts}", table.render()))?;
    Ok(Verdict::Done)
}

fn about(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds).map_or_else(|_| "unknown".to_owned(), |time| HumanDuration(time).to_string())
}
