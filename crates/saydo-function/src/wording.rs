//! The words around a document: what a model is asked, for each kind of answer, and how its reply is written.
//!
//! The document comes first and the question behind it: small models answer what they read last, and several tasks share the
//! document's computation. What a task says beyond its description (things to avoid, examples) goes before the document,
//! where all documents share it.
//!
//! A model that has learned to answer functions is asked in the words that it learned. A server computes what requests have
//! in common once, if it stands at their beginning. So for served models the whole task comes first, and what is short enough
//! is said again behind the document.

use crate::form;
use saydo_model::{Form, Prompt};
use saydo_task::{AnswerKind, AnswerSpec, Example, Field, FieldKind, Task};
use std::fmt::Write;
use std::sync::Arc;

/// Changes whenever a prompt or the reading of replies does, so that a run is not continued with another function.
pub(crate) const VERSION: u32 = 3;

/// The same for served models.
pub(crate) const SERVED_VERSION: u32 = 3;

/// The same for models that have learned to answer functions: one that learned another wording is not asked in this.
pub(crate) const LEARNED_VERSION: u32 = 1;

/// A longer description is not said again behind the document.
const MAX_REPEATED_CHARS: usize = 300;

/// What "the text does not say" is written as where it was not learned otherwise.
const NOT_STATED: &str = "Not stated";

/// A task's words.
#[derive(Clone)]
pub(crate) struct Wording {
    style: Style,
    prefix: Arc<str>,
    description: String,
    /// How the answer is to be written; for a learned wording, the labels or fields in parentheses.
    format: String,
    chat: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// For models that have learned to answer functions.
    Learned,
    /// For other models that run here.
    Plain,
    /// For models on servers. The description stands behind the document, too, if it is short.
    Served { is_repeated: bool },
}

/// The prompt that asks a task's question of one document: what a model that is to serve functions learns from.
pub fn question(task: &Task, spec: &AnswerSpec, document: &str) -> Prompt {
    Wording::learned(task, spec).prompt(document)
}

impl Wording {
    pub fn learned(task: &Task, spec: &AnswerSpec) -> Self {
        Self { style: Style::Learned, format: parts(&spec.kind), ..Self::plain(task, spec, false) }
    }

    pub fn plain(task: &Task, spec: &AnswerSpec, chat: bool) -> Self {
        Self {
            style: Style::Plain,
            prefix: preamble(task).into(),
            description: description(task).to_owned(),
            format: format(spec),
            chat,
        }
    }

    /// The same for a model on a server: all that documents share stands in front of them.
    pub fn served(task: &Task, spec: &AnswerSpec, chat: bool) -> Self {
        let wording = Self::plain(task, spec, chat);
        let preamble = if wording.prefix.is_empty() { "Text:\n" } else { &*wording.prefix };
        let prefix = format!("{}\n\n{preamble}", wording.task(&wording.description));
        let is_repeated = wording.description.chars().count() <= MAX_REPEATED_CHARS;
        Self { style: Style::Served { is_repeated }, prefix: prefix.into(), ..wording }
    }

    pub fn is_learned(&self) -> bool {
        self.style == Style::Learned
    }

    /// A prompt without its document.
    pub fn frame(&self) -> String {
        self.prompt("").whole()
    }

    /// Asks for the answer.
    pub fn prompt(&self, document: &str) -> Prompt {
        let document = if self.is_learned() { format!("Text: {document}") } else { document.to_owned() };
        let asked = match self.style {
            Style::Learned => format!("Question: {}{}", self.description, self.format),
            Style::Plain | Style::Served { is_repeated: true } => self.task(&self.description),
            Style::Served { is_repeated: false } => self.task("as told above the text."),
        };
        // A model computes what requests have in common once: what the task says before all documents, or else the document,
        // of which more than one thing may be asked.
        let (prefix, text) = match self.prefix.is_empty() {
            true => (Arc::from(document), format!("\n\n{asked}")),
            false => (Arc::clone(&self.prefix), format!("{document}\n\n{asked}")),
        };
        match (self.is_learned(), self.chat) {
            (true, _) => Prompt { prefix, text: text + "\nAnswer:", form: Form::Plain },
            (false, true) => Prompt { prefix, text, form: Form::Chat { system: None } },
            (false, false) => Prompt { prefix, text: text + "\nAnswer:\n", form: Form::Plain },
        }
    }

    /// A label as it stands behind the prompt.
    pub fn label(&self, label: &str) -> String {
        match (self.is_learned(), label) {
            (true, label) => format!(" {label}"),
            (false, "yes") => "Yes".to_owned(),
            (false, "no") => "No".to_owned(),
            (false, label) => label.to_owned(),
        }
    }

