//! A task as pages and the API write it: JSON with the parts of a task file.

use crate::failure::{Answered, Failure};
use saydo_function::infer::infer_task;
use saydo_task::{AnswerKind, AnswerSpec, Example, Field, FieldKind, Instance, Task, are_labels};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The longest description, in characters. Far more than a person writes, far less than a body holds.
pub(crate) const MOST_CHARS: usize = 20_000;

/// A task in the making. Every part may be left out; empty text is the same as none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) definition: String,
    pub(crate) prompt: String,
    pub(crate) things_to_avoid: String,
    pub(crate) emphasis: String,
    pub(crate) positive: Vec<DraftExample>,
    pub(crate) negative: Vec<DraftExample>,
    pub(crate) answer: Option<DraftAnswer>,
    pub(crate) instances: Vec<DraftInstance>,
}

/// An example of a draft.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DraftExample {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) reason: String,
    pub(crate) suggestion: String,
}

/// An instance of a draft.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DraftInstance {
    pub(crate) input: String,
    pub(crate) outputs: Vec<String>,
}

/// What answers look like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DraftAnswer {
    pub(crate) kind: String,
    pub(crate) labels: Vec<String>,
    pub(crate) fields: Vec<DraftField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) na: Option<bool>,
}

/// A field of a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftField {
    pub(crate) name: String,
    pub(crate) kind: String,
    /// The labels of a field of kind `label`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) labels: Vec<String>,
}

impl Draft {
    /// A draft that is a description alone; none that is too long.
    pub(crate) fn describing(description: String) -> Answered<Self> {
        match description.chars().nth(MOST_CHARS) {
            None => Ok(Self { definition: description, ..Self::default() }),
            Some(_) => {
                let found = description.chars().count();
                Err(Failure::bad(format!("the description has {found} characters, expected at most {MOST_CHARS}")))
            }
        }
    }

    /// The task. Its id is made of its title, or failing that of its description.
    pub(crate) fn task(self) -> Answered<Task> {
        let words = [&self.title, &self.definition, &self.prompt].into_iter().find(|text| !text.trim().is_empty());
        let id = words.map(|text| name(text)).unwrap_or_default();
        let instance = |one: DraftInstance| Instance { outputs: one.outputs, ..Instance::unlabelled(one.input) };
        Ok(Task {
            id,
            title: some(self.title),
            definition: some(self.definition),
            prompt: some(self.prompt),
            things_to_avoid: some(self.things_to_avoid),
            emphasis: some(self.emphasis),
            positive: self.positive.into_iter().map(DraftExample::example).collect(),
            negative: self.negative.into_iter().map(DraftExample::example).collect(),
            answer: self.answer.map(DraftAnswer::spec).transpose()?,
            instances: self.instances.into_iter().map(instance).collect(),
            ..Task::default()
        })
    }

    /// The draft that gives this task.
    pub(crate) fn of(task: &Task) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let example = |one: &Example| DraftExample {
            input: one.input.clone(),
            output: one.output.clone(),
            reason: text(&one.reason),
            suggestion: text(&one.suggestion),
        };
        Self {
            title: text(&task.title),
            definition: text(&task.definition),
            prompt: text(&task.prompt),
            things_to_avoid: text(&task.things_to_avoid),
            emphasis: text(&task.emphasis),
            positive: task.positive.iter().map(example).collect(),
            negative: task.negative.iter().map(example).collect(),
            answer: task.answer.as_ref().map(DraftAnswer::of),
            instances: (task.instances.iter())
                .map(|one| DraftInstance { input: one.input.clone(), outputs: one.outputs.clone() })
                .collect(),
        }
    }
}

impl DraftExample {
    fn example(self) -> Example {
        Example { input: self.input, output: self.output, reason: some(self.reason), suggestion: some(self.suggestion) }
    }
}

impl DraftAnswer {
    /// What a kind of answer is in a draft.
    pub(crate) fn of(spec: &AnswerSpec) -> Self {
        let mut draft = Self { kind: spec.kind.name().to_owned(), na: spec.na, ..Self::default() };
        match &spec.kind {
            AnswerKind::Label(labels) => draft.labels.clone_from(labels),
            AnswerKind::Records(fields) => {
                let labels = |kind: &FieldKind| match kind {
                    FieldKind::Label(labels) => labels.clone(),
                    FieldKind::Span | FieldKind::YesNo | FieldKind::Text => Vec::new(),
                };
                let field = |field: &Field| DraftField {
                    name: field.name.clone(),
                    kind: field.kind.name().to_owned(),
                    labels: labels(&field.kind),
                };
                draft.fields = fields.iter().map(field).collect();
            }
            AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => {}
        }
        draft
    }

