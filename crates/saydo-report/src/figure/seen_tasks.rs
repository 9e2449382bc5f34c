//! How scores grow with the number of tasks a model was trained on (Natural Instructions' Figure 2b).
//!
//! Drawn when at least two runs say how many that was: a number `seen_tasks` among their settings.

use super::{Figure, estimate, measure};
use crate::Run;
use crate::chart::{Chart, Point, Series};

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let first = runs.first()?;
    let mut series: Vec<Series<Point>> = Vec::new();
    for run in runs {
        let Some(x) = run.opened.record.settings["seen_tasks"].as_f64() else { continue };
        for row in run.scores.rows.iter().filter(|row| row.by == "all" && row.metric == run.metric()) {
            let point = Point { x, y: estimate(row.mean, row.interval) };
            match series.iter_mut().find(|series| series.name == row.layout) {
                Some(series) => series.values.push(point),
                None => series.push(Series { name: row.layout.clone(), values: vec![point] }),
            }
        }
    }
    series.iter_mut().for_each(|series| series.values.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let mut numbers: Vec<f64> = series.iter().flat_map(|series| series.values.iter().map(|point| point.x)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    (numbers.len() > 1).then(|| Figure {
        title: format!("{} by number of seen tasks", measure(first)),
        note: "Bands: 95% over tasks.".to_owned(),
        chart: Chart::Lines { series, x: "tasks seen in training".to_owned(), measure: measure(first).to_owned() },
    })
}
