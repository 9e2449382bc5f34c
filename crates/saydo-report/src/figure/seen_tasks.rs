//! How scores grow with the number of tasks a model was trained on (Natural Instructions' Figure 2b).
//!
//! Drawn when at least two runs say how many that was: a number `seen_tasks` among their settings.

use super::{Estimate, Figure, measure};
use crate::Run;
use crate::chart::{Chart, Point, Series};
use saydo_protocol::score::Row;

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let first = runs.first()?;
    // The runs of a layout and a number of tasks, which differ in their seed at most.
    let mut groups: Vec<(&str, f64, Vec<&Row>)> = Vec::new();
    for run in runs {
        let Some(x) = run.opened.record.settings["seen_tasks"].as_f64() else { continue };
        for row in run.scores.rows.iter().filter(|row| row.by == "all" && row.metric == run.metric()) {
            match groups.iter_mut().find(|(layout, at, _)| *layout == row.layout && *at == x) {
                Some((_, _, rows)) => rows.push(row),
                None => groups.push((&row.layout, x, vec![row])),
            }
        }
    }
    groups.sort_by(|a, b| a.1.total_cmp(&b.1));
    let is_repeated = groups.iter().any(|(_, _, rows)| rows.len() > 1);
    let mut numbers: Vec<f64> = groups.iter().map(|(_, x, _)| *x).collect();
    numbers.dedup();
    let mut series: Vec<Series<Point>> = Vec::new();
    for (layout, x, rows) in groups {
        let point = Point { x, y: estimate(&rows) };
        match series.iter_mut().find(|series| series.name == layout) {
            Some(series) => series.values.push(point),
            None => series.push(Series { name: layout.to_owned(), values: vec![point] }),
        }
    }
    let note = if is_repeated {
        "Means over runs of other seeds; bands: one standard deviation to either side."
    } else {
        "Bands: 95% over tasks."
    };
    (numbers.len() > 1).then(|| Figure {
        title: format!("{} by number of seen tasks", measure(first)),
        note: note.to_owned(),
        chart: Chart::Lines { series, x: "tasks seen in training".to_owned(), measure: measure(first).to_owned() },
    })
}

/// One run with its interval, or the mean of several with their standard deviation.
fn estimate(rows: &[&Row]) -> Estimate {
    if let [row] = rows {
        return super::estimate(row.mean, row.interval);
    }
    let count = rows.len() as f64;
    let mean = rows.iter().map(|row| row.mean).sum::<f64>() / count;
    let deviation = (rows.iter().map(|row| (row.mean - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
    super::estimate(mean, Some([mean - deviation, mean + deviation]))
}
