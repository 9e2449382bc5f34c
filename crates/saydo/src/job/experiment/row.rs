//! The rows of an experiment, one for each cell, and its tables.

use super::cell::Cell;
use super::file::Experiment;
use super::paper;
use saydo_protocol::Scores;
use saydo_protocol::reading::TypeScores;
use saydo_protocol::score::{Detail, Row as ScoreRow};
use saydo_protocol::table::{SEEN, Table};
use saydo_protocol::zest::ZestScores;
use saydo_task::Generalization;
use serde::Serialize;
use std::path::Path;

/// What became of a cell, under one way of asking.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Row {
    /// The values of the axes.
    pub cell: Vec<(String, String)>,
    /// The layout and decoding, where a cell has several.
    pub way: String,
    /// The score of each group, in percent.
    pub groups: Vec<(String, f64)>,
    /// Every metric that the experiment asks for, over all tasks and over each group.
    pub values: Vec<Value>,
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

/// A metric over some tasks, in percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Value {
    /// Which tasks: a group's name, or [`Value::ALL`].
    pub group: String,
    /// The metric.
    pub metric: String,
    /// The value.
    pub score: f64,
    /// Its 95% interval.
    pub interval: Option<[f64; 2]>,
}

impl Value {
    /// The group of all tasks.
    pub const ALL: &str = "overall";
    /// ZEST's own metrics, in the paper's order.
    pub const COMPETENCE: [&str; 3] = ["mean", "C@75", "C@90"];

    /// One of ZEST's own metrics, from fractions.
    fn of_competence(group: &str, number: usize, score: f64, interval: Option<[f64; 2]>) -> Self {
        let (group, metric) = (group.to_owned(), Self::COMPETENCE[number].to_owned());
        Self { group, metric, score: 100.0 * score, interval: interval.map(percent) }
    }
}

fn percent([low, high]: [f64; 2]) -> [f64; 2] {
    [100.0 * low, 100.0 * high]
}

/// The values of the first way of asking, under these metrics, over all tasks and by group.
fn values(scores: &Scores, by: &str, metrics: &[String]) -> Vec<Value> {
    let of_rows = metrics.iter().flat_map(|metric| {
        let rows = scores.rows.iter().filter(move |row| row.metric == *metric);
        let all = rows.clone().find(|row| row.by == "all");
        let is_of = move |row: &&ScoreRow| {
            (row.by == by || row.by == "all")
                && all.is_some_and(|all| row.layout == all.layout && row.decoding == all.decoding)
        };
        rows.filter(is_of).map(|row| Value {
            group: if row.by == "all" { Value::ALL.to_owned() } else { row.name.clone() },
            metric: row.metric.clone(),
            score: 100.0 * row.mean,
            interval: row.interval.map(percent),
        })
    });
    let of_rows: Vec<Value> = of_rows.collect();
    let competence = match &scores.detail {
        Detail::Zest(ways) => ways.values().next().map(|result| of_zest(&result.scores)).unwrap_or_default(),
        // Several files of one data set are one source only if they lie in a folder.
        Detail::Reading(sources) => sources.first().map(|source| of_types(&source.types)).unwrap_or_default(),
        _ => Vec::new(),
    };
    let competence = competence.into_iter().filter(|value| metrics.contains(&value.metric));
    of_rows.into_iter().chain(competence).collect()
}

/// ZEST's metrics of each type of generalization and of all, over questions that any source asks.
fn of_types(types: &[TypeScores]) -> Vec<Value> {
    let of_type = |row: &TypeScores| {
        let group = if row.name == TypeScores::AVERAGE { Value::ALL } else { &row.name };
        (0..3)
            .map(|number| {
                let interval = row.intervals.map(|intervals| intervals[number]);
                Value::of_competence(group, number, row.scores[number], interval)
            })
            .collect::<Vec<_>>()
    };
    types.iter().flat_map(of_type).collect()
}

/// The same as ZEST's own scorer gives them.
fn of_zest(result: &ZestScores) -> Vec<Value> {
    let official = result.official.rows.0.iter().map(|(key, row)| (key.as_str(), row));
    let competence = official.chain([("average", &result.official.average)]).flat_map(|(key, row)| {
        let group = match key {
            "average" => Value::ALL.to_owned(),
            key => Generalization::from_key(key).name().to_owned(),
        };
        let interval = result.intervals.as_ref().and_then(|intervals| intervals.get(key));
        let intervals = interval.map(|interval| [interval.mean, interval.at_75, interval.at_90]);
        let cells = row.cells();
        (0..cells.len()).map(move |number| {
            Value::of_competence(&group, number, cells[number], intervals.map(|intervals| intervals[number]))
        })
    });
    competence.collect()
}

/// The row of a cell: its first way of asking, which is the only one unless the cell asks for several.
pub fn row(experiment: &Experiment, cell: &Cell, folder: &Path, scores: &Scores) -> Row {
    let mut metrics = experiment.metrics();
    if metrics.is_empty() {
        metrics.push(scores.protocol.metrics()[0].to_owned());
    }
    let values = values(scores, experiment.columns.as_deref().unwrap_or_default(), &metrics);
    let shown = || values.iter().filter(|value| value.metric == metrics[0]);
    let (overall, groups): (Vec<&Value>, Vec<&Value>) = shown().partition(|value| value.group == Value::ALL);
    // ZEST's own metrics have no rows, but are measured on the same tasks and samples.
    let rows = || scores.rows.iter().filter(|row| row.by == "all");
    let all = rows().find(|row| row.metric == metrics[0]).or_else(|| rows().next());
    Row {
        cell: cell.values.clone(),
        way: all.map_or_else(String::new, |all| format!("{}, {}", all.layout, all.decoding)),
        groups: groups.into_iter().map(|value| (value.group.clone(), value.score)).collect(),
        score: overall.first().map_or(f64::NAN, |value| value.score),
        interval: overall.first().and_then(|value| value.interval),
        tasks: all.map_or(0, |all| all.tasks),
        samples: all.map_or(0, |all| all.samples),
        failed: scores.failed,
        seen: scores.seen,
        folder: folder.display().to_string(),
        values,
    }
}

/// The paper's tables, and behind them the table of all cells.
pub fn tables(experiment: &Experiment, all: &[Row]) -> Vec<Table> {
    let (header, rows) = cells(experiment, all);
    let note = experiment.note.trim().to_owned();
    let whole = Table { title: title(experiment), note, header, rows };
    paper::tables(experiment, all).into_iter().chain([whole]).collect()
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
        let values = || row.cell.iter().map(|(_, value)| value.clone()).collect();
        let mut lead: Vec<String> = if row.cell.is_empty() { vec![row.way.clone()] } else { values() };
        if row.seen > 0 {
            lead[0] += SEEN;
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
