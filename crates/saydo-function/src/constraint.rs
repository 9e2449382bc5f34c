//! What a held reply may look like, for each kind of answer that is generated.

use crate::form::NA;
use crate::window::Window;
use saydo_model::{Constraint, Finish, Reply};
use saydo_task::{AnswerKind, AnswerSpec, Field, FieldKind};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// More spans than this are a model running on.
const MAX_SPANS: usize = 16;
/// More records than this are a model running on.
const MAX_RECORDS: usize = 20;
/// The longest free text in a record, in characters.
const MAX_FIELD_CHARS: usize = 120;

/// The constraint on a window's reply; none for free text and for labels, which are scored instead.
pub(crate) fn constrained(kind: &AnswerKind, window: &Window) -> Option<Constraint> {
    match kind {
        AnswerKind::YesNo | AnswerKind::Label(_) | AnswerKind::Text => None,
        AnswerKind::Spans => Some(Constraint::spans(window.unwrapped(), "; ", MAX_SPANS)),
        AnswerKind::Records(fields) => {
            let text = window.unwrapped();
            let fields = fields.iter().map(|field| (field.name.as_str(), value(field, &text)));
            Some(Constraint::records(fields, 1, MAX_RECORDS))
        }
    }
}

fn value(field: &Field, text: &Arc<str>) -> Constraint {
    match &field.kind {
        FieldKind::Span => Constraint::json_piece(Arc::clone(text)).or(format!("\"{NA}\"").as_str()),
        FieldKind::YesNo => Constraint::json_labels(["yes", "no", NA]),
        FieldKind::Label(labels) => Constraint::json_labels(labels.iter().map(String::as_str).chain([NA])),
        FieldKind::Text => Constraint::json_line(MAX_FIELD_CHARS),
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

/// The reply's text; if it was cut off, what is whole of it: records, or words of a span.
pub(crate) fn complete<'a>(reply: &'a Reply, kind: &AnswerKind, document: &str) -> Cow<'a, str> {
    let text = reply.text.trim_start();
    if reply.finish != Finish::Length {
        return Cow::Borrowed(text);
    }
    match kind {
        AnswerKind::Records(_) if text.starts_with('[') => match (text.rfind("},"), text.rfind('{')) {
            (Some(end), _) => Cow::Owned(format!("{}]", &text[..=end])),
            // Not even one record is whole: its first value is all there is.
            (None, Some(_)) => first_field(text).map_or(Cow::Borrowed(text), Cow::Owned),
            (None, None) => Cow::Borrowed(text),
        },
        AnswerKind::Spans => Cow::Borrowed(whole_words(text, document)),
        _ => Cow::Borrowed(text),
    }
}

/// A list of one record with those fields of the first that were finished.
fn first_field(text: &str) -> Option<String> {
    let end = text.rfind("\", \"")?;
    Some(format!("{}\"}}]", &text[..end]))
}

/// The text up to the last word that the document has there.
fn whole_words<'a>(text: &'a str, document: &str) -> &'a str {
    let start = text.rfind("; ").map_or(0, |separator| separator + 2);
    let last = &text[start..];
    let bounds = last.char_indices().rev().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let ends = [last.len()]
        .into_iter()
        .chain(bounds)
        .find(|end| !saydo_guide::ground(document, last[..*end].trim_end()).is_empty());
    match ends {
        Some(end) => text[..start + end].trim_end(),
        None => text[..start].trim_end_matches([';', ' ']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::Usage;

    fn cut(text: &str, kind: &AnswerKind) -> String {
        let reply = Reply {
            text: text.into(),
            tokens: Vec::new(),
            finish: Finish::Length,
            log_prob: None,
            first_log_prob: None,
            opening_log_odds: None,
            usage: Usage::default(),
        };
        complete(&reply, kind, "Fern Hike is short; Moss Trail is steep and wet.").into_owned()
    }

    #[test]
    fn a_span_that_was_cut_off_keeps_its_whole_words() {
        for (reply, kept) in [
            ("Moss Trail is ste", "Moss Trail is"),
            ("Fern Hike; Moss Trail is ste", "Fern Hike; Moss Trail is"),
            ("Fern Hike; Mo", "Fern Hike"),
            ("Fern Hike", "Fern Hike"),
        ] {
            assert_eq!(cut(reply, &AnswerKind::Spans), kept);
        }
    }

    #[test]
    fn records_that_were_cut_off_keep_the_whole_ones() {
        let records = AnswerKind::Records(vec![Field { name: "hike".into(), kind: FieldKind::Span }]);
        assert_eq!(cut(r#"[{"hike": "Fern Hike"}, {"hike": "Mo"#, &records), r#"[{"hike": "Fern Hike"}]"#);
        assert_eq!(cut(r#"[{"hike": "Fern Hike", "open": "#, &records), r#"[{"hike": "Fern Hike"}]"#);
        assert_eq!(cut(r#"[{"hike": "Fern H"#, &records), r#"[{"hike": "Fern H"#);
        assert_eq!(cut(r#"[{"hike": "Fern Hike", "open": "y"#, &records), r#"[{"hike": "Fern Hike"}]"#);
    }
}
