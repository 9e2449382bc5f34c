//! What all drawings share: colors, letters, sizes, and the element around them.

use super::COLORS;
use crate::template::render;
use kuva::backend::svg::SvgBackend;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use kuva::render::theme::Theme;
use serde_json::json;

/// Wide enough for a figure in two columns on a desktop, and still readable when a phone shrinks it.
pub(super) const WIDTH: f64 = 460.0;
/// Letters, in the drawing's own pixels.
pub(super) const LETTERS: u32 = 12;

/// A drawing that is laid out.
pub(super) struct Canvas {
    scene: Scene,
}

impl Canvas {
    pub fn new(plots: Vec<Plot>, layout: Layout, width: f64, height: f64) -> Self {
        let layout = layout
            .with_width(width)
            .with_height(height)
            .with_theme(theme())
            .with_tick_size(LETTERS)
            .with_label_size(LETTERS)
            .with_body_size(LETTERS)
            .with_font_family("inherit");
        Self { scene: render_multiple(plots, layout) }
    }

    /// The drawing as an element that takes the width it is given, with a text alternative unless that is empty.
    pub fn svg(&self, label: &str) -> String {
        let drawn = SvgBackend::new().render_scene(&self.scene);
        let inside = drawn.split_once('>').map_or("", |(_, inside)| inside);
        let (width, height) = (self.scene.width, self.scene.height);
        render("chart.svg", &json!({"width": width, "height": height, "label": label, "inside": inside}))
    }
}

/// The color of a series.
pub(super) fn color(series: usize) -> String {
    format!("var(--s{})", series % COLORS)
}

/// A text in which the charting library sees no formula.
pub(super) fn plain(text: &str) -> String {
    text.replace('$', "\\$")
}

/// The end of an axis of percent: the next ten above all values, at least 10 and at most 100.
pub(super) fn top(values: impl Iterator<Item = f64>) -> f64 {
    let highest = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
    ((highest / 10.0).ceil() * 10.0).clamp(10.0, 100.0)
}

fn theme() -> Theme {
    let none = || "none".to_owned();
    Theme {
        background: none(),
        axis_color: "var(--soft)".to_owned(),
        grid_color: "var(--line)".to_owned(),
        tick_color: "var(--soft)".to_owned(),
        text_color: "var(--ink)".to_owned(),
        legend_bg: none(),
        legend_border: none(),
        pie_leader: none(),
        box_median: none(),
        violin_border: none(),
        colorbar_border: none(),
        font_family: None,
        show_grid: true,
    }
}
