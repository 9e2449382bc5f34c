//! Arrow columns for the parts of a cell.

use super::super::answer::{fields, plain};
use super::super::rounded;
use crate::Cell;
use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_schema::{DataType, Field};
use saydo_task::{AnswerKind, AnswerSpec, Span};
use serde_json::Value;
use std::sync::Arc;

/// The columns of one task.
pub struct CellBuilder {
    status: StringBuilder,
    answer: AnswerBuilder,
    confidence: Float64Builder,
    spans: ListBuilder<StructBuilder>,
    windows: Int64Builder,
    ms: Int64Builder,
    error: StringBuilder,
}

/// Answers: text, lists of text, or lists of records.
enum AnswerBuilder {
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Records(ListBuilder<StructBuilder>, Vec<String>),
}

impl CellBuilder {
    pub fn new(spec: &AnswerSpec) -> CellBuilder {
        CellBuilder {
            status: StringBuilder::new(),
            answer: AnswerBuilder::new(spec),
            confidence: Float64Builder::new(),
            spans: ListBuilder::new(span_builder()),
            windows: Int64Builder::new(),
            ms: Int64Builder::new(),
            error: StringBuilder::new(),
        }
    }

    /// Adds a cell, or nothing where there is none; gives about how many bytes it holds.
    pub fn push(&mut self, cell: Option<&Cell>) -> usize {
        self.status.append_option(cell.map(|cell| cell.status.name()));
        self.answer.push(cell.map_or(&Value::Null, |cell| &cell.answer));
        self.confidence.append_option(cell.and_then(|cell| cell.confidence).and_then(rounded));
        let spans = cell.map_or(&[][..], |cell| &cell.spans);
        for span in spans {
            push_span(self.spans.values(), span);
        }
        self.spans.append(true);
        self.windows.append_option(cell.map(|cell| number(cell.windows)));
        self.ms.append_option(cell.map(|cell| i64::try_from(cell.ms).unwrap_or(i64::MAX)));
        self.error.append_option(cell.and_then(|cell| cell.error.as_deref()));
        let answer = if let Some(Value::String(text)) = cell.map(|cell| &cell.answer) { text.len() } else { 0 };
        answer + spans.iter().map(|span| 2 * span.text.len() + 64).sum::<usize>()
    }

    /// The columns so far, by their names in rows; flat rows have another order than wide ones.
    pub fn finish(&mut self, is_flat: bool) -> Vec<(&'static str, ArrayRef)> {
        let mut columns: Vec<(&'static str, ArrayRef)> = vec![
            ("answer", self.answer.finish()),
            ("status", Arc::new(self.status.finish())),
            ("confidence", Arc::new(self.confidence.finish())),
            ("spans", Arc::new(self.spans.finish())),
            ("windows", Arc::new(self.windows.finish())),
            ("ms", Arc::new(self.ms.finish())),
            ("error", Arc::new(self.error.finish())),
        ];
        if is_flat {
            columns.swap(0, 1);
        }
        columns
    }
}

impl AnswerBuilder {
    fn new(spec: &AnswerSpec) -> AnswerBuilder {
        let names: Vec<String> = fields(spec).iter().map(|field| field.name.clone()).collect();
        match spec.kind {
            AnswerKind::Spans => AnswerBuilder::Texts(ListBuilder::new(StringBuilder::new())),
            // A record without fields cannot be stored as one.
            AnswerKind::Records(_) if !names.is_empty() => {
                AnswerBuilder::Records(ListBuilder::new(text_fields(&names)), names)
            }
            _ => AnswerBuilder::Text(StringBuilder::new()),
        }
    }

    fn push(&mut self, answer: &Value) {
        let items: &[Value] = match answer {
            Value::Array(items) => items,
            Value::Null => &[],
            one => std::slice::from_ref(one),
        };
        match self {
            AnswerBuilder::Text(builder) => builder.append_option(text(answer)),
            AnswerBuilder::Texts(builder) => {
                items.iter().for_each(|item| builder.values().append_option(text(item)));
                builder.append(!answer.is_null());
            }
            AnswerBuilder::Records(builder, names) => {
                items.iter().for_each(|item| push_record(builder.values(), names, item));
                builder.append(!answer.is_null());
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            AnswerBuilder::Text(builder) => Arc::new(builder.finish()),
            AnswerBuilder::Texts(builder) => Arc::new(builder.finish()),
            AnswerBuilder::Records(builder, _) => Arc::new(builder.finish()),
        }
    }
}

fn text(value: &Value) -> Option<String> {
    (!value.is_null()).then(|| plain(value))
}

fn text_fields(names: &[String]) -> StructBuilder {
    let fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let builders = names.iter().map(|_| Box::new(StringBuilder::new()) as Box<dyn ArrayBuilder>);
    StructBuilder::new(fields, builders.collect())
}

fn push_record(builder: &mut StructBuilder, names: &[String], record: &Value) {
    for (place, name) in names.iter().enumerate() {
        column::<StringBuilder>(builder, place).append_option(record.get(name).and_then(text));
    }
    builder.append(true);
}

fn span_builder() -> StructBuilder {
    let fields = [
        ("start", DataType::Int64),
        ("end", DataType::Int64),
        ("text", DataType::Utf8),
        ("label", DataType::Utf8),
        ("record", DataType::Int64),
        ("score", DataType::Float64),
    ];
    StructBuilder::from_fields(fields.map(|(name, kind)| Field::new(name, kind, true)).to_vec(), 0)
}

fn push_span(builder: &mut StructBuilder, span: &Span) {
    column::<Int64Builder>(builder, 0).append_value(number(span.start));
    column::<Int64Builder>(builder, 1).append_value(number(span.end));
    column::<StringBuilder>(builder, 2).append_value(&span.text);
    column::<StringBuilder>(builder, 3).append_option(span.label.as_deref());
    column::<Int64Builder>(builder, 4).append_option(span.record.map(number));
    column::<Float64Builder>(builder, 5).append_option(span.score.and_then(rounded));
    builder.append(true);
}

fn column<B: ArrayBuilder>(builder: &mut StructBuilder, place: usize) -> &mut B {
    builder.field_builder(place).expect("the fields were made in this order")
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
