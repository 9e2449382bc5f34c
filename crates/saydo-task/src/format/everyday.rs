//! Everyday: a JSON file per domain, with its documents and the tasks that are asked of every one of them.
//!
//! A list of spans is a set here, all of which belong to the answer, so it becomes one output ([`Gold`]) and not several.
//! Ids of tasks are unique within a domain only; the file's name goes before them.

use super::{Part, Reading, Written, check_labels, field_kind, lost_origin, note_lost, task_id};
use crate::gold::Gold;
use crate::node::{Node, Value};
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;
use crate::{AnswerKind, AnswerSpec, Field, FieldKind, Generalization, Instance, Origin, Task};
use serde_json::{Map, json};
use std::collections::BTreeMap;

/// The name of the data set, as the origin of its tasks.
pub const DATASET: &str = "everyday";

const TASK_KEYS: [&str; 11] = [
    "id",
    "question",
    "paraphrases",
    "kind",
    "labels",
    "fields",
    "type",
    "derives_from",
    "answers",
    "evidence",
    "near_misses",
];

/// Reads every task of a domain.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::new(source);
    match reader.json(&source.text) {
        Some(root) => tasks(reader, &root),
        None => Reading { unlisted: reader.unlisted(), problems: reader.problems, ..Reading::default() },
    }
}

/// The tasks of a parsed file.
pub(super) fn tasks(mut reader: Reader<'_>, root: &Node) -> Reading {
    let mut reading = Reading::default();
    let path = Path::Root;
    if reader.object(root, path).is_some() {
        reader.only(root, path, &["domain", "documents", "tasks"], Code::UnknownField);
        let domain = task_id(&reader.source.path);
        let documents = documents(&mut reader, root);
        let list = reader.list(root, path, "tasks", Need::Required);
        for (number, node) in list.iter().enumerate() {
            if let Some(task) = task(&mut reader, node, path.key("tasks").index(number), &domain, &documents) {
                reading.tasks.push((reader.source.place(node.offset).line, task));
                reading.places.push(reader.take_places());
            }
        }
    }
    Reading { unlisted: reader.unlisted(), problems: reader.problems, ..reading }
}

fn documents(reader: &mut Reader<'_>, root: &Node) -> Vec<(String, String)> {
    let list = reader.list(root, Path::Root, "documents", Need::Required);
    let path = Path::Root.key("documents");
    let mut documents = Vec::with_capacity(list.len());
    for (number, node) in list.iter().enumerate() {
        let path = path.index(number);
        if reader.object(node, path).is_none() {
            continue;
        }
        reader.only(node, path, &["id", "form", "text"], Code::UnknownField);
        let (id, text) =
            (reader.text(node, path, "id", Need::Required), reader.text(node, path, "text", Need::Required));
        documents.extend(id.zip(text));
    }
    documents
}

fn task(
    reader: &mut Reader<'_>,
    node: &Node,
    path: Path<'_>,
    domain: &str,
    documents: &[(String, String)],
) -> Option<Task> {
    reader.object(node, path)?;
    reader.only(node, path, &TASK_KEYS, Code::UnknownField);
    let in_domain = |id: String| format!("{domain}/{id}");
    let id = reader.text(node, path, "id", Need::Required)?;
    let derives_from = match node.get("derives_from") {
        Some(list) => {
            reader.keep_derives_from(list);
            reader.strings(list, path.key("derives_from"))
        }
        None => Vec::new(),
    };
    Some(Task {
        id: in_domain(id),
        definition: Some(reader.text(node, path, "question", Need::Required)?),
        other_definitions: reader.texts(node, path, "paraphrases", Need::Optional),
        answer: answer(reader, node, path),
        origin: Origin {
            dataset: vec![DATASET.to_owned()],
            domain: vec![domain.to_owned()],
            generalization: reader.text(node, path, "type", Need::Optional).map(|word| generalization(&word)),
            derives_from: derives_from.into_iter().map(in_domain).collect(),
            ..Origin::default()
        },
        instances: instances(reader, node, path, documents),
        ..Task::default()
    })
}

fn generalization(word: &str) -> Generalization {
    match word {
        "base" => Generalization::Base,
        "flip" => Generalization::SemanticFlip,
        "composition" => Generalization::Composition,
        other => Generalization::from_key(other),
    }
}

fn type_word(generalization: &Generalization) -> &str {
    match generalization {
        Generalization::Base => "base",
        Generalization::SemanticFlip => "flip",
        Generalization::Composition => "composition",
        other => other.key(),
    }
}

