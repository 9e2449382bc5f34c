//! A report as Markdown: settings and tables, plots as the tables of their values.

use crate::Report;
use crate::setting;
use saydo_protocol::table::Table;
use std::fmt::Write as _;

/// The report as Markdown.
pub fn write(report: &Report) -> String {
    let mut out = format!("# {}\n", one_line(&report.title()));
    section(&mut out, "What was run");
    push(&mut out, &setting::table(&report.runs));
    for note in &report.notes {
        let _ = writeln!(out, "\nNote: {}.", one_line(note));
    }
    if let Some(table) = report.headline() {
        section(&mut out, "Runs beside each other");
        push(&mut out, &table);
    }
    if let Some(table) = report.difference() {
        section(&mut out, "Difference");
        push(&mut out, &table);
    }
    for run in &report.runs {
        section(&mut out, &format!("Scores of {}", one_line(&run.name)));
        run.tables().iter().for_each(|table| push(&mut out, table));
        for note in &run.scores.notes {
            let _ = writeln!(out, "\nNote: {}.", one_line(note));
        }
    }
    if !report.published().is_empty() {
        section(&mut out, "Published");
        report.published().iter().for_each(|table| push(&mut out, table));
    }
    section(&mut out, "Plotted values");
    report.figures.iter().for_each(|figure| push(&mut out, &figure.table()));
    out
}

fn section(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n## {title}");
}

/// A cell is one line, and what looks like markup is text.
pub(crate) fn push(out: &mut String, table: &Table) {
    let cells = |cells: &Vec<String>| cells.iter().map(|cell| one_line(cell)).collect::<Vec<_>>();
    let mut safe = crate::report::table(one_line(&table.title), cells(&table.header));
    safe.note = one_line(&table.note);
    safe.rows = table.rows.iter().map(cells).collect();
    let _ = write!(out, "\n{}", safe.markdown());
}

pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('<', "&lt;")
}

#[cfg(test)]
mod tests;
