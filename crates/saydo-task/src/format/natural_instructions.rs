//! Natural Instructions v1: a JSON file per task, with the schema of the paper's section 3.
//!
//! The files write `-` for an absent element, `["-"]` for no negative examples, and one space for no suggestion.
//! The task's id is the file's stem.

mod published;

pub use published::{CATEGORIES, EVALUATION_TASKS, category_of, dataset_of, subtask_number};

use super::{Part, Reading, Written};
use crate::node::Node;
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;
use crate::{Example, Instance, Task};
use serde_json::{Value, json};

const ABSENT: &str = "-";
const NO_SUGGESTION: &str = " ";

const FIELDS: [&str; 7] =
    ["Title", "Prompt", "Definition", "Things to Avoid", "Emphasis & Caution", "Examples", "Instances"];

/// Reads the one task of a file.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::new(source);
    let task = reader.json(&source.text).and_then(|root| task(&mut reader, &root));
    super::one_task(reader, task)
}

pub(super) fn task(reader: &mut Reader<'_>, root: &Node) -> Option<Task> {
    let path = Path::Root;
    reader.object(root, path)?;
    reader.only(root, path, &FIELDS, Code::UnknownField);
    let mut element = |key| reader.text(root, path, key, Need::Expected).filter(|text| text != ABSENT);
    let mut task = Task {
        title: element("Title"),
        definition: element("Definition"),
        prompt: element("Prompt"),
        things_to_avoid: element("Things to Avoid"),
        emphasis: element("Emphasis & Caution"),
        ..Task::default()
    };
    if let Some(examples) = reader.field(root, path, "Examples", Need::Required) {
        let path = path.key("Examples");
        reader.object(examples, path)?;
        reader.only(examples, path, &["Positive Examples", "Negative Examples"], Code::UnknownField);
        task.positive = examples_under(reader, examples, path, "Positive Examples", Part::Positive);
        task.negative = examples_under(reader, examples, path, "Negative Examples", Part::Negative);
    }
    let list = reader.list(root, path, "Instances", Need::Required);
    task.instances = reader.each(list, path.key("Instances"), Part::Instance, instance);
    Some(task)
}

fn examples_under(reader: &mut Reader<'_>, parent: &Node, path: Path<'_>, key: &str, part: Part) -> Vec<Example> {
    let list = reader.list(parent, path, key, Need::Expected);
    if list.first().and_then(Node::as_str) == Some(ABSENT) {
        return Vec::new();
    }
    reader.each(list, path.key(key), part, example)
}

fn example(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Example> {
    reader.object(node, path)?;
    reader.only(node, path, &["input", "output", "reason", "suggestion"], Code::UnknownField);
    Some(Example {
        input: reader.text(node, path, "input", Need::Required)?,
        output: reader.text(node, path, "output", Need::Required)?,
        reason: reader.text(node, path, "reason", Need::Optional),
        suggestion: reader.text(node, path, "suggestion", Need::Optional).filter(|text| text != NO_SUGGESTION),
    })
}

fn instance(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Instance> {
    reader.object(node, path)?;
    reader.only(node, path, &["index", "input", "output"], Code::UnknownField);
    // A file that holds a part of a published task numbers its instances.
    let index = node.get("index").and_then(|index| match &index.value {
        crate::node::Value::Integer(digits) => Some(digits.clone()),
        _ => None,
    });
    Some(Instance {
        id: index,
        input: reader.text(node, path, "input", Need::Required)?,
        outputs: reader.texts(node, path, "output", Need::Required),
        ..Instance::default()
    })
}

/// Writes a task as a Natural Instructions v1 file.
pub fn write(task: &Task) -> Written {
    let element = |text: &Option<String>| text.clone().unwrap_or_else(|| ABSENT.to_owned());
    let negative: Value = if task.negative.is_empty() {
        json!([ABSENT])
    } else {
        task.negative.iter().map(|example| example_value(example, true)).collect()
    };
    let value = json!({
        "Title": element(&task.title),
        "Prompt": element(&task.prompt),
        "Definition": element(&task.definition),
        "Things to Avoid": element(&task.things_to_avoid),
        "Emphasis & Caution": element(&task.emphasis),
        "Instances": task.instances.iter().map(|i| json!({"input": i.input, "output": i.outputs})).collect::<Value>(),
        "Examples": {
            "Positive Examples": task.positive.iter().map(|example| example_value(example, false)).collect::<Value>(),
            "Negative Examples": negative,
        },
    });
    Written { text: crate::json::to_pretty_string(&value), lost: lost(task) }
}

fn example_value(example: &Example, is_negative: bool) -> Value {
    let mut value = json!({"input": example.input, "output": example.output});
    if let Some(reason) = &example.reason {
        value["reason"] = json!(reason);
    }
    if is_negative {
        value["suggestion"] = json!(example.suggestion.as_deref().unwrap_or(NO_SUGGESTION));
    }
    value
}

fn lost(task: &Task) -> Vec<String> {
    let mut lost = super::lost_origin(task, &[]);
    super::note_lost(&mut lost, "other definitions", !task.other_definitions.is_empty());
    super::note_lost(&mut lost, "kind of answer", task.answer.is_some());
    super::note_lost_evidence(&mut lost, task);
    super::note_lost_answers(&mut lost, task);
    super::note_lost(&mut lost, "instance ids", task.instances.iter().any(|instance| instance.id.is_some()));
    let suggestion_on_positive = task.positive.iter().any(|example| example.suggestion.is_some());
    super::note_lost(&mut lost, "suggestions on positive examples", suggestion_on_positive);
    lost
}
