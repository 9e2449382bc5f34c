//! From a freely written reply to a typed answer. Decoding on served models cannot be constrained, so their replies
//! are read with some forgiveness for wrapping (quotes, bullets, code fences), and none for content.

use crate::grounding::{locate, span};
use crate::window::Window;
use saydo_task::{Answer, AnswerKind, Field, FieldKind, FieldValue, Record};
use serde_json::Value;
use std::ops::Range;

/// What a reply turned out to be.
#[derive(Debug, PartialEq)]
pub(crate) enum Parsed {
    /// An answer. `ungrounded` pieces were left out because the document does not hold them.
    Answer { answer: Answer, ungrounded: usize },
    /// Nothing of the kind that was asked for. `ungrounded` pieces looked like it, but the document does not hold them.
    Nothing { ungrounded: usize },
}

/// Reads the reply to one window.
pub(crate) fn parse(reply: &str, kind: &AnswerKind, allows_na: bool, window: &Window) -> Parsed {
    let reply = unwrap_fence(reply.trim());
    match kind {
        AnswerKind::Text => text(reply, allows_na),
        AnswerKind::YesNo => label(reply, &["yes".into(), "no".into()], allows_na),
        AnswerKind::Label(labels) => label(reply, labels, allows_na),
        AnswerKind::Spans => spans(reply, window, allows_na),
        AnswerKind::Records(fields) => records(reply, fields, window, allows_na),
    }
}

fn sure(answer: Answer) -> Parsed {
    Parsed::Answer { answer, ungrounded: 0 }
}

const NOTHING: Parsed = Parsed::Nothing { ungrounded: 0 };

fn text(reply: &str, allows_na: bool) -> Parsed {
    match allows_na && is_na(reply) {
        true => sure(Answer::Na),
        false => sure(Answer::Text(reply.to_owned())),
    }
}

