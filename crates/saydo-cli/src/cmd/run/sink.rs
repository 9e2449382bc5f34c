//! Where rows go: a file, standard output as JSON lines, or a table for whoever watches; and, for `--open`, a page.

use super::Args;
use super::view::{Look, View};
use crate::output;
use anyhow::{Result, bail};
use saydo::answering::RowError;
use saydo::job::run::Run;
use saydo_corpus::{Document, Error, JsonLines, Meta, Output, Row};
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Rows that a table on a terminal shows; the rest is counted.
const TABLE_ROWS: u64 = 200;
/// The page of `--open` in the run's folder.
const PAGE: &str = "rows.html";
/// How long rows on standard output may wait for further ones.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// Takes the rows.
pub(super) struct Sink {
    kind: Kind,
    page: Option<Output>,
    rows: u64,
}

enum Kind {
    File(Box<Output>),
    Lines(JsonLines<Lines>),
    Table(View),
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
            if args.open && !is_page(path) {
                bail!("--open requires an HTML output, found {}; name it .html, or leave out -o", path.display());
            }
            // Dropped without being finished, it leaves nothing.
            drop(Output::create(path, &[], &Meta::default())?);
        }
        Ok(())
    }

    /// What `--open` opens.
    pub(super) fn page(args: &Args, plan: &Run) -> PathBuf {
        args.output_path.clone().unwrap_or_else(|| plan.path().join(PAGE))
    }

    pub(super) fn new(args: &Args, plan: &Run) -> Result<Self> {
        let columns = plan.outputs();
        let kind = match &args.output_path {
            Some(path) => Kind::File(Box::new(Output::create(path, &columns, &meta(plan))?)),
            None if args.json || !io::stdout().is_terminal() => Kind::Lines(JsonLines::new(Lines::new(), &columns)),
            None => Kind::Table(View::new(columns.clone(), Look::of_stdout())),
        };
        let page = match (args.open, &args.output_path) {
            (true, None) => Some(Output::create(&Self::page(args, plan), &columns, &meta(plan))?),
            _ => None,
        };
        Ok(Self { kind, page, rows: 0 })
    }

    /// How many rows it took.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes a row.
    pub(super) fn write(&mut self, document: &Document, row: &Row) -> Result<(), RowError> {
        self.rows += 1;
        if let Some(page) = &mut self.page {
            page.write(document, row)?;
        }
        match &mut self.kind {
            Kind::File(output) => output.write(document, row)?,
            Kind::Lines(lines) => lines.write(row).map_err(stdout_failed)?,
            Kind::Table(table) if self.rows <= TABLE_ROWS => table.add(row),
            Kind::Table(_) => {}
        }
        Ok(())
    }

    /// Ends the output of a run that did not come to its end: a file that is there already may be whole, and stays.
    pub(super) fn finish_early(mut self) -> Result<()> {
        self.page = None;
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
        if let Some(page) = self.page {
            page.finish()?;
        }
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

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["html", "htm"].iter().any(|page| extension.eq_ignore_ascii_case(page)))
}
