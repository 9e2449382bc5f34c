//! Rows as one self-contained page: every document with its spans marked, answers and confidence in tables.
//!
//! Rows go to a section by their status and are kept on disk until the counts above them are known, so that memory does
//! not grow. The page is whole without its script, which only adds sorting and filtering. It may run no other script and
//! load nothing: a policy in its head says so.

mod cell;
mod highlight;

use super::spool::Spool;
use super::tally::Tally;
use super::target::Target;
use super::{Column, Meta, answer};
use crate::{Document, Row, Status, Templates};
use cell::{Palette, Shown};
use highlight::{Piece, highlight};
use saydo_task::AnswerKind;
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::sync::LazyLock;

static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| {
    Templates::new(&[
        ("page.html", include_str!("html/templates/page.html")),
        ("row.html", include_str!("html/templates/row.html")),
        ("answer.html", include_str!("html/templates/answer.html")),
        ("text.html", include_str!("html/templates/text.html")),
    ])
});
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The SHA-256 of the script, in base64, by which the page's policy knows it.
const SCRIPT_HASH: &str = "sha256-fI1583a3FdLy2ehrwBhCx87tE0BS7n4WXuUpaXeoTyY=";
/// Texts up to this many characters are open from the start,
const SHORT_TEXT: usize = 700;
/// in so many documents: a page of thousands is quick only if most are closed.
const OPEN_TEXTS: u64 = 200;
/// Stands where the rows of a section are poured in. No text can hold it, because it is escaped to another character.
const ROWS: char = '\0';

/// A page that rows are added to.
pub struct Page {
    target: Target,
    columns: Vec<Column>,
    meta: Meta,
    palette: Palette,
    tally: Tally,
    /// Answered, NA, unparsable or failed.
    sections: [Spool; 3],
}

/// The sections' anchors and headings.
const SECTIONS: [(&str, &str); 3] =
    [("answered", "Answered"), ("na", "Not applicable"), ("faults", "Unparsable and failed")];

/// What the template of a row shows.
#[derive(Serialize)]
struct Line<'a> {
    id: String,
    /// None if it is the id.
    source: Option<&'a str>,
    /// The statuses of the cells, with spaces between.
    statuses: String,
    cells: Vec<Shown<'a>>,
    text: Option<Text<'a>>,
}

/// A document's text with its spans marked.
#[derive(Serialize)]
struct Text<'a> {
    characters: usize,
    spans: usize,
    is_open: bool,
    pieces: Vec<Piece<'a>>,
}

impl Page {
    pub fn new(target: Target, columns: &[Column], meta: &Meta) -> io::Result<Page> {
        Ok(Page {
            target,
            columns: columns.to_vec(),
            meta: meta.clone(),
            palette: Palette::new(columns),
            tally: Tally::new(columns),
            sections: [Spool::new()?, Spool::new()?, Spool::new()?],
        })
    }

    /// Adds a row to its section.
    pub fn write(&mut self, document: &Document, row: &Row) -> io::Result<()> {
        self.tally.add(row);
        let section = match row.status() {
            Status::Ok => 0,
            Status::Na => 1,
            Status::Unparsable | Status::Failed => 2,
        };
        let html = TEMPLATES.render("row.html", &self.line(document, row));
        self.sections[section].push(&html)
    }

    /// Puts the page together.
    pub fn finish(self) -> io::Result<Target> {
        let counts = [
            self.tally.rows(Status::Ok),
            self.tally.rows(Status::Na),
            self.tally.rows(Status::Unparsable) + self.tally.rows(Status::Failed),
        ];
        let page = self.around_rows(counts);
        let Page { mut target, sections, .. } = self;
        let mut filled = sections.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        for part in page.split(ROWS) {
            target.write_all(part.as_bytes())?;
            if let Some((rows, _)) = filled.next() {
                rows.pour(&mut target)?;
            }
        }
        Ok(target)
    }

    /// The page with [`ROWS`] in each section that has some.
    fn around_rows(&self, counts: [u64; 3]) -> String {
        let section = |((anchor, heading), count)| json!({"anchor": anchor, "heading": heading, "count": count});
        let filled = SECTIONS.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        let column = |column: &Column| {
            let labels = match &column.spec.kind {
                AnswerKind::YesNo => json!(["yes", "no"]),
                AnswerKind::Label(labels) => json!(labels),
                _ => json!(null),
            };
            json!({"name": if self.columns.len() == 1 { "Answer" } else { &column.name }, "labels": labels})
        };
        let values = json!({
            "style": STYLE,
            "script": SCRIPT,
            "script_hash": SCRIPT_HASH,
            "meta": self.meta,
            "total": self.tally.total(),
            "statuses": Status::ALL,
            "tasks": self.tally.tasks,
            "legend": self.palette.legend(),
            "sections": filled.map(section).collect::<Vec<_>>(),
            "columns": self.columns.iter().map(column).collect::<Vec<_>>(),
            "rows": ROWS,
        });
        TEMPLATES.render("page.html", &values)
    }

    fn line<'a>(&'a self, document: &'a Document, row: &'a Row) -> Line<'a> {
        let id = answer::plain(&row.id);
        let cells = self.columns.iter().zip(&row.cells).enumerate();
        let shown = |(task, (column, cell))| Shown::new(&self.palette, task, column, cell, self.columns.len() > 1);
        Line {
            source: (id != row.source).then_some(&row.source),
            id,
            statuses: row.cells.iter().map(|cell| cell.status.name()).collect::<Vec<_>>().join(" "),
            cells: cells.map(shown).collect(),
            text: (!document.text.is_empty()).then(|| self.text(&document.text, row)),
        }
    }

    fn text<'a>(&self, text: &'a str, row: &Row) -> Text<'a> {
        let characters = text.chars().count();
        let marks = self.palette.marks(row);
        Text {
            characters,
            spans: marks.len(),
            is_open: characters <= SHORT_TEXT && self.tally.total() <= OPEN_TEXTS,
            pieces: highlight(text, &marks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_file::digest;

    fn base64(bytes: &[u8]) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let group = |three: &[u8]| -> String {
            let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            let digit = |place: usize| match place <= three.len() {
                true => char::from(alphabet[(bits >> (18 - 6 * place) & 63) as usize]),
                false => '=',
            };
            (0..4).map(digit).collect()
        };
        bytes.chunks(3).map(group).collect()
    }

    #[test]
    fn the_policy_lets_this_script_run_and_no_other() {
        assert_eq!(SCRIPT_HASH, format!("sha256-{}", base64(&digest::of(SCRIPT).bytes())));
        assert!(!SCRIPT.contains("</"), "the script would end there");
        assert!(!STYLE.contains("</") && !STYLE.contains("url("), "the style loads nothing");
    }
}
