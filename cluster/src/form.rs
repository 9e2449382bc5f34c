//! The functions of SQL: what each asks for, and what its answers look like as values of a table.

mod value;

pub(crate) use value::array;

use crate::Error;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use saydo_function::infer::infer_task;
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::{AnswerKind, AnswerSpec, FieldKind, Task};
use std::path::Path;
use std::sync::Arc;

/// What a function asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// What the description asks for.
    Inferred,
    /// What a task file says.
    TaskFile,
    YesNo,
    Label,
    Spans,
    Records,
    Text,
}

/// A function: what it asks for, and whether it gives the answer alone or the whole row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    pub(crate) is_row: bool,
}

/// What one call asks of texts: everything about it but the texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    kind: Kind,
    /// A description, or the text of a task file.
    words: String,
    /// Labels to choose from, or names of fields.
    names: Vec<String>,
}

impl Form {
    #[cfg(test)]
    pub(crate) const YES_NO: Form = Form { kind: Kind::YesNo, is_row: false };

    const KINDS: [Kind; 7] =
        [Kind::Inferred, Kind::TaskFile, Kind::YesNo, Kind::Label, Kind::Spans, Kind::Records, Kind::Text];

    /// Every function.
    pub(crate) fn all() -> impl Iterator<Item = Form> {
        [false, true].into_iter().flat_map(|is_row| Self::KINDS.map(|kind| Form { kind, is_row }))
    }

    /// Its name in SQL.
    pub(crate) fn name(self) -> &'static str {
        match (self.kind, self.is_row) {
            (Kind::Inferred, false) => "saydo",
            (Kind::TaskFile, false) => "saydo_task",
            (Kind::YesNo, false) => "saydo_yes_no",
            (Kind::Label, false) => "saydo_label",
            (Kind::Spans, false) => "saydo_spans",
            (Kind::Records, false) => "saydo_records",
            (Kind::Text, false) => "saydo_text",
            (Kind::Inferred, true) => "saydo_row",
            (Kind::TaskFile, true) => "saydo_task_row",
            (Kind::YesNo, true) => "saydo_yes_no_row",
            (Kind::Label, true) => "saydo_label_row",
            (Kind::Spans, true) => "saydo_spans_row",
            (Kind::Records, true) => "saydo_records_row",
            (Kind::Text, true) => "saydo_text_row",
        }
    }

    /// What it is called with, for messages.
    pub(crate) fn usage(self) -> String {
        let words = if self.kind == Kind::TaskFile { "task" } else { "description" };
        let names = match self.kind {
            Kind::Label => ", label, label, …",
            Kind::Records => ", field, …",
            _ => "",
        };
        format!("{}('{words}', text{names})", self.name())
    }

    /// Whether names may follow the text.
    pub(crate) fn takes_names(self) -> bool {
        matches!(self.kind, Kind::Label | Kind::Records)
    }

    /// The type of its values for answers of this kind.
    pub(crate) fn data_type(self, spec: &AnswerSpec) -> DataType {
        if self.is_row { row_type(spec) } else { answer_type(spec) }
    }
}

impl Asked {
    /// What a call of this function asks.
    pub(crate) fn new(form: Form, words: &str, names: &[String]) -> Self {
        Self { kind: form.kind, words: words.to_owned(), names: names.to_vec() }
    }

    /// The task it comes to, its kind of answer settled.
    pub(crate) fn task(&self) -> Result<Task, Error> {
        let mut task = match self.kind {
            Kind::TaskFile => read_task(&self.words)?,
            _ => Task { id: self.words.clone(), definition: Some(self.words.clone()), ..Task::default() },
        };
        if let Some(kind) = self.answer_kind(&task)? {
            task.answer = Some(AnswerSpec { kind, na: None });
        }
        Ok(Task { answer: Some(infer_task(&task).spec), ..task })
    }

    /// What its answers look like.
    pub(crate) fn spec(&self) -> Result<AnswerSpec, Error> {
        Ok(self.task()?.answer.unwrap_or(AnswerSpec { kind: AnswerKind::Text, na: None }))
    }

    /// The kind that the function fixes, if it does.
    fn answer_kind(&self, task: &Task) -> Result<Option<AnswerKind>, Error> {
        let inferred = || infer_task(task).spec.kind;
        Ok(match self.kind {
            Kind::Inferred | Kind::TaskFile => None,
            Kind::YesNo => Some(AnswerKind::YesNo),
            Kind::Spans => Some(AnswerKind::Spans),
            Kind::Text => Some(AnswerKind::Text),
            Kind::Label => Some(match (self.names.as_slice(), inferred()) {
                ([], kind @ AnswerKind::Label(_)) => kind,
                ([] | [_], _) => return Err(self.incomplete("at least two labels behind the text")),
                (labels, _) => AnswerKind::Label(labels.to_vec()),
            }),
            Kind::Records => Some(match (self.names.as_slice(), inferred()) {
                ([], kind @ AnswerKind::Records(_)) => kind,
                ([], _) => return Err(self.incomplete("the fields of a record behind the text")),
                (names, _) => AnswerKind::Records(names.iter().map(|name| span_field(name)).collect()),
            }),
        })
    }