    /// "The text does not say" as it stands behind the prompt.
    pub fn na(&self) -> String {
        if self.is_learned() { format!(" {}", form::NA) } else { NOT_STATED.to_owned() }
    }

    fn task(&self, description: &str) -> String {
        let name = if self.description.ends_with('?') { "Question" } else { "Task" };
        format!("{name}: {description}\n{}", self.format)
    }
}

/// The labels or fields of an answer, in parentheses behind the question.
fn parts(kind: &AnswerKind) -> String {
    let field = |field: &Field| match &field.kind {
        FieldKind::Span | FieldKind::Text => field.name.clone(),
        FieldKind::YesNo => format!("{}: yes / no", field.name),
        FieldKind::Label(labels) => format!("{}: {}", field.name, labels.join(" / ")),
    };
    let parts: Vec<String> = match kind {
        AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => return String::new(),
        AnswerKind::Label(labels) => labels.clone(),
        AnswerKind::Records(fields) => fields.iter().map(field).collect(),
    };
    format!(" ({})", parts.join(", "))
}

/// The words that say what to do: the definition, or failing that the prompt or the title; empty if there is none.
pub(crate) fn description(task: &Task) -> &str {
    let description = task.definition.as_deref().or(task.prompt.as_deref()).or(task.title.as_deref());
    description.unwrap_or_default().trim()
}

/// How the answer is to be written.
fn format(spec: &AnswerSpec) -> String {
    let na = |how: &str| if spec.allows_na() { how } else { "" }.to_owned();
    match &spec.kind {
        AnswerKind::YesNo => format!("Answer Yes or No{}.", na(", or \"Not stated\" if the text does not say")),
        AnswerKind::Label(labels) => {
            let labels: Vec<String> = labels.iter().map(|label| format!("\"{label}\"")).collect();
            format!("Answer with one of {}{}.", labels.join(", "), na(", or \"Not stated\" if the text does not say"))
        }
        AnswerKind::Spans => {
            let na = na(" If the text does not say, answer \"Not stated\".");
            format!("Copy the answer from the text, word for word; put \"; \" between several answers.{na}")
        }
        AnswerKind::Records(fields) => {
            let mut object = String::from("{");
            for field in fields {
                let value = match &field.kind {
                    FieldKind::Span => "words copied from the text".to_owned(),
                    FieldKind::YesNo => "yes or no".to_owned(),
                    FieldKind::Label(labels) => labels.join(" or "),
                    FieldKind::Text => "a few words".to_owned(),
                };
                let comma = if object.len() > 1 { ", " } else { "" };
                let _ = write!(object, "{comma}\"{}\": \"{value}\"", field.name);
            }
            let na = na(" If there is none, answer [].");
            format!("Answer with a JSON list of objects [{object}}}], \"n/a\" where the text does not say.{na}")
        }
        AnswerKind::Text => "Answer:".to_owned(),
    }
}

/// Everything the task says beyond its description; empty for a bare description.
pub(crate) fn preamble(task: &Task) -> String {
    let mut text = String::new();
    let mut part = |name: &str, part: &Option<String>| {
        if let Some(part) = part.as_deref().map(str::trim).filter(|part| !part.is_empty() && *part != "-") {
            let _ = writeln!(text, "{name}: {part}");
        }
    };
    if task.definition.is_some() {
        part("Instructions", &task.prompt);
    }
    part("Avoid", &task.things_to_avoid);
    part("Note", &task.emphasis);
    for example in &task.positive {
        push_example(&mut text, "Example", example);
    }
    for example in &task.negative {
        push_example(&mut text, "Example of a wrong answer", example);
    }
    if !text.is_empty() {
        text.push_str("\nNow this text:\n");
    }
    text
}

