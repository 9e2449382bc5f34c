//! C@T over T: which share of tasks reaches each level, for any protocol (ZEST, section 2.3).

use super::Figure;
use crate::Run;
use crate::chart::{Chart, Estimate, Point, Series};
use saydo_protocol::competence::WayCompetence;

/// More curves than colors could not be told apart.
const MOST_CURVES: usize = 8;

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let ways = || runs.iter().flat_map(|run| run.scores.competence.ways.iter().map(move |way| (run, way)));
    // A share of a single task is no curve.
    let drawn: Vec<(&Run, &WayCompetence)> = ways().filter(|(_, way)| way.tasks.len() > 1).collect();
    if drawn.is_empty() {
        return None;
    }
    let left_out = drawn.len().saturating_sub(MOST_CURVES);
    let mut note =
        "C@T: the share of tasks whose metric reaches T, each task by itself. Bands: 95% over tasks.".to_owned();
    if left_out > 0 {
        note += &format!(" {left_out} more ways of asking stand in the tables.");
    }
    Some(Figure {
        title: "competence: share of tasks that reach each level".to_owned(),
        note,
        chart: Chart::Lines {
            series: drawn.into_iter().take(MOST_CURVES).map(|(run, way)| series(run, way, runs.len() > 1)).collect(),
            x: "level T, percent".to_owned(),
            measure: "C@T, percent of tasks".to_owned(),
        },
    })
}

fn series(run: &Run, way: &WayCompetence, names_run: bool) -> Series<Point> {
    let is_several = run.scores.competence.ways.len() > 1;
    let own = is_several.then(|| format!("{}, {}", way.layout, way.decoding));
    let name = match (names_run, own) {
        (true, Some(own)) => format!("{}, {own}", run.name),
        (false, Some(own)) => own,
        (_, None) => run.name.clone(),
    };
    let point = |point: &saydo_protocol::competence::Point| Point {
        x: (100.0 * point.level).round(),
        y: Estimate {
            value: 100.0 * point.share.share,
            interval: Some(point.share.interval.map(|bound| 100.0 * bound)),
        },
    };
    Series { name, values: way.curve.iter().map(point).collect() }
}
