//! Scores as a terminal shows them.

use crate::table::Table;
use saydo_protocol::{Scores, table};
use std::fmt::Write as _;

/// Rows of a table that a terminal shows; the report has them all.
const MAX_ROWS: usize = 40;

/// All tables of a run, each under its title, and what should be known beside them.
pub fn tables(scores: &Scores) -> String {
    let mut out = drawn(&table::tables(scores));
    for note in &scores.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if scores.failed > 0 {
        let _ = writeln!(out, "{} of {} samples failed and count as wrong", scores.failed, scores.asked);
    }
    if scores.missing > 0 {
        let _ = writeln!(out, "{} samples are not answered yet and count as wrong", scores.missing);
    }
    out
}

/// Tables that have rows, each under its title.
pub fn drawn(tables: &[table::Table]) -> String {
    let mut out = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        let _ = writeln!(out, "{}\n", table.title);
        let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
        let words: Vec<usize> = (1..header.len()).filter(|column| is_words(&table.rows, *column)).collect();
        let mut drawn = Table::new(&header).with_words(&words);
        table.rows.iter().take(MAX_ROWS).for_each(|row| drawn.row(row.iter().cloned()));
        out += &drawn.render();
        if table.rows.len() > MAX_ROWS {
            let _ = writeln!(out, "({} more rows in the report)", table.rows.len() - MAX_ROWS);
        }
        if !table.note.is_empty() {
            let _ = writeln!(out, "{}", table.note);
        }
        out.push('\n');
    }
    out
}

/// Whether a column holds words rather than numbers.
fn is_words(rows: &[Vec<String>], column: usize) -> bool {
    let is_word = |row: &Vec<String>| row[column].starts_with(|c: char| c.is_alphabetic());
    rows.iter().any(is_word)
}
