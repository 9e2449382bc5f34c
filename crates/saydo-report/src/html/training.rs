//! Trainings as a page: a table, curves, settings. There is nothing to browse, so it has no script.

use super::{STYLE, figure, table};
use crate::training::{self, Training};
use saydo_corpus::escape_html as escape;

/// The page of these trainings.
pub fn write(trainings: &[Training]) -> String {
    let title = escape(&training::title(trainings));
    let figures = training::figures(trainings);
    let figures: String = figures.iter().enumerate().map(|(number, it)| figure::html(number, it)).collect();
    let summary = table::html(&training::summary(trainings), table::Fold::Never);
    let settings = table::html(&training::settings(trainings), table::Fold::Never);
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
         form-action 'none'\">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=color-scheme content=\"light dark\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n</header>\n<main>\n<section id=scores>\n{summary}</section>\n\
         <section id=plots>\n<h2>Curves</h2>\n<div class=figures>\n{figures}</div>\n</section>\n\
         <section id=settings>\n{settings}</section>\n</main>\n</body>\n</html>\n"
    )
}
