//! The typed answer to one document: the value a function over text gives.
//!
//! [`crate::AnswerSpec`] says what answers a task can have; this is one of them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The document does not say.
    Na,
    /// `yes`, `no`, or one label of a set.
    Label(String),
    /// Pieces of the document, in its order, none twice; never empty.
    Spans(Vec<Span>),
    /// Records with the task's fields; never empty.
    Records(Vec<Record>),
    /// Free text.
    Text(String),
}

/// A piece of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Where it starts, in characters (Unicode scalar values) from the start of the document.
    pub start: usize,
    /// Where it ends: the character after its last one.
    pub end: usize,
    /// The text between, exactly as the document has it.
    pub text: String,
    /// The field it fills, if it is part of a record.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// Which record it is part of, from 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub record: Option<usize>,
    /// How sure the model is of it, from 0 to 1, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
}

/// One record: a value for each field of the task, in the task's order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Fields and their values.
    pub fields: Vec<(String, FieldValue)>,
}

/// The value of one field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue {
    /// The document does not say.
    Na,
    /// A piece of the document.
    Span(Span),
    /// `yes` or `no`, or one label of the field's set.
    Label(String),
    /// Free text.
    Text(String),
}

impl Answer {
    /// The answer as JSON: null for NA, text for labels and free text, a list of texts for spans, a list of objects for
    /// records.
    pub fn to_json(&self) -> Value {
        match self {
            Answer::Na => Value::Null,
            Answer::Label(text) | Answer::Text(text) => Value::from(text.as_str()),
            Answer::Spans(spans) => spans.iter().map(|span| span.text.as_str()).collect(),
            Answer::Records(records) => records.iter().map(Record::to_json).collect(),
        }
    }

    /// Every span in it; those of records carry their field and the record's number.
    pub fn spans(&self) -> Vec<Span> {
        match self {
            Answer::Na | Answer::Label(_) | Answer::Text(_) => Vec::new(),
            Answer::Spans(spans) => spans.clone(),
            Answer::Records(records) => {
                records.iter().enumerate().flat_map(|(number, record)| record.spans(number)).collect()
            }
        }
    }
}

impl Record {
    /// The record as a JSON object; NA fields are null.
    pub fn to_json(&self) -> Value {
        let entry = |(name, value): &(String, FieldValue)| (name.clone(), value.to_json());
        Value::Object(self.fields.iter().map(entry).collect::<Map<_, _>>())
    }

    fn spans(&self, number: usize) -> impl Iterator<Item = Span> {
        self.fields.iter().filter_map(move |(name, value)| match value {
            FieldValue::Span(span) => Some(Span { label: Some(name.clone()), record: Some(number), ..span.clone() }),
            _ => None,
        })
    }
}

impl FieldValue {
    /// The value as JSON: null for NA, otherwise its text.
    pub fn to_json(&self) -> Value {
        match self {
            FieldValue::Na => Value::Null,
            FieldValue::Span(span) => Value::from(span.text.as_str()),
            FieldValue::Label(text) | FieldValue::Text(text) => Value::from(text.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, text: &str) -> Span {
        let end = start + text.chars().count();
        Span { start, end, text: text.into(), label: None, record: None, score: None }
    }

    #[test]
    fn answers_are_plain_json() {
        let record = Record {
            fields: vec![
                ("hike".into(), FieldValue::Span(span(4, "Lehamite Falls"))),
                ("accessible".into(), FieldValue::Label("no".into())),
                ("length".into(), FieldValue::Na),
            ],
        };
        insta::assert_snapshot!(Answer::Na.to_json(), @"null");
        insta::assert_snapshot!(Answer::Label("yes".into()).to_json(), @r#""yes""#);
        insta::assert_snapshot!(Answer::Spans(vec![span(0, "a"), span(4, "b")]).to_json(), @r#"["a","b"]"#);
        insta::assert_snapshot!(
            Answer::Records(vec![record]).to_json(),
            @r#"[{"hike":"Lehamite Falls","accessible":"no","length":null}]"#
        );
    }

    #[test]
    fn spans_of_records_say_where_they_belong() {
        let record = Record { fields: vec![("hike".into(), FieldValue::Span(span(4, "Falls")))] };
        let spans = Answer::Records(vec![Record::default(), record]).spans();
        assert_eq!(spans.len(), 1);
        assert_eq!((spans[0].label.as_deref(), spans[0].record), (Some("hike"), Some(1)));
    }
}
