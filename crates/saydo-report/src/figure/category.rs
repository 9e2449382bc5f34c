//! The headline metric by category and way of asking: bars, or a field of cells where there are many ways
//! (Natural Instructions' Table 5).

use super::{Figure, estimate, measure};
use crate::Run;
use crate::chart::{Chart, Estimate, Series};
use saydo_protocol::score::Row;

/// With more ways than these, bars would be hair.
const MOST_BARS: usize = 4;
/// Groups that tasks are put into, by preference; the last is there always.
const GROUPS: [&str; 2] = ["category", "task"];
/// The last group: all tasks together.
const ALL: &str = "mean over tasks";

/// A run's way of asking, with its value for each group.
struct Way {
    name: String,
    /// Whether every task of the run was asked in this way.
    is_whole: bool,
    values: Vec<Option<Estimate>>,
}

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let first = runs.first()?;
    let has = |by: &&str| runs.iter().any(|run| run.scores.rows.iter().any(|row| row.by == **by));
    let by = GROUPS.into_iter().find(|by| has(by))?;
    let groups = groups(runs, by);
    let ways: Vec<Way> = runs.iter().flat_map(|run| ways(run, by, &groups, runs.len() > 1)).collect();
    let labels: Vec<String> = groups.iter().map(|group| (*group).to_owned()).chain([ALL.to_owned()]).collect();
    let measure = measure(first).to_owned();
    let (chart, note) = if ways.len() <= MOST_BARS {
        let series = ways.into_iter().map(|way| Series { name: way.name, values: way.values }).collect();
        let note = "Whiskers: 95%, over tasks, or over instances of a single task.";
        (Chart::Bars { groups: labels, series, measure }, note)
    } else {
        let row = |way: Way| Series {
            name: way.name,
            values: way.values.iter().map(|value| value.map(|value| value.value)).collect(),
        };
        // The mean over fewer tasks says nothing beside one over all.
        let rows = ways.into_iter().filter(|way| way.is_whole).map(row).collect();
        let note = "A row for each way of asking that every task was asked in; the fuller the color, the higher.";
        (Chart::Heat { columns: labels, rows }, note)
    };
    let title = match &chart {
        Chart::Heat { .. } => format!("{} by encoding and {by}", self::measure(first)),
        _ => format!("{} by {by}", self::measure(first)),
    };
    Some(Figure { title, note: note.to_owned(), chart })
}

/// The names of the groups in the order of first appearance.
fn groups<'a>(runs: &'a [Run], by: &str) -> Vec<&'a str> {
    let mut groups = Vec::new();
    for row in runs.iter().flat_map(|run| &run.scores.rows).filter(|row| row.by == by) {
        if !groups.contains(&row.name.as_str()) {
            groups.push(row.name.as_str());
        }
    }
    groups
}

fn ways(run: &Run, by: &str, groups: &[&str], names_run: bool) -> Vec<Way> {
    let rows: Vec<&Row> = run.scores.rows.iter().filter(|row| row.metric == run.metric()).collect();
    let all: Vec<&&Row> = rows.iter().filter(|row| row.by == "all").collect();
    let whole = all.iter().map(|row| row.tasks).max().unwrap_or_default();
    let decodings = run.opened.plan.decodings.len();
    let way = |one: &&&Row| {
        let value = |by: &str, name: &str| {
            let is_it = |row: &&&Row| {
                row.by == by && row.name == name && row.layout == one.layout && row.decoding == one.decoding
            };
            rows.iter().find(is_it).map(|row| estimate(row.mean, row.interval))
        };
        let mut parts = Vec::new();
        if names_run {
            parts.push(run.name.as_str());
        }
        if all.len() > 1 || !names_run {
            parts.push(one.layout.as_str());
        }
        if decodings > 1 {
            parts.push(one.decoding.as_str());
        }
        let values = groups.iter().map(|group| value(by, group)).chain([value("all", "all")]).collect();
        Way { name: parts.join(", "), is_whole: one.tasks == whole, values }
    };
    all.iter().map(way).collect()
}
