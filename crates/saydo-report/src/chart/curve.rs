//! Curves of many points whose values are no percent, such as a loss: plain lines, an axis that fits them.

use super::canvas::{Canvas, WIDTH, color, plain};
use super::{Point, Series};
use kuva::plot::LinePlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

const HEIGHT: f64 = 300.0;

pub(super) fn draw(series: &[Series<Point>], x: &str, measure: &str) -> Option<Canvas> {
    let all = || series.iter().flat_map(|series| &series.values);
    let highest = |of: fn(&Point) -> f64| all().map(of).filter(|x| x.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    let (last, top) = (highest(|point| point.x), highest(|point| point.y.value));
    if !last.is_finite() || !top.is_finite() {
        return None;
    }
    let mut plots: Vec<Plot> = Vec::new();
    for (number, series) in series.iter().enumerate().filter(|(_, series)| !series.values.is_empty()) {
        let points: Vec<(f64, f64)> = series.values.iter().map(|point| (point.x, point.y.value)).collect();
        plots.push(LinePlot::new().with_data(points).with_color(color(number)).with_stroke_width(1.5).into());
    }
    // All of a curve that is 0 throughout lies on the axis.
    let top = if top > 0.0 { 1.05 * top } else { 1.0 };
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(0.0)
        .with_x_axis_max(last.max(1.0))
        .with_y_axis_min(0.0)
        .with_y_axis_max(top)
        .with_x_tick_format(TickFormat::Integer)
        .with_y_tick_format(if top < 0.01 { TickFormat::Sci } else { TickFormat::Auto })
        .with_x_label(plain(x))
        .with_y_label(plain(measure));
    Some(Canvas::new(plots, layout, WIDTH, HEIGHT))
}
