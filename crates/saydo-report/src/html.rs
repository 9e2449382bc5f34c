//! A report as one page that needs nothing else: no network, no fonts, no script but its own.
//!
//! Tables and plots are markup. Instances are data in the page that its script draws on demand, so that tens of
//! thousands of them stay quick. A policy in the head allows that script by its hash and forbids to load anything.

mod browser;
mod data;
mod figure;
mod in_script;
mod selection;
mod strings;
mod table;
mod training;

pub use training::write as training;

use crate::{Report, Run, setting};
use saydo_corpus::escape_html as escape;
use selection::Selection;
use std::fmt::Write as _;

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");
/// The SHA-256 of the script, in base64, by which the page's policy knows it.
const SCRIPT_HASH: &str = "sha256-BRAdv2iYcBdOYMG0tRluj4KQ4KQ8x0rmqMZfQu02Kvg=";

/// The most samples that a page holds, and the most bytes of their texts; beyond that they are thinned out evenly.
const MOST_SAMPLES: usize = 30_000;
const MOST_BYTES: usize = 18_000_000;

/// The report as a page.
pub fn write(report: &Report) -> String {
    let selection = Selection::new(report, MOST_SAMPLES, MOST_BYTES);
    let mut out = head(report);
    out.push_str("<main>\n");
    out += &scores(report);
    out += &plots(report);
    out += &difference(report);
    out += &browser::section(report, &selection);
    out.push_str("</main>\n");
    let _ = write!(
        out,
        "<script type=\"application/json\" id=data>{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        data::json(report, &selection)
    );
    out
}

fn head(report: &Report) -> String {
    let title = escape(&report.title());
    let mut out = format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta name=color-scheme content=\"light dark\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=skip href=#instances>Skip to the instances</a>\n<header>\n<h1>{title}</h1>\n"
    );
    out += &links(report);
    match report.runs.as_slice() {
        [run] => out += &settings(run),
        runs => {
            out.push_str("<h2>What was run</h2>\n");
            out += &table::frame("What was run", &setting::table(runs));
        }
    }
    for note in &report.notes {
        let _ = writeln!(out, "<p class=note>Note: {}.</p>", escape(note));
    }
    out.push_str("</header>\n");
    out
}

fn links(report: &Report) -> String {
    let mut links = vec![("#scores", "Scores")];
    if !report.figures.is_empty() {
        links.push(("#plots", "Plots"));
    }
    if !report.comparison.is_empty() {
        links.push(("#difference", "Difference"));
    }
    links.push(("#instances", "Instances"));
    let link = |(place, name): &(&str, &str)| format!("<a href=\"{place}\">{name}</a>");
    let links: Vec<String> = links.iter().map(link).collect();
    format!("<nav aria-label=\"Parts of the report\">{}</nav>\n", links.join(" "))
}

fn settings(run: &Run) -> String {
    let mut out = String::from("<dl class=settings>\n");
    for (name, value) in setting::settings(run) {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value));
    }
    out.push_str("</dl>\n");
    out
}

fn scores(report: &Report) -> String {
    let mut out = String::from("<section id=scores>\n<h2>Scores</h2>\n");
    if let Some(headline) = report.headline() {
        out += &table::html(&headline, table::Fold::Long);
    }
    for run in &report.runs {
        let tables: String = run.tables().iter().map(|table| table::html(table, table::Fold::Long)).collect();
        let notes: String =
            run.scores.notes.iter().map(|note| format!("<p class=note>Note: {}.</p>\n", escape(note))).collect();
        if report.runs.len() == 1 {
            out += &[tables, notes].concat();
        } else {
            let name = escape(&run.name);
            let _ = writeln!(
                out,
                "<details class=run>\n<summary>All scores of {name}</summary>\n{tables}{notes}</details>"
            );
        }
    }
    report.published().iter().for_each(|table| out += &table::html(table, table::Fold::Always));
    out.push_str("</section>\n");
    out
}

fn plots(report: &Report) -> String {
    if report.figures.is_empty() {
        return String::new();
    }
    let figures: String =
        report.figures.iter().enumerate().map(|(number, figure)| figure::html(number, figure)).collect();
    format!("<section id=plots>\n<h2>Plots</h2>\n<div class=figures>\n{figures}</div>\n</section>\n")
}

fn difference(report: &Report) -> String {
    let Some(difference) = report.difference() else { return String::new() };
    let table = table::html(&difference, table::Fold::Never);
    format!("<section id=difference>\n<h2>Difference</h2>\n{table}{}</section>\n", browser::changes())
}

#[cfg(test)]
mod tests;
