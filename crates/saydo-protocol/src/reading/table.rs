//! Reading: one table with the headline of each source, then each source in full.

use crate::reading::published::beside;
use crate::reading::score::{Metric, SourceScores};
use crate::table::{Table, percent, range};
use saydo_task::reading::Style;

pub(crate) fn tables(sources: &[SourceScores]) -> Vec<Table> {
    let mut tables = vec![headlines(sources)];
    tables.extend(sources.iter().map(all_metrics));
    tables.extend(sources.iter().filter_map(types));
    tables.extend(competence(sources));
    tables.extend(sources.iter().filter_map(reliability));
    tables
}

/// What the metric of a style is called.
fn measure(style: Style) -> &'static str {
    match style {
        Style::Set | Style::Alternatives => "mean task F1",
        Style::Squad => "F1",
        Style::Labels | Style::Answerable => "accuracy",
    }
}

fn headlines(sources: &[SourceScores]) -> Table {
    let header = ["source", "tasks", "rows", "metric", "value", "95%", "C@75", "C@90", "AUC", "ECE", "published"];
    let mut table = Table::new("reading", &header).with_note(
        "Intervals: over tasks for task F1, over rows otherwise. AUC: answerable against not, by confidence. ECE: \
         calibration error. Published numbers are of other rows of the same data, or all of it.",
    );
    for source in sources {
        let Some(headline) = source.metrics.first() else { continue };
        let shown = |name: &str| source.metric(name).map_or_else(String::new, |metric| percent(metric.value));
        let published: Vec<String> = beside(&source.source, &headline.name)
            .map(|number| format!("{} {:.1}", number.who, number.value))
            .collect();
        table.row([
            source.source.clone(),
            source.tasks.to_string(),
            source.rows.to_string(),
            measure(source.style).to_owned(),
            percent(headline.value),
            range(headline.interval),
            shown("C@75"),
            shown("C@90"),
            shown("AUC answerable"),
            shown("calibration error"),
            published.join(", "),
        ]);
    }
    table
}

fn all_metrics(source: &SourceScores) -> Table {
    let mut table = Table::new(&source.source, &["metric", "value", "95%", "n"]);
    let row = |metric: &Metric| {
        [metric.name.clone(), percent(metric.value), range(metric.interval), metric.count.to_string()]
    };
    source.metrics.iter().for_each(|metric| table.row(row(metric)));
    table
}

/// ZEST's types of generalization.
fn types(source: &SourceScores) -> Option<Table> {
    if source.types.is_empty() {
        return None;
    }
    let title = format!("{}: task competence by type of generalization", source.source);
    let mut table = Table::new(&title, &["type", "tasks", "mean", "95%", "C@75", "95%", "C@90", "95%"]).with_note(
        "A paraphrase or semantic flip counts the worse of itself and its base task, and only if that is among the tasks.",
    );
    for row in &source.types {
        let cells = (0..3)
            .flat_map(|number| [percent(row.scores[number]), range(row.intervals.map(|intervals| intervals[number]))]);
        table.row([row.name.clone(), row.tasks.to_string()].into_iter().chain(cells));
    }
    Some(table)
}

/// The C@T curve.
fn competence(sources: &[SourceScores]) -> Option<Table> {
    let sources: Vec<&SourceScores> = sources.iter().filter(|source| !source.competence.is_empty()).collect();
    let thresholds: Vec<String> =
        sources.first()?.competence.iter().map(|point| format!("C@{}", point.threshold)).collect();
    let header: Vec<&str> = ["source"].into_iter().chain(thresholds.iter().map(String::as_str)).collect();
    let mut table = Table::new("share of tasks that reach an F1", &header);
    for source in sources {
        let shares = source.competence.iter().map(|point| percent(point.share));
        table.row([source.source.clone()].into_iter().chain(shares));
    }
    Some(table)
}

fn reliability(source: &SourceScores) -> Option<Table> {
    let calibration = source.calibration.as_ref()?;
    let title = format!("{}: confidence against right answers", source.source);
    let mut table = Table::new(&title, &["confidence", "right", "answers"]);
    for bin in &calibration.bins {
        table.row([percent(bin.confidence), percent(bin.accuracy), bin.count.to_string()]);
    }
    Some(table)
}
