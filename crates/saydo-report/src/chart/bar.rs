//! Bars that lie, so that long names have room: groups from above, a bar for each series, whiskers for intervals.

use super::canvas::{Canvas, LETTERS, WIDTH, color, plain, top};
use super::{Estimate, Series};
use kuva::plot::BarPlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

/// The height of a bar, and of what is around all of them.
const BAR: f64 = 13.0;
const AROUND: f64 = 56.0;
/// Letters of a group's name that fit beside the bars.
const NAME: usize = 28;

pub(super) fn draw(groups: &[String], series: &[Series<Option<Estimate>>], measure: &str) -> Option<Canvas> {
    let known = series.iter().flat_map(|series| series.values.iter().flatten());
    let ends: Vec<f64> = known.map(|bar| bar.interval.map_or(bar.value, |[_, high]| high.max(bar.value))).collect();
    if ends.is_empty() {
        return None;
    }
    let mut plot = BarPlot::new().with_horizontal(true).with_width(0.84).with_error_cap_width(0.0);
    let mut whiskers = Vec::new();
    // The library counts from below.
    for (place, group) in groups.iter().enumerate().rev() {
        let mut bars = Vec::new();
        for (number, series) in series.iter().enumerate().rev() {
            let bar = series.values.get(place).copied().flatten();
            let value = bar.map_or(0.0, |bar| bar.value);
            bars.push((value, color(number)));
            whiskers
                .push(bar.and_then(|bar| bar.interval).map_or((0.0, 0.0), |[low, high]| (value - low, high - value)));
        }
        plot = plot.with_group(plain(&short(group)), bars);
    }
    let plots: Vec<Plot> = vec![plot.with_asymmetric_error(whiskers).with_error_color("var(--ink)").into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(0.0)
        .with_x_axis_max(top(ends.into_iter()))
        .with_x_tick_format(TickFormat::Integer)
        .with_x_label(plain(measure));
    let rows = groups.len() * series.len();
    let height = AROUND + (rows as f64 * BAR / 0.84).max(groups.len() as f64 * (f64::from(LETTERS) + 6.0));
    Some(Canvas::new(plots, layout, WIDTH, height))
}

fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}
