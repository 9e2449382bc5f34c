//! What is plotted of runs: which numbers, in which chart, in which words.

mod calibration;
mod category;
mod competence;
mod curve;
mod length;
mod position;
mod seen_tasks;
mod spread;
mod turking;

use crate::Run;
use crate::chart::{Chart, Estimate};
use saydo_protocol::Protocol;
use saydo_protocol::table::Table;

/// A chart with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// The chart.
    pub chart: Chart,
}

impl Figure {
    /// The values as a table, with the figure's words.
    pub fn table(&self) -> Table {
        let mut table = self.chart.table(&self.title);
        table.note.clone_from(&self.note);
        table
    }
}

/// Everything that there is to plot of these runs, which are of one protocol.
pub fn figures(runs: &[Run], seed: u64) -> Vec<Figure> {
    let mut figures = Vec::new();
    match runs.first().map(|run| run.scores.protocol) {
        Some(Protocol::Zest) => figures.extend(competence::figures(runs)),
        Some(Protocol::Turking) => figures.extend(turking::figure(runs)),
        Some(_) => figures.extend(category::figure(runs)),
        None => {}
    }
    figures.extend(seen_tasks::figure(runs));
    figures.extend(length::figure(runs, seed));
    figures.extend(position::figures(runs, seed));
    figures.extend(calibration::figure(runs));
    figures.extend(spread::figure(runs));
    figures.extend(curve::figure(runs));
    figures
}

/// The headline metric as people write it.
fn measure(run: &Run) -> &'static str {
    match run.metric() {
        "rougeL" => "ROUGE-L",
        "f1" => "F1",
        "accuracy" => "accuracy",
        other => other,
    }
}

/// Shares as percent.
fn estimate(value: f64, interval: Option<[f64; 2]>) -> Estimate {
    Estimate { value: 100.0 * value, interval: interval.map(|interval| interval.map(|bound| 100.0 * bound)) }
}

/// The mean of shares in percent; none over nothing.
fn mean(values: &[f64], seed: u64) -> Option<Estimate> {
    let mean = saydo_metrics::mean::numpy_mean(values)?;
    let interval = saydo_metrics::bootstrap::mean_interval(values, seed);
    Some(estimate(mean, interval.map(|interval| [interval.low, interval.high])))
}

#[cfg(test)]
mod tests;
