//! Violins that lie, so that long names have room, each with a box for its quartiles and median.

use super::Series;
use super::canvas::{Canvas, LETTERS, WIDTH, color, plain};
use kuva::plot::{BoxPlot, ViolinPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

/// The height of a violin, and of what is around all of them.
const VIOLIN: f64 = 46.0;
const AROUND: f64 = 56.0;
/// Points of an outline.
const POINTS: usize = 64;
/// The least bandwidth: lengths are whole numbers, and samples of equal ones have no spread of their own.
const LEAST_BANDWIDTH: f64 = 1.0;

pub(super) fn draw(series: &[Series<f64>], measure: &str) -> Option<Canvas> {
    let drawn: Vec<(usize, &Series<f64>)> =
        series.iter().enumerate().filter(|(_, series)| !series.values.is_empty()).collect();
    let all = || drawn.iter().flat_map(|(_, series)| series.values.iter().copied());
    let longest = all().fold(f64::NEG_INFINITY, f64::max);
    if !longest.is_finite() {
        return None;
    }
    let mut violins = ViolinPlot::new()
        .with_horizontal(true)
        .with_width(0.86)
        .with_kde_samples(POINTS)
        .with_bandwidth(bandwidth(all().collect()));
    let mut boxes = BoxPlot::new().with_horizontal(true).with_width(0.16).with_color("var(--back)");
    let mut colors = Vec::new();
    // The library counts from below.
    for (number, series) in drawn.iter().rev() {
        let name = plain(&format!("{} (n {})", series.name, series.values.len()));
        violins = violins.with_group(name.clone(), series.values.clone());
        boxes = boxes.with_group(name, series.values.clone());
        colors.push(color(*number));
    }
    let plots: Vec<Plot> = vec![violins.with_group_colors(colors).into(), boxes.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(0.0)
        .with_x_axis_max((longest / 10.0).ceil().max(1.0) * 10.0)
        .with_x_tick_format(TickFormat::Integer)
        .with_x_label(plain(measure));
    let height = AROUND + drawn.len() as f64 * VIOLIN.max(f64::from(LETTERS) + 6.0);
    Some(Canvas::new(plots, layout, WIDTH, height))
}

/// Silverman's rule over all values, so that outlines can be compared.
fn bandwidth(values: Vec<f64>) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    (1.06 * deviation * n.powf(-0.2)).max(LEAST_BANDWIDTH)
}
