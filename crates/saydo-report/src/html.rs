//! A report as one page that needs nothing else: no network, no fonts, no script but its own.
//!
//! Tables and plots are markup. Instances are data in the page that its script draws on demand, so that tens of
//! thousands of them stay quick. A policy in the head allows that script by its hash and forbids to load anything.

mod data;
mod figure;
mod in_script;
mod selection;
mod strings;
mod table;
mod training;

pub use training::write as training;

use crate::number::count;
use crate::template::render;
use crate::{Report, Run, setting};
use saydo_protocol::table::Table;
use selection::Selection;
use serde_json::{Value, json};
use table::{Fold, View};

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
    let all: usize = report.runs.iter().map(|run| run.opened.plan.samples.len()).sum();
    let shown = selection.count();
    let values = json!({
        "title": report.title(),
        "style": STYLE,
        "script": SCRIPT,
        "script_hash": SCRIPT_HASH,
        "runs": report.runs.iter().map(run_values).collect::<Vec<_>>(),
        "settings": (report.runs.len() > 1).then(|| View::new(setting::table(&report.runs), Fold::Never)),
        "notes": report.notes,
        "headline": report.headline().map(|table| View::new(table, Fold::Long)),
        "published": views(report.published(), Fold::Always),
        "figures": report.figures.iter().map(figure::View::new).collect::<Vec<_>>(),
        "difference": report.difference().map(|table| View::new(table, Fold::Never)),
        "is_thinned": shown < all,
        "shown": count(shown),
        "all": count(all),
        "data": data::json(report, &selection),
    });
    render("page.html", &values)
}

fn run_values(run: &Run) -> Value {
    json!({
        "name": run.name,
        "settings": setting::settings(run),
        "tables": views(run.tables(), Fold::Long),
        "notes": run.scores.notes,
    })
}

fn views(tables: Vec<Table>, fold: Fold) -> Vec<View> {
    tables.into_iter().map(|table| View::new(table, fold)).collect()
}

#[cfg(test)]
mod tests;