fn answer(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<AnswerSpec> {
    let word = reader.text(node, path, "kind", Need::Optional)?;
    let kind = match word.as_str() {
        "yes-no" => AnswerKind::YesNo,
        "spans" => AnswerKind::Spans,
        "text" => AnswerKind::Text,
        "label" => {
            let labels = reader.texts(node, path, "labels", Need::Required);
            check_labels(reader, &labels, node.offset, path.key("labels"));
            AnswerKind::Label(labels)
        }
        "records" => {
            let fields = reader.field(node, path, "fields", Need::Required)?;
            let path = path.key("fields");
            let fields = reader.object(fields, path)?.iter().filter_map(|(name, node)| {
                let kind = field_kind(reader, node, path.key(name))?;
                Some(Field { name: name.clone(), kind })
            });
            AnswerKind::Records(fields.collect())
        }
        other => {
            let expected = "yes-no, label, spans, records or text";
            reader.report(Code::UnknownWord, node.offset, path.key("kind"), format!("`{other}`"), expected);
            return None;
        }
    };
    Some(AnswerSpec { kind, na: None })
}

/// An instance for every document, labelled if the task has an answer for it.
fn instances(reader: &mut Reader<'_>, node: &Node, path: Path<'_>, documents: &[(String, String)]) -> Vec<Instance> {
    let entries = |key: &str| node.get(key).and_then(Node::as_object).unwrap_or_default();
    let answers: BTreeMap<&str, &Node> = entries("answers").iter().map(|(id, node)| (id.as_str(), node)).collect();
    let evidence: BTreeMap<&str, &Node> = entries("evidence").iter().map(|(id, node)| (id.as_str(), node)).collect();
    let near_misses = reader.texts(node, path, "near_misses", Need::Optional);
    if let Some((id, node)) = answers.iter().find(|(id, _)| documents.iter().all(|(known, _)| known != *id)) {
        let found = format!("an answer for `{id}`");
        reader.report(Code::WrongType, node.offset, path.key("answers"), found, "the id of a document");
    }
    let mut instances = Vec::with_capacity(documents.len());
    for (number, (id, text)) in documents.iter().enumerate() {
        let answer = answers.get(id.as_str());
        reader.keep_place(Part::Instance, number, answer.copied().unwrap_or(node));
        instances.push(Instance {
            id: Some(id.clone()),
            input: text.clone(),
            outputs: answer.map(|answer| Gold::from_json(&plain(answer)).to_output()).into_iter().collect(),
            evidence: evidence.get(id.as_str()).and_then(|node| node.as_str()).map(str::to_owned),
            all_answers: Vec::new(),
            is_near_miss: near_misses.contains(id),
        });
    }
    instances
}

fn plain(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => json!(value),
        Value::Integer(digits) => json!(digits),
        Value::Float(value) => json!(value),
        Value::String(text) => json!(text),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
    }
}

/// Writes a task as a domain of its own.
pub fn write(task: &Task) -> Written {
    let name =
        |(number, instance): (usize, &Instance)| instance.id.clone().unwrap_or_else(|| format!("d{:02}", number + 1));
    let instances = || task.instances.iter().enumerate().map(|(number, one)| (name((number, one)), one));
    let documents: Vec<_> = instances().map(|(id, one)| json!({"id": id, "text": one.input})).collect();
    let local = |id: &String| id.rsplit('/').next().unwrap_or(id).to_owned();
    let question = task.definition.as_ref().or(task.prompt.as_ref()).map(String::as_str).unwrap_or_default();
    let mut written = json!({"id": local(&task.id), "question": question, "paraphrases": task.other_definitions});
    if let Some(spec) = &task.answer {
        written["kind"] = json!(spec.kind.name());
        match &spec.kind {
            AnswerKind::Label(labels) => written["labels"] = json!(labels),
            AnswerKind::Records(fields) => {
                let entry = |field: &Field| match &field.kind {
                    FieldKind::Label(labels) => (field.name.clone(), json!(labels)),
                    kind => (field.name.clone(), json!(kind.name())),
                };
                written["fields"] = fields.iter().map(entry).collect();
            }
            AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => {}
        }
    }
    if let Some(generalization) = &task.origin.generalization {
        written["type"] = json!(type_word(generalization));
    }
    if !task.origin.derives_from.is_empty() {
        written["derives_from"] = task.origin.derives_from.iter().map(local).collect();
    }
    let kind = task.answer.as_ref().map_or(&AnswerKind::Text, |spec| &spec.kind);
    let answers = instances().filter_map(|(id, one)| Some((id, Gold::parse(one.outputs.first()?, kind).to_json())));
    written["answers"] = serde_json::Value::Object(answers.collect());
    let evidence: Map<_, _> = instances().filter_map(|(id, one)| Some((id, json!(one.evidence.as_ref()?)))).collect();
    if !evidence.is_empty() {
        written["evidence"] = evidence.into();
    }
    let near_misses: Vec<String> = instances().filter(|(_, one)| one.is_near_miss).map(|(id, _)| id).collect();
    if !near_misses.is_empty() {
        written["near_misses"] = json!(near_misses);
    }
    let domain = task.origin.domain.first().map(String::as_str).unwrap_or_default();
    let file = json!({"domain": domain, "documents": documents, "tasks": [written]});
    Written { text: crate::json::to_ascii_string(&file) + "\n", lost: lost(task) }
}

fn lost(task: &Task) -> Vec<String> {
    let mut lost = lost_origin(task, &["domain", "generalization type", "derives from", "dataset"]);
    let is_other = |dataset: &String| dataset != DATASET;
    note_lost(&mut lost, "dataset", task.origin.dataset.iter().any(is_other));
    note_lost(&mut lost, "domains but the first", task.origin.domain.len() > 1);
    note_lost(&mut lost, "title", task.title.is_some());
    note_lost(&mut lost, "prompt", task.prompt.is_some() && task.definition.is_some());
    note_lost(&mut lost, "prompt (it stands as the question)", task.prompt.is_some() && task.definition.is_none());
    note_lost(&mut lost, "things to avoid", task.things_to_avoid.is_some());
    note_lost(&mut lost, "emphasis", task.emphasis.is_some());
    note_lost(&mut lost, "positive examples", !task.positive.is_empty());
    note_lost(&mut lost, "negative examples", !task.negative.is_empty());
    note_lost(&mut lost, "whether NA is an answer", task.answer.as_ref().is_some_and(|spec| spec.na.is_some()));
    let has_alternatives = |instance: &Instance| instance.outputs.len() > 1;
    note_lost(&mut lost, "outputs but the first", task.instances.iter().any(has_alternatives));
    super::note_lost_answers(&mut lost, task);
    lost
}

#[cfg(test)]
mod tests;
