//! A declared grid of evaluations and trainings as one job that resumes, with one table at the end.

mod cell;
mod file;
mod paper;
mod row;
mod settings;

pub use cell::{Cell, Shared, cells};
pub use file::{Experiment, PaperTable, Published, PublishedAt, Source};
pub use row::{Row, Value, tables};

use super::{Watch, eval, note, train};
use crate::Error;
use crate::session::Places;
use saydo_protocol::record::write_json;
use saydo_protocol::table::Table;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What came of an experiment.
#[derive(Debug, Clone)]
pub struct Report {
    /// A row for each cell.
    pub rows: Vec<Row>,
    /// The paper's tables, and the table of all cells.
    pub tables: Vec<Table>,
    /// The tables for a document.
    pub path: PathBuf,
}

/// Runs every cell that is not finished, and writes `table.md` and `table.json`.
pub fn run(
    experiment: &Experiment,
    shared: &Shared,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<Report, Error> {
    let cells = cells(experiment, shared)?;
    let all = cells.len();
    let mut rows = Vec::new();
    for (number, cell) in cells.iter().enumerate() {
        note(watch, &format!("cell {} of {all}: {}", number + 1, cell.name()));
        let within = |source| Error::Cell { name: cell.name(), source: Box::new(source) };
        rows.push(run_cell(experiment, cell, places, watch, stop).map_err(within)?);
        if stop.load(Ordering::Relaxed) && number + 1 < all {
            return Err(Error::Interrupted { left: all - number - 1, unit: "cells" });
        }
    }
    let tables = tables(experiment, &rows);
    let path = shared.folder.join("table.md");
    let text = tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n");
    saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))?;
    write_json(&shared.folder.join("table.json"), &rows)?;
    Ok(Report { rows, tables, path })
}

fn run_cell(
    experiment: &Experiment,
    cell: &Cell,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<Row, Error> {
    let training = cell.training().map(|training| train::train_at(training, places, watch, stop)).transpose()?;
    let trained = training.as_ref().map(|report| &report.trainings[0]);
    let report = eval::evaluate_at(&cell.evaluation(trained), places, watch, stop)?;
    Ok(row::row(experiment, cell, &report.folder, &report.scores))
}
