//! Answers as text, for cells and pages.

use saydo_task::{AnswerKind, AnswerSpec, Field};
use serde_json::Value;

/// A JSON value as plain text: text without quotes, nothing for null, JSON for the rest.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The fields of a task's records; none if its answers are no records.
pub fn fields(spec: &AnswerSpec) -> &[Field] {
    match &spec.kind {
        AnswerKind::Records(fields) => fields,
        _ => &[],
    }
}

/// An answer as one line to read: lists with semicolons between, records as `field: value`.
pub fn line(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(line).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match value {
                Value::Null => format!("{name}: NA"),
                value => format!("{name}: {}", plain(value)),
            };
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => plain(other),
    }
}
