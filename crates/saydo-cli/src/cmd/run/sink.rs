//! Where rows go: a file, standard output as JSON lines, or a table for whoever watches.

use super::Args;
use crate::table::Table;
use crate::{output, table};
use anyhow::Result;
use saydo::answering::RowError;
use saydo::job::run::Run;
use saydo_corpus::{Cell, Column, Document, Error, JsonLines, Meta, Output, Row, Status};
use serde_json::Value;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write as _};
use std::time::{Duration, Instant};

/// Rows that a table on a terminal shows; the rest is counted.
const TABLE_ROWS: u64 = 200;
/// Characters of a cell of that table.
const CELL_CHARS: usize = 60;
/// How long rows on standard output may wait for further ones.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// Takes the rows.
pub(super) struct Sink {
    kind: Kind,
    rows: u64,
}

enum Kind {
    File(Box<Output>),
    Lines(JsonLines<Lines>),
    Table(Table),
}

/// Standard output: many rows in one write if they come fast, each at once if they come slowly.
struct Lines {
    out: BufWriter<Stdout>,
    flushed: Instant,
}

impl Lines {
    fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, io::stdout()), flushed: Instant::now() }
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.flush()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }
}

impl Sink {
    /// Fails now if the output could not be made later: before a model is loaded.
    pub(super) fn check(args: &Args) -> Result<()> {
        if let Some(path) = &args.output_path {
            // Dropped without being finished, it leaves nothing.
            drop(Output::create(path, &[], &Meta::default())?);
        }
        Ok(())
    }

    pub(super) fn new(args: &Args, plan: &Run) -> Result<Self> {
        let columns = plan.outputs();
        let kind = match &args.output_path {
            Some(path) => Kind::File(Box::new(Output::create(path, &columns, &meta(plan))?)),
            None if args.json || !io::stdout().is_terminal() => Kind::Lines(JsonLines::new(Lines::new(), &columns)),
            None => Kind::Table(head(&columns)),
        };
        Ok(Self { kind, rows: 0 })
    }

    /// How many rows it took.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes a row.
    pub(super) fn write(&mut self, document: &Document, row: &Row) -> Result<(), RowError> {
        self.rows += 1;
        match &mut self.kind {
            Kind::File(output) => output.write(document, row)?,
            Kind::Lines(lines) => lines.write(row).map_err(stdout_failed)?,
            Kind::Table(table) if self.rows <= TABLE_ROWS => {
                let cells = row.cells.iter().flat_map(|cell| [answer(cell), confidence(cell)]);
                table.row([cut(&row.source)].into_iter().chain(cells));
            }
            Kind::Table(_) => {}
        }
        Ok(())
    }

    /// Ends the output of a run that did not come to its end: a file that is there already may be whole, and stays.
    pub(super) fn finish_early(self) -> Result<()> {
        match &self.kind {
            Kind::File(output) if output.path().exists() => {
                let path = output.path().display();
                output::note(&format!("{path} stays as it was; the rows so far are recorded in the run"));
                Ok(())
            }
            _ => self.finish(),
        }
    }

    /// Ends the output.
    pub(super) fn finish(self) -> Result<()> {
        match self.kind {
            Kind::File(output) => Ok(output.finish()?),
            Kind::Lines(lines) => Ok(lines.into_inner().flush().map_err(stdout_failed)?),
            Kind::Table(table) => {
                output::print(&table.render())?;
                if self.rows > TABLE_ROWS {
                    let more = self.rows - TABLE_ROWS;
                    output::note(&format!("and {more} more rows; -o FILE writes them all"));
                }
                Ok(())
            }
        }
    }
}

fn stdout_failed(source: io::Error) -> Error {
    Error::Write { path: "standard output".into(), source }
}

fn meta(plan: &Run) -> Meta {
    Meta {
        title: plan.outputs().into_iter().next().map(|column| column.name).unwrap_or_default(),
        description: plan.descriptions(),
        model: plan.session.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn head(columns: &[Column]) -> Table {
    let names: Vec<String> = match columns {
        [_] => vec!["answer".to_owned()],
        columns => columns.iter().map(|column| cut(&column.name)).collect(),
    };
    let mut header = vec!["source"];
    for name in &names {
        header.extend([name.as_str(), "sure"]);
    }
    let words: Vec<usize> = (0..names.len()).map(|column| 1 + 2 * column).collect();
    Table::new(&header).with_words(&words)
}

fn answer(cell: &Cell) -> String {
    match cell.status {
        Status::Ok => cut(&shown(&cell.answer)),
        Status::Na => "NA".to_owned(),
        Status::Unparsable => cut(&format!("unparsable: {}", cell.error.as_deref().unwrap_or_default())),
        Status::Failed => cut(&format!("failed: {}", cell.error.as_deref().unwrap_or_default())),
    }
}

/// An answer without the quotes and brackets of JSON.
fn shown(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{name}: {}", shown(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Value::Null => "NA".to_owned(),
        other => other.to_string(),
    }
}

fn confidence(cell: &Cell) -> String {
    cell.confidence.map(|share| format!("{}%", table::percent(share))).unwrap_or_default()
}

/// One line of limited length, without terminal control characters.
fn cut(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, "");
    match line.char_indices().nth(CELL_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_read_without_json() {
        let records = json!([{"hike": "Falls", "paved": null}, {"hike": "Dome", "paved": "no"}]);
        assert_eq!(shown(&records), "hike: Falls, paved: NA; hike: Dome, paved: no");
        assert_eq!(cut("a\n b\u{1b}[2J"), "a b[2J");
        assert_eq!(cut(&"x".repeat(80)).chars().count(), CELL_CHARS + 1);
    }
}
