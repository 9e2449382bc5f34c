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
use crate::escape::escape;
use crate::{Document, Row, Status};
use cell::Palette;
use saydo_task::AnswerKind;
use std::io::{self, Write};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The SHA-256 of the script, in base64, by which the page's policy knows it.
const SCRIPT_HASH: &str = "sha256-fI1583a3FdLy2ehrwBhCx87tE0BS7n4WXuUpaXeoTyY=";
/// Texts up to this many characters are open from the start,
const SHORT_TEXT: usize = 700;
/// in so many documents: a page of thousands is quick only if most are closed.
const OPEN_TEXTS: u64 = 200;

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
        let html = self.row(document, row);
        self.sections[section].push(&html)
    }

    /// Puts the page together.
    pub fn finish(mut self) -> io::Result<Target> {
        let counts = [
            self.tally.rows(Status::Ok),
            self.tally.rows(Status::Na),
            self.tally.rows(Status::Unparsable) + self.tally.rows(Status::Failed),
        ];
        let head = self.head(counts);
        let (table_head, tasks) = (self.table_head(), self.columns.len());
        let Page { target, sections, .. } = &mut self;
        target.write_all(head.as_bytes())?;
        let sections = std::mem::replace(sections, [Spool::new()?, Spool::new()?, Spool::new()?]);
        for (((anchor, heading), count), rows) in SECTIONS.iter().zip(counts).zip(sections) {
            if count > 0 {
                write!(
                    target,
                    "<section id={anchor}><h2>{heading} <span class=count>{count}</span></h2>\n<div class=wide><table style=\"--tasks:{tasks}\">{table_head}\n"
                )?;
                rows.pour(target)?;
                target.write_all(b"</table></div></section>\n")?;
            }
        }
        write!(target, "</main>\n<script>{SCRIPT}</script>\n</body></html>\n")?;
        Ok(self.target)
    }

    fn head(&self, counts: [u64; 3]) -> String {
        let title = escape(&self.meta.title);
        let asked: String =
            self.meta.description.iter().map(|line| format!("<p class=asked dir=auto>{}</p>", escape(line))).collect();
        let (model, version) = (escape(&self.meta.model), escape(&self.meta.version));
        let links = SECTIONS.iter().zip(counts).filter(|(_, count)| *count > 0);
        let links: String = links
            .map(|((anchor, heading), count)| {
                format!("<a href=\"#{anchor}\">{heading} <span class=count>{count}</span></a>")
            })
            .collect();
        format!(
            "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n\
             <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'\">\n\
             <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\n<header>\n<h1 dir=auto>{title}</h1>\n{asked}\n\
             <p class=run>{total} documents · model <bdi>{model}</bdi> · Saydo {version}</p>\n{counts}{legend}\n\
             <nav aria-label=Sections>{links}</nav>\n{tools}</header>\n<main>\n",
            total = self.tally.total(),
            counts = self.counts(),
            legend = self.palette.legend(),
            tools = self.tools(),
        )
    }

    /// A table of counts if there are several tasks; the sections say it for one.
    fn counts(&self) -> String {
        if self.columns.len() < 2 {
            return String::new();
        }
        let heads = Status::ALL.map(|status| format!("<th scope=col>{}</th>", status.name())).concat();
        let row = |(name, counts): &(String, [u64; 4])| {
            let cells = counts.map(|count| format!("<td>{count}</td>")).concat();
            format!("<tr><th scope=row dir=auto>{}</th>{cells}</tr>", escape(name))
        };
        let rows: String = self.tally.tasks.iter().map(row).collect();
        format!(
            "<table class=counts><thead><tr><th scope=col>Task</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )
    }

    /// Search and filters, hidden until the script that makes them work shows them.
    fn tools(&self) -> String {
        let option = |label: &str| format!("<option>{}</option>", escape(label));
        let statuses: String = Status::ALL.iter().map(|status| option(status.name())).collect();
        let mut selects =
            format!("<label>Status <select id=status><option value=\"\">any</option>{statuses}</select></label>");
        for (place, column) in self.columns.iter().enumerate() {
            let labels: Vec<&str> = match &column.spec.kind {
                AnswerKind::YesNo => vec!["yes", "no"],
                AnswerKind::Label(labels) => labels.iter().map(String::as_str).collect(),
                _ => continue,
            };
            let name = if self.columns.len() == 1 { "Answer".to_owned() } else { escape(&column.name) };
            let labels: String = labels.into_iter().map(option).collect();
            selects += &format!(
                "<label><bdi>{name}</bdi> <select data-task={place}><option value=\"\">any</option>{labels}</select></label>"
            );
        }
        format!(
            "<form id=tools role=search hidden><label class=find>Find <input type=search id=find placeholder=\"in ids, answers and texts\"></label>\
             {selects}<button type=button id=open>Show texts</button><button type=button id=close>Hide texts</button>\
             <output id=shown></output></form>\n"
        )
    }

    fn table_head(&self) -> String {
        let column = |column: &Column| {
            let name = if self.columns.len() == 1 { "Answer".to_owned() } else { escape(&column.name) };
            format!("<th scope=col class=answer><bdi>{name}</bdi></th><th scope=col class=sure>Confidence</th>")
        };
        let columns: String = self.columns.iter().map(column).collect();
        format!("<thead><tr><th scope=col class=id>Document</th>{columns}</tr></thead>")
    }

    fn row(&self, document: &Document, row: &Row) -> String {
        let id = answer::plain(&row.id);
        let source =
            if id == row.source { String::new() } else { format!("<small><bdi>{}</bdi></small>", escape(&row.source)) };
        let mut data = format!(
            " data-status=\"{}\"",
            row.cells.iter().map(|cell| cell.status.name()).collect::<Vec<_>>().join(" ")
        );
        let mut cells = String::new();
        for (place, (column, cell)) in self.columns.iter().zip(&row.cells).enumerate() {
            if let (AnswerKind::YesNo | AnswerKind::Label(_), Some(label)) = (&column.spec.kind, cell.answer.as_str()) {
                data += &format!(" data-a{place}=\"{}\"", escape(label));
            }
            cells += &cell::answer(&self.palette, place, column, cell, self.columns.len() > 1);
            cells += &cell::confidence(cell);
        }
        let width = 1 + 2 * self.columns.len();
        format!(
            "<tbody{data}><tr><th scope=row class=id><bdi>{}</bdi>{source}</th>{cells}</tr>{}</tbody>\n",
            escape(&id),
            self.text(document, row, width)
        )
    }

    /// The document's text with its spans marked; nothing if there is no text.
    fn text(&self, document: &Document, row: &Row, width: usize) -> String {
        if document.text.is_empty() {
            return String::new();
        }
        let characters = document.text.chars().count();
        let marks = self.palette.marks(row);
        let is_open = characters <= SHORT_TEXT && self.tally.total() <= OPEN_TEXTS;
        let open = if is_open { " open" } else { "" };
        let spans = match marks.len() {
            0 => String::new(),
            1 => ", 1 span".to_owned(),
            count => format!(", {count} spans"),
        };
        format!(
            "<tr class=text><td colspan={width}><details{open}><summary>Text, {characters} characters{spans}</summary>\
             <div dir=auto>{}</div></details></td></tr>",
            highlight::highlight(&document.text, &marks)
        )
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
