//! Super-NaturalInstructions: a JSON file per task, with its provenance in lists.
//!
//! Some published files hold `NaN` as a URL, lack instance ids, or have the definition as a plain string; all load.
//! The task's id is the file's stem.

use super::{Part, Reading, Written};
use crate::node::{Node, Value as NodeValue};
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;
use crate::{Example, Instance, Origin, Task};
use serde_json::{Map, Value, json};

const FIELDS: [&str; 15] = [
    "Contributors",
    "Source",
    "URL",
    "Categories",
    "Reasoning",
    "Definition",
    "Input_language",
    "Output_language",
    "Instruction_language",
    "Domains",
    "Positive Examples",
    "Negative Examples",
    "Instances",
    "Instance License",
    // Some releases carry who adapted the task; it says nothing a task needs.
    "Instruction_source",
];

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
    let mut definitions = reader.texts(root, path, "Definition", Need::Required).into_iter();
    let mut list = |key, need| reader.texts(root, path, key, need);
    let origin = Origin {
        dataset: list("Source", Need::Expected),
        category: list("Categories", Need::Expected),
        domain: list("Domains", Need::Optional),
        reasoning: list("Reasoning", Need::Optional),
        input_language: list("Input_language", Need::Optional),
        output_language: list("Output_language", Need::Optional),
        instruction_language: list("Instruction_language", Need::Optional),
        contributors: list("Contributors", Need::Optional),
        license: list("Instance License", Need::Optional),
        url: urls(reader, root),
        ..Origin::default()
    };
    Some(Task {
        definition: definitions.next(),
        other_definitions: definitions.collect(),
        positive: each(reader, root, "Positive Examples", Need::Expected, Part::Positive, example),
        negative: each(reader, root, "Negative Examples", Need::Expected, Part::Negative, example),
        instances: each(reader, root, "Instances", Need::Required, Part::Instance, instance),
        origin,
        ..Task::default()
    })
}

/// A missing URL stands as `[NaN]`, because the lists went through a data frame.
fn urls(reader: &mut Reader<'_>, root: &Node) -> Vec<String> {
    let items = reader.list(root, Path::Root, "URL", Need::Optional);
    let is_nan = |node: &Node| matches!(node.value, NodeValue::Float(x) if x.is_nan());
    let path = Path::Root.key("URL");
    let strings = items.iter().enumerate().filter(|(_, node)| !is_nan(node));
    strings.filter_map(|(i, node)| reader.string(node, path.index(i))).collect()
}

fn each<T>(
    reader: &mut Reader<'_>,
    root: &Node,
    key: &str,
    need: Need,
    part: Part,
    read: fn(&mut Reader<'_>, &Node, Path<'_>) -> Option<T>,
) -> Vec<T> {
    let items = reader.list(root, Path::Root, key, need);
    reader.each(items, Path::Root.key(key), part, read)
}

fn example(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Example> {
    reader.object(node, path)?;
    reader.only(node, path, &["input", "output", "explanation"], Code::UnknownField);
    Some(Example {
        input: reader.text(node, path, "input", Need::Required)?,
        output: reader.text(node, path, "output", Need::Required)?,
        reason: reader.text(node, path, "explanation", Need::Optional),
        suggestion: None,
    })
}

fn instance(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Instance> {
    reader.object(node, path)?;
    reader.only(node, path, &["id", "input", "output"], Code::UnknownField);
    Some(Instance {
        id: reader.text(node, path, "id", Need::Optional),
        input: reader.text(node, path, "input", Need::Required)?,
        outputs: reader.texts(node, path, "output", Need::Required),
        ..Instance::default()
    })
}

/// Writes a task as a Super-NaturalInstructions file.
pub fn write(task: &Task) -> Written {
    let origin = &task.origin;
    let definitions: Vec<_> = task.definition.iter().chain(&task.other_definitions).collect();
    let mut value = json!({
        "Contributors": origin.contributors,
        "Source": origin.dataset,
        "URL": origin.url,
        "Categories": origin.category,
        "Reasoning": origin.reasoning,
        "Definition": definitions,
        "Input_language": origin.input_language,
        "Output_language": origin.output_language,
        "Instruction_language": origin.instruction_language,
        "Domains": origin.domain,
        "Positive Examples": task.positive.iter().map(example_value).collect::<Value>(),
        "Negative Examples": task.negative.iter().map(example_value).collect::<Value>(),
        "Instances": task.instances.iter().map(instance_value).collect::<Value>(),
    });
    if !origin.license.is_empty() {
        value["Instance License"] = json!(origin.license);
    }
    Written { text: crate::json::to_pretty_string(&value), lost: lost(task) }
}

fn example_value(example: &Example) -> Value {
    let mut value = json!({"input": example.input, "output": example.output});
    if let Some(reason) = &example.reason {
        value["explanation"] = json!(reason);
    }
    value
}

fn instance_value(instance: &Instance) -> Value {
    let mut value = Map::new();
    if let Some(id) = &instance.id {
        value.insert("id".to_owned(), json!(id));
    }
    value.insert("input".to_owned(), json!(instance.input));
    value.insert("output".to_owned(), json!(instance.outputs));
    Value::Object(value)
}

fn lost(task: &Task) -> Vec<String> {
    let mut lost = Vec::new();
    super::note_lost(&mut lost, "title", task.title.is_some());
    super::note_lost(&mut lost, "prompt", task.prompt.is_some());
    super::note_lost(&mut lost, "things to avoid", task.things_to_avoid.is_some());
    super::note_lost(&mut lost, "emphasis", task.emphasis.is_some());
    let has_suggestion = task.positive.iter().chain(&task.negative).any(|example| example.suggestion.is_some());
    super::note_lost(&mut lost, "suggestions", has_suggestion);
    super::note_lost(&mut lost, "kind of answer", task.answer.is_some());
    super::note_lost_evidence(&mut lost, task);
    super::note_lost_answers(&mut lost, task);
    super::note_lost(&mut lost, "generalization type", task.origin.generalization.is_some());
    super::note_lost(&mut lost, "derives from", !task.origin.derives_from.is_empty());
    lost
}
