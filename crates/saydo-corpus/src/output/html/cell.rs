//! Answers, confidence and colors, as the template of a row shows them.

use super::super::answer::{fields, plain};
use super::super::{Column, rounded};
use super::highlight::Mark;
use crate::{Cell, Row, Status};
use saydo_task::{AnswerKind, FieldKind};
use serde::Serialize;
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

    fn color(&self, task: usize, field: Option<&str>) -> usize {
        self.place(task, field).unwrap_or(self.entries.len()) % COLORS
    }

    /// What the colors mean.
    pub fn legend(&self) -> Vec<(usize, &str)> {
        self.entries.iter().enumerate().map(|(place, (_, _, name))| (place % COLORS, name.as_str())).collect()
    }

    /// Every span of a row.
    pub fn marks(&self, row: &Row) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (task, cell) in row.cells.iter().enumerate() {
            for span in &cell.spans {
                let place = self.place(task, span.label.as_deref());
                let name = place.map(|place| self.entries[place].2.as_str()).or(span.label.as_deref());
                let mut title = name.unwrap_or("answer").to_owned();
                if let Some(record) = span.record {
                    title += &format!(", record {}", record + 1);
                }
                if let Some(score) = span.score.and_then(rounded) {
                    title += &format!(", {score:.2}");
                }
                let color = self.color(task, span.label.as_deref());
                marks.push(Mark { start: span.start, end: span.end, color, title });
            }
        }
        marks
    }
}

/// A cell and the one of its confidence.
#[derive(Serialize)]
pub struct Shown<'a> {
    /// The task's name, which is said again where the columns of several tasks are stacked.
    name: Option<&'a str>,
    /// The label that the page can be filtered by.
    choice: Option<&'a str>,
    answer: Answer<'a>,
    sure: Option<Sure>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Answer<'a> {
    Na,
    Fault { status: Status, error: &'a str },
    Spans { color: usize, texts: Vec<String> },
    Records { records: Vec<Vec<Field<'a>>> },
    Label { text: String },
    Free { text: String },
}

/// A field of a record; without a text it is not applicable, and it has a color if it is a span.
#[derive(Serialize)]
struct Field<'a> {
    name: &'a str,
    text: Option<String>,
    color: Option<usize>,
}

/// A confidence: what rows are sorted by, how much of the bar is full, and two decimals.
#[derive(Serialize)]
struct Sure {
    sort: f64,
    percent: f64,
    shown: String,
}

impl<'a> Shown<'a> {
    pub fn new(palette: &Palette, task: usize, column: &'a Column, cell: &'a Cell, is_named: bool) -> Self {
        let is_choice = matches!(column.spec.kind, AnswerKind::YesNo | AnswerKind::Label(_));
        let sure = |sure: f64| Sure {
            sort: sure,
            percent: (sure.clamp(0.0, 1.0) * 100.0).round(),
            shown: format!("{sure:.2}"),
        };
        Self {
            name: is_named.then_some(&column.name),
            choice: cell.answer.as_str().filter(|_| is_choice),
            answer: match cell.status {
                Status::Ok => value(palette, task, column, &cell.answer),
                Status::Na => Answer::Na,
                status => Answer::Fault { status, error: cell.error.as_deref().unwrap_or_default() },
            },
            sure: cell.confidence.and_then(rounded).map(sure),
        }
    }
}

fn value<'a>(palette: &Palette, task: usize, column: &'a Column, answer: &Value) -> Answer<'a> {
    match (&column.spec.kind, answer) {
        (AnswerKind::Spans, Value::Array(texts)) => {
            Answer::Spans { color: palette.color(task, None), texts: texts.iter().map(plain).collect() }
        }
        (AnswerKind::Records(fields), Value::Array(records)) => {
            let field = |field: &'a saydo_task::Field, record: &Value| Field {
                name: &field.name,
                text: record.get(&field.name).filter(|value| !value.is_null()).map(plain),
                color: (field.kind == FieldKind::Span).then(|| palette.color(task, Some(&field.name))),
            };
            let record = |record: &Value| fields.iter().map(|it| field(it, record)).collect();
            Answer::Records { records: records.iter().map(record).collect() }
        }
        (AnswerKind::YesNo | AnswerKind::Label(_), answer) => Answer::Label { text: plain(answer) },
        (_, answer) => Answer::Free { text: plain(answer) },
    }
}
