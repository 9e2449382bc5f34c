//! Reading a task file.

use super::{ANSWER_KEYS, EXAMPLE_KEYS, INSTANCE_KEYS, ORIGIN_KEYS, ROOT_KEYS};
use crate::format::{Part, Reading, check_labels, field_kind, task_id};
use crate::node::{Node, Value};
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;
use crate::{AnswerKind, AnswerSpec, Criterion, Example, Field, Generalization, Instance, Metric, Origin, Task};
use toml::de::{DeTable, DeValue};

/// Reads the one task of a file.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::new(source);
    let root = match DeTable::parse(&source.text) {
        Ok(table) => table_node(table.span().start, table.get_ref()),
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            let (found, expected) =
                error.message().split_once(", expected ").unwrap_or((error.message(), "valid TOML"));
            reader.report(Code::Syntax, offset, Path::Root, found, expected);
            return Reading { problems: reader.problems, ..Reading::default() };
        }
    };
    let task = task(&mut reader, &root);
    let places = vec![reader.take_places()];
    Reading { tasks: vec![(1, task)], places, unlisted: reader.unlisted(), problems: reader.problems }
}

fn table_node(offset: usize, table: &DeTable<'_>) -> Node {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.to_string(), value_node(value.span().start, value.get_ref()))
    };
    Node { offset, value: Value::Object(table.iter().map(entry).collect()) }
}

fn value_node(offset: usize, value: &DeValue<'_>) -> Node {
    let value = match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(integer) => Value::Integer(integer.as_str().to_owned()),
        DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(boolean) => Value::Bool(*boolean),
        // No field of ours holds a date; as text it is refused or accepted like any other text.
        DeValue::Datetime(datetime) => Value::String(datetime.to_string()),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| value_node(item.span().start, item.get_ref())).collect())
        }
        DeValue::Table(table) => return table_node(offset, table),
    };
    Node { offset, value }
}

fn task(reader: &mut Reader<'_>, root: &Node) -> Task {
    let path = Path::Root;
    reader.only(root, path, &ROOT_KEYS, Code::UnknownKey);
    let mut text = |key| reader.text(root, path, key, Need::Optional);
    let id = text("id").unwrap_or_default();
    let mut task = Task {
        title: text("title"),
        definition: text("definition"),
        prompt: text("prompt"),
        things_to_avoid: text("things-to-avoid"),
        emphasis: text("emphasis"),
        raw: text("raw"),
        other_definitions: texts(reader, root, path, "other-definitions"),
        ..Task::default()
    };
    task.id = if id.is_empty() { task_id(&reader.source.path) } else { id };
    if task.definition.is_none() && task.prompt.is_none() {
        reader.report(Code::NoDescription, root.offset, path, "no description", "a `definition` or a `prompt`");
    }
    if let Some(node) = root.get("answer") {
        task.answer = answer(reader, node, path.key("answer"));
        task.criterion = criterion(reader, node, path.key("answer"));
    }
    if let Some(node) = root.get("origin") {
        task.origin = origin(reader, node, path.key("origin"));
        node.get("derives-from").into_iter().for_each(|node| reader.keep_derives_from(node));
    }
    task.positive = each(reader, root, "positive", Part::Positive, example);
    task.negative = each(reader, root, "negative", Part::Negative, example);
    task.instances = each(reader, root, "instance", Part::Instance, instance);
    task
}

fn each<T>(
    reader: &mut Reader<'_>,
    root: &Node,
    key: &str,
    part: Part,
    read: fn(&mut Reader<'_>, &Node, Path<'_>) -> Option<T>,
) -> Vec<T> {
    let items = reader.list(root, Path::Root, key, Need::Optional);
    reader.each(items, Path::Root.key(key), part, read)
}

/// One string or a list of them: in a file written by hand both are natural.
fn texts(reader: &mut Reader<'_>, parent: &Node, path: Path<'_>, key: &str) -> Vec<String> {
    match parent.get(key) {
        Some(Node { value: Value::String(text), .. }) => vec![text.clone()],
        Some(node) => reader.strings(node, path.key(key)),
        None => Vec::new(),
    }
}

