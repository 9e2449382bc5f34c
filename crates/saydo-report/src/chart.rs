//! What is drawn, as data, and its drawing as SVG.
//!
//! The charting library (kuva) is used in this module's files and nowhere else. Colors are CSS variables that the page
//! sets for light and dark, so a drawing needs no second version. All values are percent unless a field says otherwise.

mod bar;
mod canvas;
mod curve;
mod heat;
mod line;
mod reliability;
mod violin;

use crate::number::{count, points, range};
use crate::report::table;
use saydo_metrics::quartile::quartiles;
use saydo_protocol::table::Table;

/// The number of colors that the page tells series apart by; more series than that begin again.
pub const COLORS: usize = 8;

/// A value with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its interval, where there is one.
    pub interval: Option<[f64; 2]>,
}

/// Values of one thing that are drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<T> {
    /// What they are values of.
    pub name: String,
    /// The values.
    pub values: Vec<T>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it stands; no percent.
    pub x: f64,
    /// What it shows.
    pub y: Estimate,
}

/// Samples whose confidence is much the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// Their mean confidence.
    pub confidence: f64,
    /// Their mean score.
    pub score: f64,
    /// How many there are.
    pub count: usize,
}

/// A drawing before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    /// A bar for each series in each group.
    Bars {
        /// The groups, from above.
        groups: Vec<String>,
        /// A value, or none, for each group.
        series: Vec<Series<Option<Estimate>>>,
        /// What is measured.
        measure: String,
    },
    /// A field of colored cells.
    Heat {
        /// The columns.
        columns: Vec<String>,
        /// The rows, from above, with a value or none for each column.
        rows: Vec<Series<Option<f64>>>,
    },
    /// A line for each series.
    Lines {
        /// The points of each, by rising x.
        series: Vec<Series<Point>>,
        /// What x is.
        x: String,
        /// What is measured.
        measure: String,
    },
    /// A thin line for each series, of values that are no percent.
    Curves {
        /// The points of each, by rising x.
        series: Vec<Series<Point>>,
        /// What x is.
        x: String,
        /// What is measured.
        measure: String,
    },
    /// The spread of each series' values, which are no percent.
    Violins {
        /// The values of each.
        series: Vec<Series<f64>>,
        /// What is measured.
        measure: String,
    },
    /// Score over confidence: a model that knows how sure to be lies on the diagonal.
    Reliability {
        /// The bins of each, by rising confidence.
        series: Vec<Series<Bin>>,
        /// What is measured.
        measure: String,
    },
}

impl Chart {
    /// The drawing as an SVG element with this text alternative, unless that is empty; none if there is nothing to draw.
    pub fn svg(&self, label: &str) -> Option<String> {
        match self {
            Chart::Bars { groups, series, measure } => bar::draw(groups, series, measure),
            Chart::Heat { columns, rows } => heat::draw(columns, rows),
            Chart::Lines { series, x, measure } => line::draw(series, x, measure),
            Chart::Curves { series, x, measure } => curve::draw(series, x, measure),
            Chart::Violins { series, measure } => violin::draw(series, measure),
            Chart::Reliability { series, measure } => reliability::draw(series, measure),
        }
        .map(|canvas| canvas.svg(label))
    }

    /// What colors stand for: the number of each with the name of its series. Empty where colors mean something else;
    /// a series without values is not drawn and not listed, but keeps its color.
    pub fn legend(&self) -> Vec<(usize, &str)> {
        match self {
            Chart::Bars { series, .. } => listed(series),
            // A violin stands beside its name.
            Chart::Heat { .. } | Chart::Violins { .. } => Vec::new(),
            Chart::Lines { series, .. } | Chart::Curves { series, .. } => listed(series),
            Chart::Reliability { series, .. } => listed(series),
        }
    }

    /// The values as a table.
    pub fn table(&self, title: &str) -> Table {
        match self {
            Chart::Bars { groups, series, .. } => {
                let header = [""].into_iter().chain(series.iter().map(|series| series.name.as_str()));
                let mut table = table(title, header);
                for (place, group) in groups.iter().enumerate() {
                    let cells = series.iter().map(|series| optional(series.values[place]));
                    table.rows.push([group.clone()].into_iter().chain(cells).collect());
                }
                table
            }
            Chart::Heat { columns, rows } => {
                let mut table = table(title, [""].into_iter().chain(columns.iter().map(String::as_str)));
                for row in rows {
                    let cells = row.values.iter().map(|value| value.map_or_else(String::new, points));
                    table.rows.push([row.name.clone()].into_iter().chain(cells).collect());
                }
                table
            }
            Chart::Lines { series, x, measure } => {
                let mut table = table(title, ["", x.as_str(), measure.as_str()]);
                for (name, point) in each(series) {
                    table.rows.push(vec![name, point.x.to_string(), written(point.y)]);
                }
                table
            }
            Chart::Curves { series, x, measure } => {
                let mut table = table(title, ["", x.as_str(), measure.as_str()]);
                for (name, point) in each(series) {
                    table.rows.push(vec![name, point.x.to_string(), small(point.y.value)]);
                }
                table
            }
            Chart::Violins { series, measure } => {
                let quarters = ["first quartile", "median", "third quartile"];
                let names = quarters.map(|quarter| format!("{quarter}, {measure}"));
                let mut table = table(title, ["", "n"].map(str::to_owned).into_iter().chain(names));
                for series in series {
                    let Some(found) = quartiles(&series.values) else { continue };
                    let cells = [found.first, found.median, found.third].map(points);
                    let head = [series.name.clone(), count(series.values.len())];
                    table.rows.push(head.into_iter().chain(cells).collect());
                }
                table
            }
            Chart::Reliability { series, measure } => {
                let mut table = table(title, ["", "mean confidence", measure.as_str(), "samples"]);
                for (name, bin) in each(series) {
                    table.rows.push(vec![name, points(bin.confidence), points(bin.score), count(bin.count)]);
                }
                table
            }
        }
    }
}

fn listed<T>(series: &[Series<T>]) -> Vec<(usize, &str)> {
    let drawn = series.iter().enumerate().filter(|(_, series)| !series.values.is_empty());
    drawn.map(|(number, series)| (number % COLORS, series.name.as_str())).collect()
}

fn each<T: Copy>(series: &[Series<T>]) -> impl Iterator<Item = (String, T)> {
    series.iter().flat_map(|series| series.values.iter().map(|value| (series.name.clone(), *value)))
}

fn optional(value: Option<Estimate>) -> String {
    value.map_or_else(String::new, written)
}

/// A number of any size, in four digits or so.
fn small(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.01 { format!("{value:.3e}") } else { format!("{value:.4}") }
}

fn written(estimate: Estimate) -> String {
    let value = points(estimate.value);
    estimate.interval.map_or(value.clone(), |interval| format!("{value} ({})", range(interval)))
}

#[cfg(test)]
mod tests;