/// The label the reply starts with, or the only one it holds.
fn label(reply: &str, labels: &[String], allows_na: bool) -> Parsed {
    let bare = bare(reply).to_lowercase();
    let starts = |label: &&String| {
        let label = label.to_lowercase();
        bare.strip_prefix(&label).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    // The longest, so that "not spam" is not read as "not".
    let found = labels.iter().filter(starts).max_by_key(|label| label.len());
    match found {
        Some(label) => sure(Answer::Label(label.clone())),
        None if allows_na && (is_na(reply) || says_nothing(&bare)) => sure(Answer::Na),
        None => {
            let mut held = labels.iter().filter(|label| !saydo_guide::ground(&bare, &label.to_lowercase()).is_empty());
            match (held.next(), held.next()) {
                (Some(label), None) => sure(Answer::Label(label.clone())),
                _ => NOTHING,
            }
        }
    }
}

fn spans(reply: &str, window: &Window, allows_na: bool) -> Parsed {
    if is_na(reply) || says_nothing(&bare(reply).to_lowercase()) {
        return if allows_na { sure(Answer::Na) } else { NOTHING };
    }
    let pieces = match serde_json::from_str::<Vec<String>>(reply) {
        Ok(list) => list,
        Err(_) => listed(reply),
    };
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut ungrounded = 0;
    for piece in pieces.iter().filter(|piece| !is_na(piece)) {
        // A separator may be part of the text, so a line counts whole before it counts in parts.
        match locate(&window.text, piece, &taken) {
            Some(place) if !taken.contains(&place) => taken.push(place),
            Some(_) => {}
            None => ungrounded += 1,
        }
    }
    if taken.is_empty() {
        let is_na = pieces.is_empty() && allows_na;
        return if is_na { sure(Answer::Na) } else { Parsed::Nothing { ungrounded } };
    }
    let spans = taken.into_iter().map(|place| span(&window.text, window.start, place, None)).collect();
    Parsed::Answer { answer: Answer::Spans(spans), ungrounded }
}

/// The items of a list: lines without bullets and quotes, or what stands between semicolons.
fn listed(reply: &str) -> Vec<String> {
    let lines = reply.lines().map(bare).filter(|line| !line.is_empty());
    lines.flat_map(|line| line.split("; ")).map(|item| bare(item).to_owned()).filter(|item| !item.is_empty()).collect()
}

fn records(reply: &str, fields: &[Field], window: &Window, allows_na: bool) -> Parsed {
    if is_na(reply) {
        return if allows_na { sure(Answer::Na) } else { NOTHING };
    }
    let Some(items) = json_items(reply) else { return NOTHING };
    let mut ungrounded = 0;
    let records: Vec<Record> = items.iter().map(|item| record(item, fields, window, &mut ungrounded)).collect();
    let is_empty = |record: &Record| record.fields.iter().all(|(_, value)| *value == FieldValue::Na);
    let records: Vec<Record> = records.into_iter().filter(|record| !is_empty(record)).collect();
    match records.is_empty() {
        false => Parsed::Answer { answer: Answer::Records(records), ungrounded },
        true if allows_na && ungrounded == 0 => sure(Answer::Na),
        true => Parsed::Nothing { ungrounded },
    }
}

/// The objects of a JSON list, of a list wrapped in an object, or a single object; with words around it or not.
fn json_items(reply: &str) -> Option<Vec<Value>> {
    let start = reply.find(['[', '{'])?;
    let end = reply.rfind([']', '}'])?;
    match serde_json::from_str(reply.get(start..=end)?).ok()? {
        Value::Array(items) => Some(items),
        Value::Object(object) => match object.values().next() {
            Some(Value::Array(items)) if object.len() == 1 && items.iter().all(Value::is_object) => Some(items.clone()),
            _ => Some(vec![Value::Object(object)]),
        },
        _ => None,
    }
}

/// One object with the task's fields and no others. Names are compared without case and with `_` as space.
fn record(item: &Value, fields: &[Field], window: &Window, ungrounded: &mut usize) -> Record {
    let plain = |name: &str| name.to_lowercase().replace('_', " ");
    let value_of = |field: &Field| {
        let object = item.as_object()?;
        object.iter().find(|(name, _)| plain(name) == plain(&field.name)).map(|(_, value)| value)
    };
    let mut value = |field: &Field| match value_of(field).and_then(plain_text) {
        Some(text) if !is_na(&text) => field_value(&text, &field.kind, window, ungrounded),
        _ => FieldValue::Na,
    };
    Record { fields: fields.iter().map(|field| (field.name.clone(), value(field))).collect() }
}

fn field_value(text: &str, kind: &FieldKind, window: &Window, ungrounded: &mut usize) -> FieldValue {
    match kind {
        FieldKind::Text => FieldValue::Text(text.to_owned()),
        FieldKind::YesNo => field_label(text, &["yes".into(), "no".into()]),
        FieldKind::Label(labels) => field_label(text, labels),
        FieldKind::Span => match locate(&window.text, text, &[]) {
            Some(place) => FieldValue::Span(span(&window.text, window.start, place, None)),
            None => {
                *ungrounded += 1;
                FieldValue::Na
            }
        },
    }
}

fn field_label(text: &str, labels: &[String]) -> FieldValue {
    match label(text, labels, true) {
        Parsed::Answer { answer: Answer::Label(label), .. } => FieldValue::Label(label),
        _ => FieldValue::Na,
    }
}

fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(true) => Some("yes".into()),
        Value::Bool(false) => Some("no".into()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a reply says that there is no answer.
pub(crate) fn is_na(reply: &str) -> bool {
    let bare = bare(reply).to_lowercase();
    ["", "na", "n/a", "none", "null", "not stated", "not mentioned", "not specified", "not applicable", "unknown", "[]"]
        .contains(&bare.as_str())
}

/// Whether a sentence (in lower case) says that the text does not tell.
fn says_nothing(bare: &str) -> bool {
    ["na ", "n/a ", "na.", "n/a.", "na,", "not stated", "not mentioned", "not specified", "the text does not"]
        .iter()
        .any(|start| bare.starts_with(start))
}

/// The text without bullets, numbering, quotes and closing punctuation around it.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['-', '*', '•']).trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = text[digits..].strip_prefix(['.', ')']).filter(|rest| digits > 0 && rest.starts_with(' '));
    numbered.unwrap_or(text).trim().trim_end_matches(['.', ',']).trim_matches(['"', '\'', '“', '”', '*', '`'])
}

/// What stands inside a code fence, if the reply is one.
fn unwrap_fence(reply: &str) -> &str {
    let inner = reply.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map(|(_, inner)| inner);
    inner.and_then(|inner| inner.rsplit_once("```")).map_or(reply, |(inner, _)| inner.trim())
}

#[cfg(test)]
mod tests;
