//! Rows as a Markdown page: counts, a table, and what went wrong in a section of its own.

use super::answer::line;
use super::spool::Spool;
use super::tally::Tally;
use super::target::Target;
use super::{Column, Meta, answer};
use crate::{Cell, Row, Status};
use std::io::{self, Write};

/// A page that rows are added to.
pub struct Page {
    target: Target,
    columns: Vec<Column>,
    tally: Tally,
    table: Spool,
    faults: Spool,
}

impl Page {
    /// Writes the heading.
    pub fn new(mut target: Target, columns: &[Column], meta: &Meta) -> io::Result<Page> {
        writeln!(target, "# {}\n", escape(&meta.title))?;
        for description in &meta.description {
            writeln!(target, "> {}\n", escape(description))?;
        }
        writeln!(target, "Model: {}, Saydo {}\n", escape(&meta.model), escape(&meta.version))?;
        let tally = Tally::new(columns);
        Ok(Page { target, columns: columns.to_vec(), tally, table: Spool::new()?, faults: Spool::new()? })
    }

    /// Adds a row to the table, and its faults to theirs.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        self.tally.add(row);
        let id = escape(&answer::plain(&row.id));
        if row.cells.iter().any(|cell| matches!(cell.status, Status::Ok | Status::Na)) {
            let cells: String =
                row.cells.iter().map(|cell| format!(" {} | {} |", shown(cell), confidence(cell))).collect();
            self.table.push(&format!("| {id} |{cells}\n"))?;
        }
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            if let Status::Unparsable | Status::Failed = cell.status {
                let task = if self.columns.len() == 1 { String::new() } else { format!(", {}", escape(&column.name)) };
                let error = escape(cell.error.as_deref().unwrap_or("no reason was given"));
                self.faults.push(&format!("- {id}{task} ({}): {error}\n", cell.status.name()))?;
            }
        }
        Ok(())
    }

    /// Puts the page together.
    pub fn finish(self) -> io::Result<Target> {
        let Page { mut target, columns, tally, table, faults } = self;
        write_counts(&mut target, &tally)?;
        let heads: String = columns.iter().map(|column| format!(" {} | confidence |", escape(&column.name))).collect();
        writeln!(target, "\n## Answers\n\n| id |{heads}\n| --- |{}", " --- | ---: |".repeat(columns.len()))?;
        table.pour(&mut target)?;
        if tally.rows(Status::Unparsable) + tally.rows(Status::Failed) > 0 {
            writeln!(target, "\n## Unparsable and failed\n")?;
            faults.pour(&mut target)?;
        }
        Ok(target)
    }
}

fn write_counts(target: &mut Target, tally: &Tally) -> io::Result<()> {
    let names = Status::ALL.map(Status::name).join(" | ");
    writeln!(target, "| task | documents | {names} |\n| --- |{}", " ---: |".repeat(5))?;
    for (name, counts) in &tally.tasks {
        let counts = counts.map(|count| count.to_string()).join(" | ");
        writeln!(target, "| {} | {} | {counts} |", escape(name), tally.total())?;
    }
    Ok(())
}

fn shown(cell: &Cell) -> String {
    match cell.status {
        Status::Ok => escape(&line(&cell.answer)),
        Status::Na => "NA".to_owned(),
        _ => format!("({})", cell.status.name()),
    }
}

fn confidence(cell: &Cell) -> String {
    cell.confidence.filter(|confidence| confidence.is_finite()).map(|known| format!("{known:.2}")).unwrap_or_default()
}

/// Text that reads the same in a cell of a table: what Markdown or HTML would take for its own is escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push_str("<br>"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => out.extend(['\\', character]),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
