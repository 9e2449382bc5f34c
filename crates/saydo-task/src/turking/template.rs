//! An instruction of one's own around each resource, as the Turking Test's seven are built (sections 3 to 5 of the paper).
//!
//! A template is a text with placeholders in braces, `{resource}` or the name of a field. Each row of the resources fills them
//! in, and the filled text is an instance's whole input. Other braces are text.

use super::ResourceKind;
use super::resource::each_object;
use crate::node::{Node, Value};
use crate::problem::{Code, Problem, Severity};
use crate::reader::{Path, Reader};
use crate::source::Source;
use crate::{AnswerKind, AnswerSpec, Error, Instance, Task};

/// The placeholder of a resource that is a text and not an object with fields.
const RESOURCE: &str = "resource";
/// Names of a row's gold output; a list holds several acceptable ones.
const OUTPUT_FIELDS: [&str; 4] = ["output", "outputs", "answer", "gold"];

/// A text with places for the fields of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String),
}

impl Template {
    /// The template in a file; the white space at its end is left out. One without any placeholder is an error.
    pub fn parse(source: &Source) -> Result<Template, Error> {
        let template = Template::of(source.text.trim_end());
        if template.fields().next().is_none() {
            let expected = "`{resource}`, or the name of a field in braces";
            return Err(source.problem(Code::MissingField, 0, "", "no placeholder", expected).into());
        }
        Ok(template)
    }

    fn of(text: &str) -> Template {
        let (mut parts, mut rest) = (Vec::new(), text);
        let mut plain = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            plain += before;
            match after.split_once('}').filter(|(name, _)| is_name(name)) {
                Some((name, behind)) => {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                    parts.push(Part::Field(name.to_owned()));
                    rest = behind;
                }
                None => {
                    plain.push('{');
                    rest = after;
                }
            }
        }
        parts.push(Part::Text(plain + rest));
        Template { parts }
    }

    /// The names of its placeholders, in order.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| if let Part::Field(name) = part { Some(name.as_str()) } else { None })
    }

    /// The text with each placeholder filled in; the name of the first that `value` has nothing for is the error.
    pub fn fill(&self, value: impl Fn(&str) -> Option<String>) -> Result<String, &str> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(plain) => text += plain,
                Part::Field(name) => text += &value(name).ok_or(name.as_str())?,
            }
        }
        Ok(text)
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// The task that a template makes of resources: a text file, with one on each line; JSON Lines of objects, whose fields fill
/// the placeholders and whose `output` is the gold; or, with a kind, a file that the Turking Test reads.
pub fn from_template(
    id: &str,
    template: &Source,
    resources: &[(&Source, Option<ResourceKind>)],
) -> Result<Task, Error> {
    let parsed = Template::parse(template)?;
    let mut instances = Vec::new();
    for (source, kind) in resources {
        match kind {
            Some(kind) => {
                for resource in kind.read(source).into_resources()? {
                    instances.push(plain(&parsed, template, resource.trim())?);
                }
            }
            None if is_lines_of_objects(source) => instances.extend(rows(&parsed, source)?),
            None => {
                for line in source.lines() {
                    let (_, line) = line.map_err(Error::from)?;
                    instances.push(plain(&parsed, template, line.trim())?);
                }
            }
        }
    }
    for (number, instance) in instances.iter_mut().enumerate() {
        instance.id.get_or_insert_with(|| format!("{id}-r{number}"));
    }
    Ok(Task {
        id: id.to_owned(),
        title: Some(format!("Instruction from the template {id}")),
        definition: Some(template.text.trim_end().to_owned()),
        answer: Some(AnswerSpec { kind: AnswerKind::Text, na: None }),
        instances,
        ..Task::default()
    })
}

fn is_lines_of_objects(source: &Source) -> bool {
    source.text.trim_start().starts_with('{')
}

fn plain(parsed: &Template, template: &Source, resource: &str) -> Result<Instance, Error> {
    let filled = parsed.fill(|name| (name == RESOURCE).then(|| resource.to_owned()));
    filled.map(Instance::unlabelled).map_err(|name| {
        let found = format!("the placeholder `{{{name}}}`");
        let expected = "`{resource}` alone, since these resources are texts without fields";
        template.problem(Code::UnknownWord, 0, "", found, expected).into()
    })
}

