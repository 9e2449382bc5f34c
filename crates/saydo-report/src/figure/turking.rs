//! The Turking Test: each task under each decoding, with GPT-2 and the constant answers beside (Tables 1 to 3).

use super::{Figure, estimate};
use crate::Run;
use crate::chart::{Chart, Estimate, Series};
use saydo_protocol::score::Detail;
use saydo_protocol::turking::TaskReport;

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let reports = || runs.iter().flat_map(tasks);
    let mut groups: Vec<(String, &TaskReport)> = Vec::new();
    for (_, task) in reports() {
        if groups.iter().all(|(name, _)| *name != group(task)) {
            groups.push((group(task), task));
        }
    }
    let mut series: Vec<Series<Option<Estimate>>> = Vec::new();
    for (name, task) in reports() {
        for decoding in &task.decodings {
            let name = format!("{name}, {}", decoding.decoding);
            let found = series.iter().position(|series| series.name == name).unwrap_or_else(|| {
                series.push(Series { name, values: vec![None; groups.len()] });
                series.len() - 1
            });
            let place = groups.iter().position(|(name, _)| *name == group(task)).unwrap_or_default();
            let value = decoding.accuracy.as_ref().map(|accuracy| accuracy.lenient);
            let value = value.or_else(|| decoding.form.as_ref().map(|form| form.consistent));
            series[found].values[place] = value.map(|value| estimate(value.value, Some(value.interval)));
        }
    }
    let beside = |name: &str, number: fn(&TaskReport) -> Option<f64>| Series {
        name: name.to_owned(),
        values: groups.iter().map(|(_, task)| number(task).map(|value| Estimate { value, interval: None })).collect(),
    };
    series.push(beside("GPT-2 1.5B (paper)", |task| match has_gold(task) {
        true => Some(task.published.accuracy),
        false => task.published.form_consistency,
    }));
    series.push(beside("always one answer", |task| task.baseline.map(|baseline| 100.0 * baseline.accuracy.value)));
    series.retain(|series| series.values.iter().any(Option::is_some));
    (!groups.is_empty()).then(|| Figure {
        title: "success by task".to_owned(),
        note:
            "Accuracy under the paper's rules; for the crowd's tasks the share of outputs of the right form. Whiskers: \
               95% over instances."
                .to_owned(),
        chart: Chart::Bars {
            groups: groups.into_iter().map(|(name, _)| name).collect(),
            series,
            measure: "percent of outputs".to_owned(),
        },
    })
}

/// The tasks of a run under each of its layouts, with the name of both.
fn tasks(run: &Run) -> Vec<(String, &TaskReport)> {
    let Detail::Turking(layouts) = &run.scores.detail else { return Vec::new() };
    let name = |layout: &String| if layouts.len() > 1 { format!("{}, {layout}", run.name) } else { run.name.clone() };
    layouts
        .iter()
        .flat_map(|(layout, result)| result.report.tasks.iter().map(move |task| (name(layout), task)))
        .collect()
}

fn group(task: &TaskReport) -> String {
    if has_gold(task) { task.name.to_owned() } else { format!("{} (form)", task.name) }
}

fn has_gold(task: &TaskReport) -> bool {
    task.decodings.iter().any(|decoding| decoding.accuracy.is_some())
}
