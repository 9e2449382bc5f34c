//! What a held reply may look like, for each kind of answer that is generated.

use crate::window::Window;
use saydo_model::{Constraint, Finish, Reply};
use saydo_task::{AnswerKind, AnswerSpec, Field, FieldKind};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// More spans than this are a model running on.
const MOST_SPANS: usize = 16;
/// More records than this are a model running on.
const MOST_RECORDS: usize = 20;
/// The longest free text in a record, in characters.
const MOST_FIELD_CHARS: usize = 120;

/// The constraint on a window's reply; none for free text and for labels, which are scored instead.
pub(crate) fn held(spec: &AnswerSpec, window: &Window) -> Option<Constraint> {
    match &spec.kind {
        AnswerKind::YesNo | AnswerKind::Label(_) | AnswerKind::Text => None,
        AnswerKind::Spans => Some(Constraint::spans(Arc::clone(&window.text), "; ", MOST_SPANS)),
        AnswerKind::Records(fields) => {
            let fields = fields.iter().map(|field| (field.name.as_str(), value(field, &window.text)));
            Some(Constraint::records(fields, 1, MOST_RECORDS))
        }
    }
}

fn value(field: &Field, text: &Arc<str>) -> Constraint {
    match field.kind {
        FieldKind::Span => Constraint::json_piece(Arc::clone(text)).or("\"NA\""),
        FieldKind::YesNo => Constraint::json_labels(["yes", "no", "NA"]),
        FieldKind::Text => Constraint::json_line(MOST_FIELD_CHARS),
    }
}

/// The JSON Schema of a free reply; none for kinds that are not written as JSON.
pub(crate) fn schema(spec: &AnswerSpec) -> Option<Value> {
    let AnswerKind::Records(fields) = &spec.kind else { return None };
    let property = |field: &Field| (field.name.clone(), json!({"type": "string"}));
    let properties: Map<String, Value> = fields.iter().map(property).collect();
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let object = json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false});
    // Servers that keep to a schema want an object at the top.
    let list = json!({"records": {"type": "array", "items": object}});
    Some(json!({"type": "object", "properties": list, "required": ["records"], "additionalProperties": false}))
}

/// The reply's text; of a list of records that was cut off, the records that are whole.
pub(crate) fn complete<'a>(reply: &'a Reply, kind: &AnswerKind) -> Cow<'a, str> {
    let text = reply.text.as_str();
    let is_cut = reply.finish == Finish::Length && matches!(kind, AnswerKind::Records(_));
    match text.rfind("},").filter(|_| is_cut && text.starts_with('[')) {
        Some(end) => Cow::Owned(format!("{}]", &text[..=end])),
        None => Cow::Borrowed(text),
    }
}