fn push_example(text: &mut String, heading: &str, example: &Example) {
    let _ = write!(text, "\n{heading}\nText: {}\nAnswer: {}\n", example.input.trim(), example.output.trim());
    let said = |part: &Option<String>| {
        part.as_deref().map(str::trim).filter(|part| !matches!(*part, "" | "-")).map(str::to_owned)
    };
    if let Some(reason) = said(&example.reason) {
        let _ = writeln!(text, "Reason: {reason}");
    }
    if let Some(suggestion) = said(&example.suggestion) {
        let _ = writeln!(text, "Better: {suggestion}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Field;

    fn words(task: &Task, kind: AnswerKind) -> String {
        Wording::plain(task, &AnswerSpec { kind, na: None }, true).prompt("THE DOCUMENT").whole()
    }

    fn described(description: &str) -> Task {
        Task { definition: Some(description.into()), ..Task::default() }
    }

    #[test]
    fn what_is_asked_of_a_document_shares_the_document() {
        let task = described("Are dogs allowed?");
        let wording = Wording::plain(&task, &AnswerSpec { kind: AnswerKind::YesNo, na: None }, true);
        assert_eq!(&*wording.prompt("A trail.").prefix, "A trail.");
        insta::assert_snapshot!(words(&task, AnswerKind::YesNo), @r#"
        THE DOCUMENT

        Question: Are dogs allowed?
        Answer Yes or No, or "Not stated" if the text does not say.
        "#);
    }

    #[test]
    fn labels_and_fields_are_named_behind_a_learned_question() {
        let field = |name: &str, kind| Field { name: name.into(), kind };
        let kinds = [
            (AnswerKind::YesNo, ""),
            (AnswerKind::Label(vec!["good".into(), "bad".into()]), " (good, bad)"),
            (
                AnswerKind::Records(vec![
                    field("hike", FieldKind::Span),
                    field("paved", FieldKind::YesNo),
                    field("leash", FieldKind::Label(vec!["required".into(), "optional".into()])),
                ]),
                " (hike, paved: yes / no, leash: required / optional)",
            ),
        ];
        for (kind, named) in kinds {
            let prompt = question(&described("Which hikes?"), &AnswerSpec { kind, na: None }, "A trail.");
            assert_eq!(prompt.whole(), format!("Text: A trail.\n\nQuestion: Which hikes?{named}\nAnswer:"));
            assert_eq!(&*prompt.prefix, "Text: A trail.");
        }
    }

    #[test]
    fn documents_on_a_server_share_all_that_the_task_says() {
        let long = described(&"Say whether dogs are allowed, and be careful. ".repeat(10));
        for task in [described("Are dogs allowed?"), long] {
            let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
            let wording = Wording::served(&task, &spec, true);
            let (one, other) = (wording.prompt("A trail.").whole(), wording.prompt("No dogs!").whole());
            let shared = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            assert!(one[..shared].contains(description(&task)) && one[..shared].contains("Answer Yes or No"));
            assert_eq!(shared, wording.prompt("").prefix.len());
        }
        let wording = |definition: &str| {
            let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
            Wording::served(&described(definition), &spec, true).prompt("THE DOCUMENT").whole()
        };
        insta::assert_snapshot!(wording("Are dogs allowed?"), @r#"
        Question: Are dogs allowed?
        Answer Yes or No, or "Not stated" if the text does not say.

        Text:
        THE DOCUMENT

        Question: Are dogs allowed?
        Answer Yes or No, or "Not stated" if the text does not say.
        "#);
        let long = wording(&"Say whether dogs are allowed, and be careful. ".repeat(10));
        assert!(
            long.ends_with(
                "Task: as told above the text.\nAnswer Yes or No, or \"Not stated\" if the text does not say."
            )
        );
    }

    #[test]
    fn all_parts_of_a_task_are_used() {
        let task = Task {
            prompt: Some("List them.".into()),
            things_to_avoid: Some("Repetition.".into()),
            emphasis: Some("-".into()),
            positive: vec![Example {
                input: "Fern Hike is paved.".into(),
                output: "[{\"hike\": \"Fern Hike\"}]".into(),
                reason: Some("It is named.".into()),
                suggestion: None,
            }],
            negative: vec![Example {
                input: "A bear.".into(),
                output: "bear".into(),
                reason: None,
                suggestion: Some("[]".into()),
            }],
            ..described("Find the hikes")
        };
        let fields = vec![
            Field { name: "hike".into(), kind: FieldKind::Span },
            Field { name: "paved".into(), kind: FieldKind::YesNo },
        ];
        insta::assert_snapshot!(words(&task, AnswerKind::Records(fields)), @r#"
        Instructions: List them.
        Avoid: Repetition.

        Example
        Text: Fern Hike is paved.
        Answer: [{"hike": "Fern Hike"}]
        Reason: It is named.

        Example of a wrong answer
        Text: A bear.
        Answer: bear
        Better: []

        Now this text:
        THE DOCUMENT

        Task: Find the hikes
        Answer with a JSON list of objects [{"hike": "words copied from the text", "paved": "yes or no"}], "n/a" where the text does not say. If there is none, answer [].
        "#);
    }
}
