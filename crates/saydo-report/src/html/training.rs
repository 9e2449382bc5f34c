//! Trainings as a page: a table, curves, settings. There is nothing to browse, so it has no script.

use super::{STYLE, figure, table};
use crate::template::render;
use crate::training::{self, Training};
use serde_json::json;

/// The page of these trainings.
pub fn write(trainings: &[Training]) -> String {
    let figures = training::figures(trainings);
    let values = json!({
        "title": training::title(trainings),
        "style": STYLE,
        "summary": table::View::new(training::summary(trainings), table::Fold::Never),
        "figures": figures.iter().map(figure::View::new).collect::<Vec<_>>(),
        "settings": table::View::new(training::settings(trainings), table::Fold::Never),
    });
    render("training.html", &values)
}
