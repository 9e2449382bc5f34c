//! Plots as files of their own: SVG documents with their colors and their legend inside, light and dark.

use crate::Report;
use crate::figure::Figure;
use crate::template::render;
use serde_json::{Value, json};

/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// About the width of a letter.
const LETTER: f64 = 7.3;

/// The plots of a report: a name for the file, without extension, and the document.
pub fn files(report: &Report) -> Vec<(String, String)> {
    of_figures(&report.figures)
}

/// The same of figures without a report.
pub fn of_figures(figures: &[Figure]) -> Vec<(String, String)> {
    figures.iter().filter_map(|figure| Some((name(&figure.title), document(figure)?))).collect()
}

/// The title as lower-case words with hyphens.
fn name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

fn document(figure: &Figure) -> Option<String> {
    let inner = figure.chart.svg("")?;
    let [width, height] = size(&inner)?;
    let (legend, lines) = legend(figure, width, height);
    let values = json!({
        "title": figure.title,
        "width": width,
        "height": height,
        "whole": height + LINE * lines,
        "rest": inner.strip_prefix("<svg")?,
        "legend": legend,
    });
    Some(render("plot.svg", &values))
}

/// Width and height from the drawing's own box.
fn size(svg: &str) -> Option<[f64; 2]> {
    let view = svg.split_once("viewBox=\"0 0 ")?.1.split_once('"')?.0;
    let (width, height) = view.split_once(' ')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}

/// The names of the series under a drawing of this size, and how many lines they take.
fn legend(figure: &Figure, width: f64, height: f64) -> (Vec<Value>, f64) {
    let (mut entries, mut x, mut lines) = (Vec::new(), 8.0, 0.0);
    for (color, name) in figure.chart.legend() {
        let wide = 24.0 + LETTER * name.chars().count() as f64;
        if entries.is_empty() || x + wide > width {
            (x, lines) = (8.0, lines + 1.0);
        }
        entries.push(json!({"x": x, "y": height + LINE * lines - 6.0, "color": color, "name": name}));
        x += wide;
    }
    (entries, lines)
}
