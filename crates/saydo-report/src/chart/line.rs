//! Curves with a mark at every point and a band for the intervals.

use super::canvas::{Canvas, WIDTH, color, plain, top};
use super::{Point, Series};
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

const HEIGHT: f64 = 300.0;

pub(super) fn draw(series: &[Series<Point>], x: &str, measure: &str) -> Option<Canvas> {
    let all = || series.iter().flat_map(|series| &series.values);
    let ends = all().map(|point| point.y.interval.map_or(point.y.value, |[_, high]| high.max(point.y.value)));
    let last = all().map(|point| point.x).fold(f64::NEG_INFINITY, f64::max);
    if !last.is_finite() {
        return None;
    }
    let top = top(ends);
    let mut plots: Vec<Plot> = Vec::new();
    for (number, series) in series.iter().enumerate().filter(|(_, series)| !series.values.is_empty()) {
        let points: Vec<(f64, f64)> = series.values.iter().map(|point| (point.x, point.y.value)).collect();
        let bound =
            |side: usize| series.values.iter().map(move |point| point.y.interval.map_or(point.y.value, |it| it[side]));
        let line = LinePlot::new().with_data(points.clone()).with_color(color(number)).with_stroke_width(2.0);
        plots.push(line.with_band(bound(0), bound(1)).into());
        plots.push(ScatterPlot::new().with_data(points).with_color(color(number)).with_size(4.0).into());
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(0.0)
        .with_x_axis_max(last.max(1.0))
        .with_y_axis_min(0.0)
        .with_y_axis_max(top)
        .with_tick_format(TickFormat::Integer)
        .with_x_label(plain(x))
        .with_y_label(plain(measure));
    Some(Canvas::new(plots, layout, WIDTH, HEIGHT))
}
