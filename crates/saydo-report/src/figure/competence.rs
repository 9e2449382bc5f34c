//! ZEST: mean and competence by type of generalization, the paper's rows beside (Tables 4, 9 and 10).

use super::{Figure, estimate};
use crate::Run;
use crate::chart::{Chart, Estimate, Series};
use saydo_protocol::score::Detail;
use saydo_protocol::zest::published::{self, PublishedRow, PublishedSplit};
use saydo_task::Generalization;

/// Mean, C@75, C@90.
type Cells = [Option<Estimate>; 3];

const MEASURES: [(&str, &str); 3] = [
    ("mean task F1 by type of generalization", "mean task F1"),
    ("C@75: tasks with an F1 of at least 75", "C@75, percent of tasks"),
    ("C@90: tasks with an F1 of at least 90", "C@90, percent of tasks"),
];

const PUBLISHED: [(&str, &str); 3] = [
    (published::T5_MTL, "T5-11B (paper)"),
    (published::BART, "BART-large (paper)"),
    (published::HUMAN, "human (paper)"),
];

/// The last group: all types together.
const OVERALL: &str = "average";

pub(super) fn figures(runs: &[Run]) -> Vec<Figure> {
    let types: Vec<&str> = Generalization::ALL.iter().map(Generalization::key).chain([OVERALL]).collect();
    let mut all: Vec<(String, Vec<Cells>)> = Vec::new();
    for run in runs {
        let Detail::Zest(ways) = &run.scores.detail else { continue };
        for (way, result) in ways {
            let result = &result.scores;
            let cells = |name: &&str| {
                let is_average = *name == OVERALL;
                let row = if is_average { Some(&result.official.average) } else { result.official.rows.get(name) };
                let intervals = result.intervals.as_ref().and_then(|intervals| intervals.get(name));
                let Some(row) = row else { return Cells::default() };
                [
                    Some(estimate(row.mean, intervals.map(|interval| interval.mean))),
                    Some(estimate(row.at_75, intervals.map(|interval| interval.at_75))),
                    Some(estimate(row.at_90, intervals.map(|interval| interval.at_90))),
                ]
            };
            let name = if ways.len() > 1 { format!("{}, {way}", run.name) } else { run.name.clone() };
            all.push((name, types.iter().map(cells).collect()));
        }
    }
    for (model, name) in PUBLISHED {
        all.push((name.to_owned(), types.iter().map(|kind| published_cells(model, kind)).collect()));
    }
    let groups: Vec<String> = types.iter().map(|kind| Generalization::from_key(kind).name().to_owned()).collect();
    let figure = |(place, (title, measure)): (usize, (&str, &str))| Figure {
        title: title.to_owned(),
        note: "Whiskers: 95% over tasks. Paper: full test set.".to_owned(),
        chart: Chart::Bars {
            groups: groups.clone(),
            series: all.iter().map(|(name, cells)| series(name, cells, place)).collect(),
            measure: measure.to_owned(),
        },
    };
    MEASURES.into_iter().enumerate().map(figure).collect()
}

fn series(name: &str, cells: &[Cells], place: usize) -> Series<Option<Estimate>> {
    Series { name: name.to_owned(), values: cells.iter().map(|cells| cells[place]).collect() }
}

fn published_cells(model: &str, kind: &str) -> Cells {
    let category = if kind == OVERALL { "overall" } else { kind };
    let is_it =
        |row: &PublishedRow| row.model == model && row.split == PublishedSplit::Test && row.category == category;
    let Some(row) = published::rows().find(is_it) else { return Cells::default() };
    [row.mean, row.at_75, row.at_90].map(|percent| Some(Estimate { value: f64::from(percent), interval: None }))
}
