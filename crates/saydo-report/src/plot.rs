//! Plots as files of their own: SVG documents with their colors and their legend inside, light and dark.

use crate::Report;
use crate::figure::Figure;
use saydo_corpus::escape_html as escape;
use std::fmt::Write as _;

/// The colors of the page, so that a plot looks the same alone.
const STYLE: &str = "svg{--back:#fff;--card:#f6f7f9;--ink:#1b1f24;--soft:#5b6470;--line:#dce0e5;--s0:#0072b2;--s1:#d55e00;\
    --s2:#00875f;--s3:#b4548f;--s4:#757d87;--s5:#a87400;--s6:#5b4fb0;--s7:#22262b;font-family:system-ui,sans-serif}\
    @media(prefers-color-scheme:dark){svg{--back:#14171b;--card:#1c2026;--ink:#e6e9ed;--soft:#9aa4b0;--line:#2f353d;\
    --s0:#4ea8e0;--s1:#f08a45;--s2:#2bbd90;--s3:#e193c3;--s4:#a3abb5;--s5:#e6b84a;--s6:#a99df2;--s7:#f1f3f5}}";
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
    let (legend, lines) = legend(figure, width);
    let whole = height + LINE * lines;
    let title = escape(&figure.title);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole}\" width=\"{width}\" height=\"{whole}\" \
         role=\"img\" aria-label=\"{title}\"><title>{title}</title><style>{STYLE}</style>\
         <svg x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"{}{legend}</svg>\n",
        inner.strip_prefix("<svg")?
    ))
}

/// Width and height from the drawing's own box.
fn size(svg: &str) -> Option<[f64; 2]> {
    let view = svg.split_once("viewBox=\"0 0 ")?.1.split_once('"')?.0;
    let (width, height) = view.split_once(' ')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}

/// The names of the series under the drawing, and how many lines they take.
fn legend(figure: &Figure, width: f64) -> (String, f64) {
    let (mut out, mut x, mut lines) = (String::new(), 8.0, 0.0);
    let names = figure.chart.legend();
    let top = size(&figure.chart.svg("").unwrap_or_default()).map_or(0.0, |[_, height]| height);
    for (number, (color, name)) in names.iter().enumerate() {
        let wide = 24.0 + LETTER * name.chars().count() as f64;
        if number == 0 || x + wide > width {
            (x, lines) = (8.0, lines + 1.0);
        }
        let y = top + LINE * lines - 6.0;
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"var(--s{color})\"/><text x=\"{}\" y=\"{y}\" \
             font-size=\"12\" fill=\"var(--ink)\">{}</text>",
            y - 9.0,
            x + 15.0,
            escape(name)
        );
        x += wide;
    }
    (out, lines)
}
