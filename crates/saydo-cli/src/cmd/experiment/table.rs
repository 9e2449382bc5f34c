//! The one table of an experiment: a row for each cell, the paper's rows below.

use super::cell::Cell;
use super::file::Experiment;
use crate::table::Table;
use saydo_protocol::Scores;
use saydo_protocol::score::Row as ScoreRow;
use saydo_protocol::summary;
use serde::Serialize;
use std::path::Path;

/// What became of a cell, under one way of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The values of the axes.
    pub cell: Vec<(String, String)>,
    /// The layout and decoding, where a cell has several.
    pub way: String,
    /// The score of each group, in percent.
    pub groups: Vec<(String, f64)>,
    /// The score over all tasks, in percent.
    pub score: f64,
    /// Its 95% interval.
    pub interval: Option<[f64; 2]>,
    /// Tasks.
    pub tasks: usize,
    /// Samples.
    pub samples: usize,
    /// Samples that failed.
    pub failed: usize,
    /// Samples that the model had learned.
    pub seen: usize,
    /// The run's folder.
    pub folder: String,
}

/// The row of a cell: its first way of asking, which is the only one unless the cell asks for several.
pub fn row(experiment: &Experiment, cell: &Cell, folder: &Path, scores: &Scores) -> Row {
    let metric = experiment.metric.as_deref().unwrap_or(scores.protocol.metrics()[0]);
    let all = scores.rows.iter().find(|row| row.by == "all" && row.metric == metric);
    let by = experiment.columns.as_deref().unwrap_or_default();
    let is_of = |row: &&ScoreRow| {
        row.by == by
            && row.metric == metric
            && all.is_some_and(|all| row.layout == all.layout && row.decoding == all.decoding)
    };
    let groups = scores.rows.iter().filter(is_of).map(|row| (row.name.clone(), 100.0 * row.mean)).collect();
    Row {
        cell: cell.values.clone(),
        way: all.map_or_else(String::new, |all| format!("{}, {}", all.layout, all.decoding)),
        groups,
        score: all.map_or(f64::NAN, |all| 100.0 * all.mean),
        interval: all.and_then(|all| all.interval).map(|[low, high]| [100.0 * low, 100.0 * high]),
        tasks: all.map_or(0, |all| all.tasks),
        samples: all.map_or(0, |all| all.samples),
        failed: scores.failed,
        seen: scores.seen,
        folder: folder.display().to_string(),
    }
}

/// The table for a terminal.
pub fn text(experiment: &Experiment, rows: &[Row]) -> String {
    let (header, cells) = cells(experiment, rows);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let words: Vec<usize> = (1..rows.first().map_or(1, |row| row.cell.len().max(1))).collect();
    let mut table = Table::new(&header).with_words(&words);
    cells.into_iter().for_each(|row| table.row(row));
    let note = if experiment.note.is_empty() { String::new() } else { format!("\n{}\n", experiment.note.trim()) };
    format!("{}\n\n{}{note}", title(experiment), table.render())
}

/// The table for a document.
pub fn markdown(experiment: &Experiment, rows: &[Row]) -> String {
    let (header, rows) = cells(experiment, rows);
    let note = experiment.note.trim().to_owned();
    summary::Table { title: title(experiment), note, header, rows }.markdown()
}

fn title(experiment: &Experiment) -> String {
    match experiment.follows.as_str() {
        "" => experiment.title.clone(),
        follows => format!("{} ({follows})", experiment.title),
    }
}

fn cells(experiment: &Experiment, rows: &[Row]) -> (Vec<String>, Vec<Vec<String>>) {
    let axes: Vec<String> =
        rows.first().map_or_else(Vec::new, |row| row.cell.iter().map(|(axis, _)| axis.clone()).collect());
    let mut groups: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.groups) {
        if !groups.contains(&name.as_str()) {
            groups.push(name);
        }
    }
    let metric = experiment.metric.clone().unwrap_or_else(|| "score".to_owned());
    let lead = if axes.is_empty() { vec!["run".to_owned()] } else { axes };
    let tail = [metric, "95%".to_owned(), "tasks".to_owned(), "samples".to_owned()];
    let header = [lead.clone(), groups.iter().map(|name| (*name).to_owned()).collect(), tail.to_vec()].concat();
    let own = rows.iter().map(|row| {
        let mut lead: Vec<String> = match row.cell.is_empty() {
            true => vec![row.way.clone()],
            false => row.cell.iter().map(|(_, value)| value.clone()).collect(),
        };
        if row.seen > 0 {
            lead[0] += summary::SEEN;
        }
        let group = |name: &&str| {
            let found = row.groups.iter().find(|(other, _)| other == name);
            found.map_or_else(String::new, |(_, score)| format!("{score:.1}"))
        };
        let range = row.interval.map_or_else(String::new, |[low, high]| format!("{low:.1}-{high:.1}"));
        let tail = [format!("{:.1}", row.score), range, row.tasks.to_string(), row.samples.to_string()];
        lead.into_iter().chain(groups.iter().map(group)).chain(tail).collect::<Vec<String>>()
    });
    let published = experiment.published.iter().map(|published| {
        let mut row = vec![String::new(); header.len()];
        row[0] = format!("published: {}", published.name);
        row[lead.len() + groups.len()] = format!("{:.1}", published.score);
        row
    });
    let rows = own.chain(published).collect();
    (header, rows)
}
