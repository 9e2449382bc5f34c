//! Lengths of all sentences beside those of solved ones, as violins (the Turking Test's Figure 6).

use super::Figure;
use crate::Run;
use crate::chart::{Chart, Series};
use saydo_protocol::score::Detail;
use saydo_protocol::turking::length::LengthReport;

/// More violins than these are not drawn; the table has them all.
const MOST: usize = 12;

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let mut series: Vec<Series<f64>> = Vec::new();
    for run in runs {
        let Detail::Turking(layouts) = &run.scores.detail else { continue };
        let reports: Vec<(&String, &LengthReport)> = layouts
            .iter()
            .flat_map(|(layout, result)| result.lengths.iter().map(move |report| (layout, report)))
            .collect();
        let is_several =
            |report: &LengthReport| reports.iter().filter(|(_, other)| other.task == report.task).count() > 1;
        for (layout, report) in &reports {
            let mut name = report.name.to_owned();
            if runs.len() > 1 {
                name = format!("{}, {name}", run.name);
            }
            if layouts.len() > 1 {
                name += &format!(", {layout}");
            }
            if is_several(report) {
                name += &format!(", {}", report.decoding);
            }
            for (which, words) in ["all", "solved"].into_iter().zip(&report.words) {
                let values = words.iter().map(|words| *words as f64).collect();
                series.push(Series { name: format!("{name}: {which}"), values });
            }
        }
    }
    series.retain(|series| !series.values.is_empty());
    let left_out = series.len().saturating_sub(MOST);
    series.truncate(MOST);
    let mut note = "Boxes: quartiles and median. Solved: at least one output is right.".to_owned();
    if left_out > 0 {
        note += &format!(" {left_out} more stand in the table of quartiles.");
    }
    (!series.is_empty()).then(|| Figure {
        title: "lengths of all sentences and of solved ones".to_owned(),
        note,
        chart: Chart::Violins { series, measure: "words of the sentence".to_owned() },
    })
}
