//! Writing a task file.

use crate::format::Written;
use crate::{AnswerKind, AnswerSpec, Example, FieldKind, Instance, Origin, Task};
use toml::{Table, Value};

/// Writes a task; nothing is lost.
pub fn write(task: &Task) -> Written {
    let mut root = Table::new();
    put(&mut root, "id", Some(&task.id));
    put(&mut root, "title", task.title.as_ref());
    put(&mut root, "definition", task.definition.as_ref());
    put_list(&mut root, "other-definitions", &task.other_definitions);
    put(&mut root, "prompt", task.prompt.as_ref());
    put(&mut root, "things-to-avoid", task.things_to_avoid.as_ref());
    put(&mut root, "emphasis", task.emphasis.as_ref());
    put(&mut root, "raw", task.raw.as_ref());
    let mut about_answer = task.answer.as_ref().map(answer).unwrap_or_default();
    put(&mut about_answer, "metric", task.criterion.metric.map(|metric| metric.name().to_owned()).as_ref());
    if let Some(level) = task.criterion.competent_at {
        about_answer.insert("competent_at".to_owned(), Value::Float(level));
    }
    if !about_answer.is_empty() {
        root.insert("answer".to_owned(), Value::Table(about_answer));
    }
    let origin = origin(&task.origin);
    if !origin.is_empty() {
        root.insert("origin".to_owned(), Value::Table(origin));
    }
    put_tables(&mut root, "positive", task.positive.iter().map(example));
    put_tables(&mut root, "negative", task.negative.iter().map(example));
    put_tables(&mut root, "instance", task.instances.iter().map(instance));
    let text = toml::to_string_pretty(&root).expect("tables of strings and booleans are valid TOML");
    Written { text, lost: Vec::new() }
}

fn put(table: &mut Table, key: &str, text: Option<&String>) {
    if let Some(text) = text {
        table.insert(key.to_owned(), Value::String(text.clone()));
    }
}

fn put_list(table: &mut Table, key: &str, texts: &[String]) {
    if !texts.is_empty() {
        let list = texts.iter().cloned().map(Value::String).collect();
        table.insert(key.to_owned(), Value::Array(list));
    }
}

fn put_tables(root: &mut Table, key: &str, tables: impl Iterator<Item = Table>) {
    let list: Vec<Value> = tables.map(Value::Table).collect();
    if !list.is_empty() {
        root.insert(key.to_owned(), Value::Array(list));
    }
}

fn answer(spec: &AnswerSpec) -> Table {
    let mut table = Table::new();
    table.insert("kind".to_owned(), Value::String(spec.kind.name().to_owned()));
    if let Some(na) = spec.na {
        table.insert("na".to_owned(), Value::Boolean(na));
    }
    match &spec.kind {
        AnswerKind::Label(labels) => put_list(&mut table, "labels", labels),
        AnswerKind::Records(fields) => {
            let mut kinds = Table::new();
            for field in fields {
                match &field.kind {
                    FieldKind::Label(labels) => put_list(&mut kinds, &field.name, labels),
                    kind => put(&mut kinds, &field.name, Some(&kind.name().to_owned())),
                }
            }
            table.insert("fields".to_owned(), Value::Table(kinds));
        }
        AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => {}
    }
    table
}

fn origin(origin: &Origin) -> Table {
    let mut table = Table::new();
    put_list(&mut table, "dataset", &origin.dataset);
    put_list(&mut table, "category", &origin.category);
    put_list(&mut table, "domain", &origin.domain);
    let generalization = origin.generalization.as_ref().map(|generalization| generalization.key().to_owned());
    put(&mut table, "generalization", generalization.as_ref());
    put_list(&mut table, "derives-from", &origin.derives_from);
    put_list(&mut table, "reasoning", &origin.reasoning);
    put_list(&mut table, "input-language", &origin.input_language);
    put_list(&mut table, "output-language", &origin.output_language);
    put_list(&mut table, "instruction-language", &origin.instruction_language);
    put_list(&mut table, "contributors", &origin.contributors);
    put_list(&mut table, "url", &origin.url);
    put_list(&mut table, "license", &origin.license);
    table
}

fn example(example: &Example) -> Table {
    let mut table = Table::new();
    put(&mut table, "input", Some(&example.input));
    put(&mut table, "output", Some(&example.output));
    put(&mut table, "reason", example.reason.as_ref());
    put(&mut table, "suggestion", example.suggestion.as_ref());
    table
}

fn instance(instance: &Instance) -> Table {
    let mut table = Table::new();
    put(&mut table, "id", instance.id.as_ref());
    put(&mut table, "input", Some(&instance.input));
    match instance.outputs.as_slice() {
        [] => {}
        [one] => put(&mut table, "output", Some(one)),
        several => put_list(&mut table, "output", several),
    }
    put(&mut table, "evidence", instance.evidence.as_ref());
    put_list(&mut table, "all-answers", &instance.all_answers);
    if instance.is_near_miss {
        table.insert("near-miss".to_owned(), Value::Boolean(true));
    }
    table
}