fn rows(template: &Template, source: &Source) -> Result<Vec<Instance>, Error> {
    let mut reader = Reader::new(source);
    let mut instances = Vec::new();
    each_object(&mut reader, |reader, node| match template.fill(|name| node.get(name).and_then(text)) {
        Ok(input) => {
            let outputs = OUTPUT_FIELDS.iter().find_map(|name| node.get(name)).map(outputs).unwrap_or_default();
            let id = node.get("id").and_then(text);
            instances.push(Instance { id, outputs, ..Instance::unlabelled(input) });
        }
        Err(name) => {
            let expected = "a text, a number or a list of texts for each placeholder of the template";
            reader.report(Code::MissingField, node.offset, Path::Root.key(name), "nothing", expected);
        }
    });
    let is_error = |problem: &Problem| problem.severity() == Severity::Error;
    match reader.problems.into_iter().find(is_error) {
        Some(problem) => Err(problem.into()),
        None => Ok(instances),
    }
}

/// A value as text; a list has a line for each of its texts.
fn text(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(digits) => Some(digits.clone()),
        Value::Float(number) => Some(number.to_string()),
        Value::Array(items) => {
            let lines: Option<Vec<String>> = items.iter().map(text).collect();
            lines.map(|lines| lines.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

fn outputs(node: &Node) -> Vec<String> {
    match node.as_array() {
        Some(items) => items.iter().filter_map(text).collect(),
        None => text(node).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source(name: &str, text: &str) -> Source {
        Source::from_bytes(std::path::Path::new(name), text.as_bytes().to_vec()).unwrap()
    }

    fn made(template: &str, resources: &str) -> Result<Task, String> {
        let (template, resources) = (source("t.txt", template), source("r.jsonl", resources));
        from_template("last-word", &template, &[(&resources, None)]).map_err(|error| error.to_string())
    }

    #[test]
    fn each_line_of_a_text_is_a_resource() {
        let task = made("Write the last word of \"{resource}\".\n", "It rained.\n\nWe {all} left.\r\n").unwrap();
        let inputs: Vec<&str> = task.instances.iter().map(|instance| instance.input.as_str()).collect();
        assert_eq!(inputs, ["Write the last word of \"It rained.\".", "Write the last word of \"We {all} left.\"."]);
        assert_eq!(task.instances[1].id.as_deref(), Some("last-word-r1"));
        assert_eq!(task.definition.as_deref(), Some("Write the last word of \"{resource}\"."));
    }

    #[test]
    fn fields_fill_placeholders_and_give_the_gold() {
        let rows = "{\"text\": \"It rained.\", \"n\": 2, \"output\": \"rained\"}\n{\"text\": [\"a\", \"b\"], \"n\": 1, \"outputs\": [\"a\", \"A\"], \"id\": \"x\"}\n";
        let task = made("Word {n} of {text} as {\"json\": 1}:", rows).unwrap();
        assert_eq!(task.instances[0].input, "Word 2 of It rained. as {\"json\": 1}:");
        assert_eq!(
            (&task.instances[0].outputs[..], &task.instances[1].outputs[..]),
            (&["rained".to_owned()][..], &["a".to_owned(), "A".to_owned()][..])
        );
        assert_eq!(
            (task.instances[1].input.as_str(), task.instances[1].id.as_deref()),
            ("Word 1 of a\nb as {\"json\": 1}:", Some("x"))
        );
    }

    #[test]
    fn what_cannot_be_filled_is_an_error_with_its_place() {
        let fails = |template, resources, part: &str| {
            let error = made(template, resources).unwrap_err();
            assert!(error.contains(part), "{part} is not in {error}");
        };
        fails("No place.", "a\n", "t.txt:1:1: no placeholder, expected `{resource}`");
        fails("{text}", "a\n", "the placeholder `{text}`, expected `{resource}` alone");
        fails("{text}", "{\"text\": \"a\"}\n{\"text\": null}\n", "r.jsonl:2:1: text: nothing, expected a text");
    }

    #[test]
    fn files_of_the_turking_test_serve_too() {
        let table = source("d.tsv", "Premise\tHypothesis\nA b.\tC d.\n");
        let template = source("t.txt", "Shout: {resource}");
        let task = from_template("shout", &template, &[(&table, Some(ResourceKind::Sentences))]).unwrap();
        assert_eq!(task.instances[1].input, "Shout: C d.");
    }

    proptest! {
        #[test]
        fn a_resource_stands_in_the_text_whole(before in "[a-z{} ]{0,9}", resource in "[a-z{}]{1,9}", after in "[a-z} ]{0,9}") {
            let template = Template::of(&format!("{before}{{resource}}{after}"));
            let filled = template.fill(|name| Some(if name == RESOURCE { resource.clone() } else { String::new() })).unwrap();
            prop_assert!(filled.contains(&resource));
        }
    }
}
