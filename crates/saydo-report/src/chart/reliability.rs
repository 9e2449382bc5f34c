//! Score over confidence, with the diagonal that a model lies on whose confidence is worth its name.

use super::canvas::{Canvas, WIDTH, color, plain};
use super::{Bin, Series};
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

const HEIGHT: f64 = 340.0;
/// Where the axes end: marks at full confidence are not cut.
const END: f64 = 104.0;

pub(super) fn draw(series: &[Series<Bin>], measure: &str) -> Option<Canvas> {
    let most = series.iter().flat_map(|series| &series.values).map(|bin| bin.count).max()?;
    let diagonal = LinePlot::new().with_data(vec![(0.0, 0.0), (100.0, 100.0)]).with_color("var(--soft)").with_dashed();
    let mut plots: Vec<Plot> = vec![diagonal.into()];
    for (number, series) in series.iter().enumerate().filter(|(_, series)| !series.values.is_empty()) {
        let points: Vec<(f64, f64)> = series.values.iter().map(|bin| (bin.confidence, bin.score)).collect();
        let line = LinePlot::new().with_data(points.clone()).with_color(color(number)).with_stroke_width(1.5);
        plots.push(line.into());
        // The area of a mark says how many samples it stands for.
        let sizes = series.values.iter().map(|bin| 3.0 + 7.0 * (bin.count as f64 / most as f64).sqrt());
        let marks = ScatterPlot::new().with_data(points).with_sizes(sizes).with_color(color(number));
        plots.push(marks.into());
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(0.0)
        .with_x_axis_max(END)
        .with_y_axis_min(0.0)
        .with_y_axis_max(END)
        .with_tick_format(TickFormat::Integer)
        .with_x_label("mean confidence")
        .with_y_label(plain(measure));
    Some(Canvas::new(plots, layout, WIDTH, HEIGHT))
}