fn answer(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<AnswerSpec> {
    reader.object(node, path)?;
    reader.only(node, path, &ANSWER_KEYS, Code::UnknownKey);
    let na = boolean(reader, node, path, "na");
    // A metric or a level can be stated while the kind is still to be inferred.
    let has_criterion = node.get("metric").is_some() || node.get("competent_at").is_some();
    if has_criterion && node.get("kind").is_none() {
        for key in ["labels", "fields", "na"].into_iter().filter(|key| node.get(key).is_some()) {
            reader.report(
                Code::MissingField,
                node.offset,
                path.key("kind"),
                format!("`{key}` without a kind"),
                "a kind",
            );
        }
        return None;
    }
    let kind = match reader.text(node, path, "kind", Need::Required)?.as_str() {
        "yes-no" => AnswerKind::YesNo,
        "spans" => AnswerKind::Spans,
        "text" => AnswerKind::Text,
        "label" => AnswerKind::Label(labels(reader, node, path)),
        "records" => AnswerKind::Records(fields(reader, node, path)?),
        other => {
            let offset = node.get("kind").map_or(node.offset, |kind| kind.offset);
            let expected = "yes-no, label, spans, records or text";
            reader.report(Code::UnknownWord, offset, path.key("kind"), format!("`{other}`"), expected);
            return None;
        }
    };
    Some(AnswerSpec { kind, na })
}

fn criterion(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Criterion {
    let word = if node.as_object().is_some() { reader.text(node, path, "metric", Need::Optional) } else { None };
    let metric = word.and_then(|word| {
        let metric = Metric::named(&word);
        if metric.is_none() {
            let offset = node.get("metric").map_or(node.offset, |metric| metric.offset);
            let known = Metric::ALL.map(Metric::name).join(", ");
            reader.report(
                Code::UnknownWord,
                offset,
                path.key("metric"),
                format!("`{word}`"),
                format!("one of {known}"),
            );
        }
        metric
    });
    Criterion { metric, competent_at: node.get("competent_at").and_then(|node| level(reader, node, path)) }
}

/// A level from 0 to 1.
fn level(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<f64> {
    let number = match &node.value {
        Value::Float(number) => Some(*number),
        Value::Integer(digits) => digits.parse().ok(),
        _ => None,
    };
    let level = number.filter(|number| (0.0..=1.0).contains(number));
    if level.is_none() {
        let found = number.map_or_else(|| node.value.kind().to_owned(), |number| number.to_string());
        reader.report(Code::WrongType, node.offset, path.key("competent_at"), found, "a number from 0 to 1");
    }
    level
}

fn boolean(reader: &mut Reader<'_>, parent: &Node, path: Path<'_>, key: &str) -> Option<bool> {
    match parent.get(key)? {
        Node { value: Value::Bool(value), .. } => Some(*value),
        other => {
            reader.report(Code::WrongType, other.offset, path.key(key), other.value.kind(), "true or false");
            None
        }
    }
}

fn labels(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Vec<String> {
    let labels = reader.texts(node, path, "labels", Need::Required);
    check_labels(reader, &labels, node.offset, path.key("labels"));
    labels
}

fn fields(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Vec<Field>> {
    let table = reader.field(node, path, "fields", Need::Required)?;
    let path = path.key("fields");
    let entries = reader.object(table, path)?;
    let mut fields = Vec::new();
    for (name, value) in entries {
        if let Some(kind) = field_kind(reader, value, path.key(name)) {
            fields.push(Field { name: name.clone(), kind });
        }
    }
    Some(fields)
}

fn origin(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Origin {
    if reader.object(node, path).is_none() {
        return Origin::default();
    }
    reader.only(node, path, &ORIGIN_KEYS, Code::UnknownKey);
    let generalization = reader.text(node, path, "generalization", Need::Optional);
    let mut list = |key| texts(reader, node, path, key);
    Origin {
        dataset: list("dataset"),
        category: list("category"),
        domain: list("domain"),
        generalization: generalization.map(|key| Generalization::from_key(&key)),
        derives_from: list("derives-from"),
        reasoning: list("reasoning"),
        input_language: list("input-language"),
        output_language: list("output-language"),
        instruction_language: list("instruction-language"),
        contributors: list("contributors"),
        url: list("url"),
        license: list("license"),
    }
}

fn example(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Example> {
    reader.object(node, path)?;
    reader.only(node, path, &EXAMPLE_KEYS, Code::UnknownKey);
    Some(Example {
        input: reader.text(node, path, "input", Need::Required)?,
        output: reader.text(node, path, "output", Need::Required)?,
        reason: reader.text(node, path, "reason", Need::Optional),
        suggestion: reader.text(node, path, "suggestion", Need::Optional),
    })
}

fn instance(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Instance> {
    reader.object(node, path)?;
    reader.only(node, path, &INSTANCE_KEYS, Code::UnknownKey);
    Some(Instance {
        id: reader.text(node, path, "id", Need::Optional),
        input: reader.text(node, path, "input", Need::Required)?,
        outputs: texts(reader, node, path, "output"),
        evidence: reader.text(node, path, "evidence", Need::Optional),
        all_answers: texts(reader, node, path, "all-answers"),
        is_near_miss: boolean(reader, node, path, "near-miss").unwrap_or_default(),
    })
}
