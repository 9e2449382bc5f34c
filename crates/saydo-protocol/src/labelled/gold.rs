//! Labelled rows: documents with the answers that count as right.

use super::verdict::answer_text;
use crate::text::rows;
use saydo_task::Error;
use saydo_task::node::{Node, Value};
use saydo_task::problem::Code;
use saydo_task::reader::{Path as At, Reader};
use saydo_task::source::Source;
use serde_json::Value as Json;

/// A document with its gold answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledRow {
    /// The row's own id, or its line.
    pub id: String,
    /// The document.
    pub text: String,
    /// Every acceptable answer, as ZEST writes answers; at least one.
    pub gold: Vec<String>,
}

/// Names a document may go by, the first one found counts.
const TEXT_FIELDS: [&str; 7] = ["text", "body", "content", "document", "input", "context", "passage"];
/// Names of the one gold answer.
const ANSWER_FIELDS: [&str; 4] = ["answer", "gold", "label", "output"];
/// Names of a list of gold answers, each acceptable.
const ALTERNATIVES_FIELDS: [&str; 2] = ["answers", "outputs"];

/// Reads JSON Lines of a document (`text`, or the field named by `column`) and its gold `answer`: a text, null for NA, a
/// list of spans, a list of records; or `answers`, several that are each acceptable.
pub fn read_labelled(source: &Source, column: Option<&str>) -> Result<Vec<LabelledRow>, Error> {
    rows::read(source, |reader, node, line| row(reader, node, line, column))
}

fn row(reader: &mut Reader<'_>, node: &Node, line: usize, column: Option<&str>) -> Option<LabelledRow> {
    let id = match node.get("id") {
        Some(id) => rows::name(reader, id, At::Root.key("id"))?,
        None => format!("line {line}"),
    };
    let names: Vec<&str> = column.map_or(TEXT_FIELDS.to_vec(), |column| vec![column]);
    let (name, text) = first(reader, node, &names, "the document")?;
    let text = reader.string(text, At::Root.key(name))?;
    let every: Vec<&str> = ANSWER_FIELDS.iter().chain(&ALTERNATIVES_FIELDS).copied().collect();
    let (name, answer) = first(reader, node, &every, "the gold answer")?;
    let gold = match answer.as_array().filter(|_| ALTERNATIVES_FIELDS.contains(&name)) {
        Some(several) => several.iter().map(|one| answer_text(&json(one))).collect(),
        None => vec![answer_text(&json(answer))],
    };
    if gold.is_empty() {
        reader.report(Code::WrongType, answer.offset, At::Root.key(name), "an empty list", "at least one answer");
        return None;
    }
    Some(LabelledRow { id, text, gold })
}

/// The first of these fields that the row has.
fn first<'n, 'f>(
    reader: &mut Reader<'_>,
    node: &'n Node,
    names: &[&'f str],
    what: &str,
) -> Option<(&'f str, &'n Node)> {
    let found = names.iter().find_map(|name| node.get(name).map(|field| (*name, field)));
    if found.is_none() {
        let expected = format!("{what} in `{}`", names.join("`, `"));
        reader.report(Code::MissingField, node.offset, At::Root, "no such field", &expected);
    }
    found
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Integer(digits) => Json::from(digits.as_str()),
        Value::Float(value) => Json::from(*value),
        Value::String(text) => Json::from(text.as_str()),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::Object(entries) => Json::Object(entries.iter().map(|(key, value)| (key.clone(), json(value))).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(text: &str, column: Option<&str>) -> Result<Vec<LabelledRow>, String> {
        let source =
            Source::from_bytes(Path::new("gold.jsonl"), text.as_bytes().to_vec()).map_err(|e| e.to_string())?;
        read_labelled(&source, column).map_err(|error| error.to_string())
    }

    #[test]
    fn answers_of_every_kind_are_read() {
        let rows = read(
            "{\"id\": 7, \"text\": \"a\", \"answer\": null}\n{\"body\": \"b\", \"label\": \"spam\"}\n\
             {\"input\": \"c\", \"outputs\": [\"x\", \"y\"]}\n{\"text\": \"d\", \"answer\": [\"x\", \"y\"]}\n\
             {\"text\": \"e\", \"answer\": [{\"hike\": \"Fern\"}]}",
            None,
        );
        let rows = rows.expect("all rows are good");
        let gold: Vec<&[String]> = rows.iter().map(|row| row.gold.as_slice()).collect();
        assert_eq!(gold, [&["n/a"][..], &["spam"], &["x", "y"], &["x|y"], &[r#"[{"hike":"Fern"}]"#]]);
        assert_eq!((rows[0].id.as_str(), rows[1].id.as_str()), ("7", "line 2"));
    }

    #[test]
    fn what_is_missing_is_named() {
        insta::assert_snapshot!(read("{\"text\": \"a\"}", None).expect_err("no answer"), @"gold.jsonl:1:1: no such field, expected the gold answer in `answer`, `gold`, `label`, `output`, `answers`, `outputs`");
        insta::assert_snapshot!(read("{\"text\": \"a\", \"answer\": 1}", Some("body")).expect_err("no body"), @"gold.jsonl:1:1: no such field, expected the document in `body`");
    }
}