    fn incomplete(&self, expected: &str) -> Error {
        let name = Form { kind: self.kind, is_row: false }.name();
        Error::Task(format!("`{name}` with `{}` and {} names, expected {expected}", self.words, self.names.len()))
    }
}

fn span_field(name: &str) -> saydo_task::Field {
    saydo_task::Field { name: name.to_owned(), kind: FieldKind::Span }
}

/// The task of a task file's text.
fn read_task(text: &str) -> Result<Task, Error> {
    let not_a_task = |error: saydo_task::Error| Error::Task(format!("the task is not a task file: {error}"));
    let source = Source::from_bytes(Path::new("task"), text.as_bytes().to_vec()).map_err(not_a_task)?;
    let mut tasks = Format::Toml.read(&source).into_tasks().map_err(not_a_task)?;
    tasks.pop().ok_or_else(|| Error::Task("the task file holds no task".to_owned()))
}

/// The type of an answer.
fn answer_type(spec: &AnswerSpec) -> DataType {
    match &spec.kind {
        AnswerKind::YesNo => DataType::Boolean,
        AnswerKind::Label(_) | AnswerKind::Text => DataType::Utf8,
        AnswerKind::Spans => list(structure([
            ("start", DataType::Int64),
            ("end", DataType::Int64),
            ("text", DataType::Utf8),
            ("score", DataType::Float64),
        ])),
        AnswerKind::Records(fields) => list(structure(fields.iter().map(|field| {
            let kind = if field.kind == FieldKind::YesNo { DataType::Boolean } else { DataType::Utf8 };
            (field.name.as_str(), kind)
        }))),
    }
}

/// The type of a row: what a run writes for a document, but for its id and source.
fn row_type(spec: &AnswerSpec) -> DataType {
    let answer = match &spec.kind {
        AnswerKind::YesNo | AnswerKind::Label(_) | AnswerKind::Text => DataType::Utf8,
        AnswerKind::Spans => list(DataType::Utf8),
        AnswerKind::Records(fields) => {
            list(structure(fields.iter().map(|field| (field.name.as_str(), DataType::Utf8))))
        }
    };
    let span = structure([
        ("start", DataType::Int64),
        ("end", DataType::Int64),
        ("text", DataType::Utf8),
        ("label", DataType::Utf8),
        ("record", DataType::Int64),
        ("score", DataType::Float64),
    ]);
    structure([
        ("status", DataType::Utf8),
        ("answer", answer),
        ("spans", list(span)),
        ("confidence", DataType::Float64),
        ("windows", DataType::Int64),
        ("model", DataType::Utf8),
        ("ms", DataType::Int64),
        ("error", DataType::Utf8),
    ])
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item, true)))
}

fn structure<'a>(fields: impl IntoIterator<Item = (&'a str, DataType)>) -> DataType {
    let fields = fields.into_iter().map(|(name, kind)| Field::new(name, kind, true));
    DataType::Struct(fields.collect::<Fields>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: Kind, words: &str, names: &[&str]) -> Asked {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Asked::new(Form { kind, is_row: false }, words, &names)
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::HashSet<&str> = Form::all().map(Form::name).collect();
        assert_eq!(names.len(), 14);
    }

    #[test]
    fn the_function_settles_the_kind_of_answer() {
        let kind = |kind, words, names: &[&str]| asked(kind, words, names).spec().map(|spec| spec.kind);
        assert_eq!(kind(Kind::Inferred, "Are dogs allowed?", &[]).unwrap(), AnswerKind::YesNo);
        assert_eq!(kind(Kind::Spans, "Are dogs allowed?", &[]).unwrap(), AnswerKind::Spans);
        let labels = kind(Kind::Label, "How is it?", &["good", "bad"]).unwrap();
        assert_eq!(labels, AnswerKind::Label(vec!["good".into(), "bad".into()]));
        assert!(kind(Kind::Label, "How is it?", &["good"]).unwrap_err().to_string().contains("at least two labels"));
        assert!(kind(Kind::Records, "Are dogs allowed?", &[]).is_err());
    }

    #[test]
    fn a_task_file_is_read_from_its_text() {
        let text = "id = \"dogs\"\ndefinition = \"Are dogs allowed?\"\n[answer]\nkind = \"spans\"\n";
        assert_eq!(asked(Kind::TaskFile, text, &[]).spec().unwrap().kind, AnswerKind::Spans);
        assert!(asked(Kind::TaskFile, "Are dogs allowed?", &[]).task().is_err());
    }
}
