//! What is right for an instance, as a value.
//!
//! [`crate::Instance::outputs`] lists alternatives: any one of them is right. A single output can itself have several
//! parts that all belong to the answer: a set. Task files write a set as a JSON list, ZEST joins its parts with `|`.

use crate::AnswerKind;
use serde_json::{Map, Value};

/// One acceptable output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gold {
    /// The input does not say.
    Na,
    /// A label, or free text.
    Text(String),
    /// A set of pieces of the input.
    Spans(Vec<String>),
    /// Records: the value of each field, none where the input does not say.
    Records(Vec<Vec<(String, Option<String>)>>),
}

impl Gold {
    /// Reads an output of a task with this kind of answer. An output that is not of the kind is text.
    pub fn parse(output: &str, kind: &AnswerKind) -> Gold {
        let trimmed = output.trim();
        match kind {
            AnswerKind::Label(labels) if labels.iter().any(|label| label == trimmed) => Gold::Text(trimmed.to_owned()),
            _ if is_na(trimmed) => Gold::Na,
            AnswerKind::YesNo | AnswerKind::Label(_) => Gold::Text(trimmed.to_owned()),
            AnswerKind::Text => Gold::Text(output.to_owned()),
            AnswerKind::Spans => match listed(trimmed) {
                Some(items) => Gold::from_json(&Value::Array(items)),
                None => Gold::Spans(trimmed.split('|').map(str::to_owned).collect()),
            },
            AnswerKind::Records(_) => match listed(trimmed) {
                Some(items) => Gold::from_json(&Value::Array(items)),
                None => Gold::Text(output.to_owned()),
            },
        }
    }

    /// Reads an answer in JSON: null for NA, text, a list of texts for spans, a list of objects for records.
    pub fn from_json(answer: &Value) -> Gold {
        match answer {
            Value::Null => Gold::Na,
            Value::String(text) => Gold::Text(text.clone()),
            Value::Array(items) if items.is_empty() => Gold::Na,
            Value::Array(items) if items.iter().all(Value::is_object) => {
                Gold::Records(items.iter().filter_map(Value::as_object).map(record).collect())
            }
            Value::Array(items) => Gold::Spans(items.iter().filter_map(plain).collect()),
            other => plain(other).map_or(Gold::Na, Gold::Text),
        }
    }

    /// The answer in JSON; see [`Self::from_json`].
    pub fn to_json(&self) -> Value {
        match self {
            Gold::Na => Value::Null,
            Gold::Text(text) => Value::from(text.as_str()),
            Gold::Spans(spans) => spans.iter().map(String::as_str).collect(),
            Gold::Records(records) => {
                let field = |(name, value): &(String, Option<String>)| (name.clone(), Value::from(value.clone()));
                records.iter().map(|fields| Value::Object(fields.iter().map(field).collect())).collect()
            }
        }
    }

    /// The output that [`Self::parse`] reads back: sets and records as JSON.
    pub fn to_output(&self) -> String {
        match self {
            Gold::Na => "n/a".to_owned(),
            Gold::Text(text) => text.clone(),
            Gold::Spans(_) | Gold::Records(_) => self.to_json().to_string(),
        }
    }
}

fn is_na(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("n/a") || text.eq_ignore_ascii_case("na")
}

/// The items of a JSON list of texts or of objects.
fn listed(text: &str) -> Option<Vec<Value>> {
    let items: Vec<Value> = serde_json::from_str(text).ok()?;
    (items.iter().all(Value::is_string) || items.iter().all(Value::is_object)).then_some(items)
}

fn record(object: &Map<String, Value>) -> Vec<(String, Option<String>)> {
    let value = |value: &Value| plain(value).filter(|text| !is_na(text));
    object.iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_in_one_output_is_a_set() {
        let spans = |output: &str| Gold::parse(output, &AnswerKind::Spans);
        let both = Gold::Spans(vec!["a b".into(), "c".into()]);
        assert_eq!((spans(r#"["a b", "c"]"#), spans("a b|c")), (both.clone(), both.clone()));
        assert_eq!(spans(&both.to_output()), both);
        assert_eq!(spans("[1] Smith"), Gold::Spans(vec!["[1] Smith".into()]));
        assert_eq!((spans("[]"), spans(" N/A ")), (Gold::Na, Gold::Na));
    }

    #[test]
    fn records_and_labels_are_read_by_their_kind() {
        let records = AnswerKind::Records(Vec::new());
        let read = Gold::parse(r#"[{"hike": "Fern", "open": "n/a"}]"#, &records);
        assert_eq!(read, Gold::Records(vec![vec![("hike".into(), Some("Fern".into())), ("open".into(), None)]]));
        assert_eq!(read.to_output(), r#"[{"hike":"Fern","open":null}]"#);
        assert_eq!(Gold::parse(&read.to_output(), &records), read);
        let labels = AnswerKind::Label(vec!["NA".into(), "EU".into()]);
        assert_eq!(Gold::parse("NA", &labels), Gold::Text("NA".into()));
        assert_eq!(Gold::parse("n/a", &labels), Gold::Na);
    }
}
