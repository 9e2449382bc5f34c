//! A plot for the page: its words, the drawing with its text alternative, what the colors stand for, and the values.

use super::table;
use crate::chart::Chart;
use crate::figure::Figure;
use serde::Serialize;

/// A figure as the templates show it.
#[derive(Debug, Serialize)]
pub(super) struct View<'a> {
    title: &'a str,
    note: &'a str,
    /// None if there is nothing to draw.
    svg: Option<String>,
    is_broad: bool,
    /// The number of each color with the name of its series.
    legend: Vec<(usize, &'a str)>,
    values: table::View,
}

impl<'a> View<'a> {
    pub fn new(figure: &'a Figure) -> Self {
        let label = format!("{}. The values are in the table below.", figure.title);
        Self {
            title: &figure.title,
            note: &figure.note,
            svg: figure.chart.svg(&label),
            is_broad: matches!(figure.chart, Chart::Heat { .. }),
            legend: figure.chart.legend(),
            values: table::View::new(figure.table(), table::Fold::Never),
        }
    }
}
