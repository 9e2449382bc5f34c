//! ZEST: JSON Lines, a task per line, with its passages and answers.
//!
//! Train and dev lines carry answers; test lines do not. A question is a task's definition, a passage an instance.

mod record;

pub use record::{Record, RecordExample, read_records};

use super::{Part, Reading, Written};
use crate::node::{Node, Value};
use crate::problem::Code;
use crate::reader::{Path, Reader};
use crate::source::Source;
use crate::{Generalization, Instance, Origin, Task};
use record::{each_line, scalar_text};
use serde_json::json;

/// Reads every task of a file.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::new(source);
    let mut tasks = Vec::new();
    let mut places = Vec::new();
    each_line(&mut reader, |reader, node, record| {
        let line = record.line;
        if let Some(task) = task(reader, node, record) {
            tasks.push((line, task));
            places.push(reader.take_places());
        }
    });
    Reading { tasks, places, unlisted: reader.unlisted(), problems: reader.problems }
}

fn task(reader: &mut Reader<'_>, node: &Node, record: Record) -> Option<Task> {
    let path = Path::Root.key("examples");
    let nodes = node.get("examples").and_then(Node::as_array).unwrap_or_default();
    let mut instances = Vec::with_capacity(record.examples.len());
    node.get("type")
        .and_then(|kind| kind.get("derives_from"))
        .into_iter()
        .for_each(|node| reader.keep_derives_from(node));
    for (i, (example, node)) in record.examples.into_iter().zip(nodes).enumerate() {
        let path = path.index(i);
        let outputs = match example.answer {
            None => Vec::new(),
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(_)) => reader.strings(node.get("answer")?, path.key("answer")),
            Some(other) => {
                let offset = node.get("answer")?.offset;
                let expected = "a string or a list of strings";
                reader.report(Code::WrongType, offset, path.key("answer"), other.kind(), expected);
                Vec::new()
            }
        };
        reader.keep_place(Part::Instance, i, node);
        instances.push(Instance { outputs, all_answers: all_answers(node), ..Instance::unlabelled(example.context) });
    }
    Some(Task {
        id: scalar_text(&record.id),
        definition: Some(record.question),
        origin: Origin {
            domain: record.domain.into_iter().collect(),
            generalization: record.generalization.as_deref().map(Generalization::from_key),
            derives_from: record.derives_from.iter().map(scalar_text).collect(),
            ..Origin::default()
        },
        instances,
        ..Task::default()
    })
}

/// What each annotator wrote. Nothing is scored by it, so what is no text is passed over.
fn all_answers(example: &Node) -> Vec<String> {
    let answers = example.get("all_answers").and_then(Node::as_array).unwrap_or_default();
    answers.iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Writes a task as one line.
pub fn write(task: &Task) -> Written {
    let question = task.definition.as_ref().or(task.prompt.as_ref()).map(String::as_str).unwrap_or_default();
    let example = |instance: &Instance| {
        let mut example = match instance.outputs.as_slice() {
            [] => json!({"context": instance.input}),
            [one] => json!({"context": instance.input, "answer": one}),
            several => json!({"context": instance.input, "answer": several}),
        };
        if !instance.all_answers.is_empty() {
            example["all_answers"] = json!(instance.all_answers);
        }
        example
    };
    let mut line = json!({"id": task.id});
    if let Some(generalization) = &task.origin.generalization {
        line["type"] = json!({
            "generalization_type": generalization.key(),
            "derives_from": task.origin.derives_from,
            "domain": task.origin.domain.first().map(String::as_str).unwrap_or_default(),
        });
    }
    line["question"] = json!(question);
    line["examples"] = task.instances.iter().map(example).collect();
    Written { text: crate::json::to_ascii_string(&line) + "\n", lost: lost(task) }
}

fn lost(task: &Task) -> Vec<String> {
    let typed = task.origin.generalization.is_some();
    let held: &[&str] = if typed { &["domain", "generalization type", "derives from"] } else { &[] };
    let mut lost = super::lost_origin(task, held);
    super::note_lost(&mut lost, "domains but the first", typed && task.origin.domain.len() > 1);
    super::note_lost(&mut lost, "title", task.title.is_some());
    super::note_lost(&mut lost, "prompt", task.prompt.is_some() && task.definition.is_some());
    super::note_lost(
        &mut lost,
        "prompt (it stands as the question)",
        task.prompt.is_some() && task.definition.is_none(),
    );
    super::note_lost(&mut lost, "other definitions", !task.other_definitions.is_empty());
    super::note_lost(&mut lost, "things to avoid", task.things_to_avoid.is_some());
    super::note_lost(&mut lost, "emphasis", task.emphasis.is_some());
    super::note_lost(&mut lost, "positive examples", !task.positive.is_empty());
    super::note_lost(&mut lost, "negative examples", !task.negative.is_empty());
    super::note_lost(&mut lost, "kind of answer", task.answer.is_some());
    super::note_lost_evidence(&mut lost, task);
    super::note_lost(&mut lost, "instance ids", task.instances.iter().any(|instance| instance.id.is_some()));
    lost
}
