//! Answers, confidence and colors.

use super::super::answer::{fields, plain};
use super::super::{Column, rounded};
use super::highlight::Mark;
use crate::escape::escape;
use crate::{Cell, Row, Status};
use saydo_task::{AnswerKind, FieldKind};
use serde_json::Value;

/// How many colors there are in the style.
const COLORS: usize = 8;

/// A color for each kind of span: for each field of each task with records, for each task with spans.
pub struct Palette {
    /// The task's number, the field, and what the legend says.
    entries: Vec<(usize, Option<String>, String)>,
}

impl Palette {
    pub fn new(columns: &[Column]) -> Palette {
        let mut entries = Vec::new();
        for (task, column) in columns.iter().enumerate() {
            let legend = |name: &str| match columns.len() {
                1 => name.to_owned(),
                _ => format!("{}: {name}", column.name),
            };
            if column.spec.kind == AnswerKind::Spans {
                entries.push((task, None, column.name.clone()));
            }
            for field in fields(&column.spec).iter().filter(|field| field.kind == FieldKind::Span) {
                entries.push((task, Some(field.name.clone()), legend(&field.name)));
            }
        }
        Palette { entries }
    }

    fn place(&self, task: usize, field: Option<&str>) -> Option<usize> {
        self.entries.iter().position(|(of, name, _)| *of == task && (name.as_deref() == field || name.is_none()))
    }

    fn class(&self, task: usize, field: Option<&str>) -> String {
        format!("c{}", self.place(task, field).unwrap_or(self.entries.len()) % COLORS)
    }

    /// What the colors mean; nothing if there are none.
    pub fn legend(&self) -> String {
        let entry = |(place, (_, _, name)): (usize, &(usize, Option<String>, String))| {
            format!("<li><mark class=\"c{}\"><bdi>{}</bdi></mark></li>", place % COLORS, escape(name))
        };
        let entries: String = self.entries.iter().enumerate().map(entry).collect();
        if entries.is_empty() { entries } else { format!("<ul class=legend aria-label=Colors>{entries}</ul>") }
    }

    /// Every span of a row.
    pub fn marks(&self, row: &Row) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (task, cell) in row.cells.iter().enumerate() {
            for span in &cell.spans {
                let place = self.place(task, span.label.as_deref());
                let name =
                    place.map(|place| self.entries[place].2.as_str()).or(span.label.as_deref()).unwrap_or("answer");
                let mut title = escape(name);
                if let Some(record) = span.record {
                    title += &format!(", record {}", record + 1);
                }
                if let Some(score) = span.score.and_then(rounded) {
                    title += &format!(", {score:.2}");
                }
                marks.push(Mark {
                    start: span.start,
                    end: span.end,
                    class: self.class(task, span.label.as_deref()),
                    title,
                });
            }
        }
        marks
    }
}

/// The cell of an answer. Behind several tasks' names, the task's is said again where the columns are stacked.
pub fn answer(palette: &Palette, task: usize, column: &Column, cell: &Cell, is_named: bool) -> String {
    let label = if is_named { format!(" data-label=\"{}\"", escape(&column.name)) } else { String::new() };
    let status = cell.status.name();
    let shown = match cell.status {
        Status::Ok => value(palette, task, column, &cell.answer),
        Status::Na => "<span class=na>NA</span>".to_owned(),
        Status::Unparsable | Status::Failed => {
            let error = escape(cell.error.as_deref().unwrap_or_default());
            format!("<span class=fault>{status}</span> <span class=why dir=auto>{error}</span>")
        }
    };
    format!("<td class=answer{label}>{shown}</td>")
}

fn value(palette: &Palette, task: usize, column: &Column, answer: &Value) -> String {
    match (&column.spec.kind, answer) {
        (AnswerKind::Spans, Value::Array(texts)) => {
            let class = palette.class(task, None);
            let item = |text: &Value| format!("<li dir=auto><mark class={class}>{}</mark></li>", escape(&plain(text)));
            format!("<ul class=pieces>{}</ul>", texts.iter().map(item).collect::<String>())
        }
        (AnswerKind::Records(_), Value::Array(records)) => {
            let record = |record: &Value| format!("<li>{}</li>", record_fields(palette, task, column, record));
            format!("<ol class=records>{}</ol>", records.iter().map(record).collect::<String>())
        }
        (AnswerKind::YesNo | AnswerKind::Label(_), answer) => {
            format!("<span class=label><bdi>{}</bdi></span>", escape(&plain(answer)))
        }
        (_, answer) => format!("<span class=free dir=auto>{}</span>", escape(&plain(answer))),
    }
}

fn record_fields(palette: &Palette, task: usize, column: &Column, record: &Value) -> String {
    let mut out = String::new();
    for field in fields(&column.spec) {
        let value = match record.get(&field.name) {
            None | Some(Value::Null) => "<span class=na>NA</span>".to_owned(),
            Some(value) if field.kind == FieldKind::Span => {
                format!("<mark class={}>{}</mark>", palette.class(task, Some(&field.name)), escape(&plain(value)))
            }
            Some(value) => format!("<span class=label>{}</span>", escape(&plain(value))),
        };
        out += &format!(
            "<span class=field dir=auto><span class=name>{}</span> <bdi>{value}</bdi></span> ",
            escape(&field.name)
        );
    }
    out
}

/// The cell of a confidence, with a bar.
pub fn confidence(cell: &Cell) -> String {
    match cell.confidence.and_then(rounded) {
        Some(sure) => {
            let percent = (sure.clamp(0.0, 1.0) * 100.0).round();
            format!("<td class=sure data-sort={sure}><span class=bar style=\"--part:{percent}%\"></span>{sure:.2}</td>")
        }
        None => "<td class=sure data-sort=-1></td>".to_owned(),
    }
}