    /// The kind of answer.
    pub(crate) fn spec(self) -> Answered<AnswerSpec> {
        let kind = match self.kind.as_str() {
            "yes-no" => AnswerKind::YesNo,
            "spans" => AnswerKind::Spans,
            "text" => AnswerKind::Text,
            "label" => AnswerKind::Label(labels(self.labels)?),
            "records" => AnswerKind::Records(fields(self.fields)?),
            other => {
                let expected = "yes-no, label, spans, records or text";
                return Err(Failure::bad(format!("the kind of answer is {other:?}, expected {expected}")));
            }
        };
        Ok(AnswerSpec { kind, na: self.na })
    }
}

fn labels(labels: Vec<String>) -> Answered<Vec<String>> {
    let labels: Vec<String> =
        labels.iter().map(|label| label.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    match are_labels(&labels) {
        true => Ok(labels),
        false => Err(Failure::bad("expected at least two labels, no two of them the same")),
    }
}

/// The fields of records, by the rules of task files.
pub(crate) fn fields(fields: Vec<DraftField>) -> Answered<Vec<Field>> {
    let field = |field: DraftField| {
        let kind = match field.kind.as_str() {
            "label" => FieldKind::Label(labels(field.labels)?),
            word => FieldKind::named(word).ok_or_else(|| {
                let expected = "span, yes-no, label or text";
                Failure::bad(format!("the field {:?} is of kind {word:?}, expected {expected}", field.name))
            })?,
        };
        Ok(Field { name: field.name.trim().to_owned(), kind })
    };
    let fields: Vec<Field> = fields.into_iter().map(field).collect::<Answered<_>>()?;
    let distinct: std::collections::HashSet<&String> = fields.iter().map(|field| &field.name).collect();
    match !fields.is_empty() && distinct.len() == fields.len() && fields.iter().all(|field| !field.name.is_empty()) {
        true => Ok(fields),
        false => Err(Failure::bad("expected at least one field, each with a name of its own")),
    }
}

/// The kind of answer that a task has or asks for, and why.
pub(crate) fn inferred(task: &Task) -> Value {
    let inferred = infer_task(task);
    let na = inferred.spec.allows_na();
    let mut answer = json!(DraftAnswer::of(&inferred.spec));
    answer["na"] = json!(na);
    json!({"answer": answer, "reason": inferred.reason})
}

/// Lower-case words with hyphens between, at most 60 characters.
pub(crate) fn name(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.chars().count() + word.chars().count() > 59 && !name.is_empty() {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.extend(word.chars().take(60));
    }
    name
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_and_its_task_say_the_same() {
        let draft: Draft = serde_json::from_value(json!({
            "title": "Hikes", "definition": "List the hikes.",
            "answer": {"kind": "records", "fields": [{"name": "hike", "kind": "span"}, {"name": "open", "kind": "yes-no"},
                {"name": "leash", "kind": "label", "labels": ["required", "optional"]}]},
            "positive": [{"input": "a", "output": "b", "reason": "c"}],
        }))
        .unwrap();
        let task = draft.clone().task().unwrap();
        assert_eq!((task.id.as_str(), Draft::of(&task)), ("hikes", draft));
    }

    #[test]
    fn wrong_kinds_are_named() {
        let kind = |kind: &str, labels: &[&str]| DraftAnswer {
            kind: kind.to_owned(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            ..DraftAnswer::default()
        };
        assert!(kind("maybe", &[]).spec().is_err_and(|failure| failure.message().contains("\"maybe\"")));
        assert!(kind("label", &["a", " a "]).spec().is_err());
        assert!(kind("label", &["a", "b"]).spec().is_ok());
        assert!(kind("records", &[]).spec().is_err());
    }

    #[test]
    fn descriptions_are_inferred_with_a_reason() {
        let task = Draft::describing("Are dogs allowed?".to_owned()).unwrap().task().unwrap();
        let found = inferred(&task);
        assert_eq!((&found["answer"]["kind"], &found["answer"]["na"]), (&json!("yes-no"), &json!(true)));
        assert!(found["reason"].as_str().unwrap().contains("whether"));
    }
}
