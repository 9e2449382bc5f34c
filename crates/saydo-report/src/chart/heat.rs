//! A field of cells, each with its value written in it; the more, the fuller its color.

use super::Series;
use super::canvas::{Canvas, LETTERS, plain};
use crate::number::points;
use kuva::plot::Heatmap;
use kuva::plot::annotations::TextAnnotation;
use kuva::plot::heatmap::ColorMap;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::sync::Arc;

/// The size of a cell, the width of a letter, and the room above the cells.
const CELL: (f64, f64) = (60.0, 24.0);
const LETTER: f64 = 6.6;
const ABOVE: f64 = 8.0;
/// The library writes a note so far above its place that this brings it to the middle of a cell.
const LOWER: f64 = 10.0 / CELL.1;
/// The fullest color that letters still stand out from.
const FULLEST: f64 = 55.0;

pub(super) fn draw(columns: &[String], rows: &[Series<Option<f64>>]) -> Option<Canvas> {
    rows.iter().flat_map(|row| &row.values).flatten().next()?;
    // The library counts from below.
    let data: Vec<Vec<f64>> =
        rows.iter().rev().map(|row| row.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()).collect();
    let color = |share: f64| match share.is_nan() {
        true => "none".to_owned(),
        false => format!("color-mix(in srgb, var(--s0) {:.0}%, var(--back))", FULLEST * share.clamp(0.0, 1.0)),
    };
    let plots: Vec<Plot> =
        vec![Heatmap::new().with_data(data.clone()).with_color_map(ColorMap::Custom(Arc::new(color))).into()];
    let names = |name: &String| plain(name);
    let mut layout = Layout::auto_from_plots(&plots)
        .with_x_categories(columns.iter().map(names).collect())
        .with_y_categories(rows.iter().rev().map(|row| plain(&row.name)).collect())
        .with_x_tick_rotate(-40.0);
    layout.show_colorbar = false;
    for (y, row) in data.iter().enumerate() {
        for (x, value) in row.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let text = TextAnnotation::new(points(*value), x as f64 + 1.0, y as f64 + 1.0 - LOWER);
            layout = layout.with_annotation(text.with_color("var(--ink)").with_font_size(LETTERS));
        }
    }
    let longest = |names: &mut dyn Iterator<Item = &String>| {
        LETTER * names.map(|name| name.chars().count()).max().unwrap_or_default() as f64
    };
    // Names below the cells rise by 40 degrees.
    let below = 24.0 + 0.65 * longest(&mut columns.iter());
    let width = 30.0 + longest(&mut rows.iter().map(|row| &row.name)) + columns.len() as f64 * CELL.0;
    let height = ABOVE + rows.len() as f64 * CELL.1 + below;
    Some(Canvas::new(plots, layout.with_force_margins_y(ABOVE, below), width, height))
}
