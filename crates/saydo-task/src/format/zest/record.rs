//! A line of a ZEST file as it stands there.
//!
//! The reference scorer depends on details that [`crate::Task`] smooths over (ids of any type, one answer against a
//! list of one), so scoring and the papers' training files start from this shape.

use crate::Error;
use crate::node::{Node, Value};
use crate::problem::{Code, Severity};
use crate::reader::{Need, Path, Reader};
use crate::source::Source;

/// One line: a question and its passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The task's id: any scalar.
    pub id: Value,
    /// The question.
    pub question: String,
    /// `type.generalization_type`; none in unlabelled test files that leave `type` out.
    pub generalization: Option<String>,
    /// `type.domain`.
    pub domain: Option<String>,
    /// `type.derives_from`.
    pub derives_from: Vec<Value>,
    /// The passages, in order.
    pub examples: Vec<RecordExample>,
    /// The line the record stands on, from 1.
    pub line: usize,
}

/// A passage and its gold answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordExample {
    /// The passage.
    pub context: String,
    /// The answer as it stands in the file: a string, a list of alternatives, or something a scorer will refuse. None
    /// in unlabelled files.
    pub answer: Option<Value>,
}

/// Reads every line of a ZEST file as it stands; the first problem that makes it unusable is the error.
pub fn read_records(source: &Source) -> Result<Vec<Record>, Error> {
    let mut reader = Reader::new(source);
    let mut records = Vec::new();
    each_line(&mut reader, |_, _, record| records.push(record));
    match reader.problems.into_iter().find(|problem| problem.severity() == Severity::Error) {
        Some(problem) => Err(problem.into()),
        None => Ok(records),
    }
}

/// Calls `keep` with every line that holds a record, and the tree it was read from.
pub(super) fn each_line(reader: &mut Reader<'_>, mut keep: impl FnMut(&mut Reader<'_>, &Node, Record)) {
    let source = reader.source;
    let mut line_number = 0;
    let mut counted_to = 0;
    for line in source.lines() {
        let (offset, text) = match line {
            Ok(line) => line,
            Err(problem) => return reader.problems.push(problem),
        };
        line_number += memchr::memchr_iter(b'\n', &source.text.as_bytes()[counted_to..offset]).count();
        counted_to = offset;
        reader.starting_at(offset);
        let Some(node) = reader.json(text) else { continue };
        if let Some(record) = record(reader, &node, line_number + 1) {
            keep(reader, &node, record);
        }
    }
}

fn record(reader: &mut Reader<'_>, node: &Node, line: usize) -> Option<Record> {
    let path = Path::Root;
    reader.object(node, path)?;
    reader.only(node, path, &["id", "question", "type", "examples"], Code::UnknownField);
    let id = reader.field(node, path, "id", Need::Required)?;
    if matches!(id.value, Value::Array(_) | Value::Object(_)) {
        reader.report(Code::WrongType, id.offset, path.key("id"), id.value.kind(), "a string or a number");
        return None;
    }
    let mut record = Record {
        id: id.value.clone(),
        question: reader.text(node, path, "question", Need::Required)?,
        generalization: None,
        domain: None,
        derives_from: Vec::new(),
        examples: Vec::new(),
        line,
    };
    if let Some(kind) = node.get("type") {
        let path = path.key("type");
        reader.object(kind, path)?;
        reader.only(kind, path, &["generalization_type", "domain", "derives_from"], Code::UnknownField);
        record.generalization = reader.text(kind, path, "generalization_type", Need::Required);
        record.domain = reader.text(kind, path, "domain", Need::Required);
        let bases = reader.list(kind, path, "derives_from", Need::Expected);
        record.derives_from = bases.iter().map(|base| base.value.clone()).collect();
    }
    let examples = reader.list(node, path, "examples", Need::Required);
    let path = path.key("examples");
    for (i, example) in examples.iter().enumerate() {
        let path = path.index(i);
        reader.object(example, path)?;
        // `all_answers` lists what each annotator wrote; nothing is scored by it.
        reader.only(example, path, &["context", "answer", "all_answers"], Code::UnknownField);
        let context = reader.text(example, path, "context", Need::Required)?;
        record.examples.push(RecordExample { context, answer: example.get("answer").map(|node| node.value.clone()) });
    }
    Some(record)
}

/// An id as text.
pub(super) fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) | Value::Integer(text) => text.clone(),
        Value::Float(number) => number.to_string(),
        Value::Bool(boolean) => boolean.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    }
}
