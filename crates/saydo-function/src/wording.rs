//! The words around a document: what a model is asked, for each kind of answer.
//!
//! The document comes first and the question behind it: small models answer what they read last. What a task says beyond
//! its description (things to avoid, examples) goes before the document, where all documents share it.
//!
//! A server computes what requests have in common once, if it stands at their beginning. So for served models the whole
//! task comes first, and what is short enough is said again behind the document.

use saydo_model::{Form, Prompt};
use saydo_task::{AnswerKind, AnswerSpec, Example, FieldKind, Task};
use std::fmt::Write;
use std::sync::Arc;

/// Changes whenever a prompt or the judging of scores does, so that a run is not continued with another function.
pub(crate) const VERSION: u32 = 2;

/// The same for served models.
pub(crate) const SERVED_VERSION: u32 = 2;

/// A longer description is not said again behind the document.
const MOST_REPEATED_CHARS: usize = 300;

/// A task's words.
#[derive(Clone)]
pub(crate) struct Wording {
    prefix: Arc<str>,
    description: String,
    format: String,
    chat: bool,
    /// Whether the description stands behind the document; otherwise it stands before it only.
    is_repeated: bool,
}

impl Wording {
    pub fn new(task: &Task, spec: &AnswerSpec, chat: bool) -> Self {
        Self {
            prefix: preamble(task).into(),
            description: description(task).to_owned(),
            format: format(spec),
            chat,
            is_repeated: true,
        }
    }

    /// The same for a model on a server: all that documents share stands in front of them.
    pub fn served(task: &Task, spec: &AnswerSpec, chat: bool) -> Self {
        let wording = Self::new(task, spec, chat);
        let preamble = if wording.prefix.is_empty() { "Text:\n" } else { &*wording.prefix };
        let prefix = format!("{}\n\n{preamble}", wording.task(&wording.description, &wording.format));
        Self {
            prefix: prefix.into(),
            is_repeated: wording.description.chars().count() <= MOST_REPEATED_CHARS,
            ..wording
        }
    }

    /// The description, as a question or an instruction.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Asks for the answer itself.
    pub fn answer(&self, document: &str) -> Prompt {
        self.ask(document, &self.format)
    }

    /// Asks whether the document holds the answer, and not for the answer itself.
    pub fn claim(&self, document: &str) -> Prompt {
        let asked = match self.is_question() {
            true => format!("Does this text answer the question \"{}\"?", self.description),
            false => format!("Does this text hold what this task asks for? \"{}\"", self.description),
        };
        self.prompt(document, &format!("{asked} Answer Yes or No."))
    }

    /// Asks for a question that the document answers; how likely the task's own question is then tells whether the
    /// document speaks of it.
    pub fn evidence(&self, document: &str) -> Prompt {
        Wording { prefix: Arc::from(""), ..self.clone() }.prompt(document, "Write a question that this text answers.")
    }

    /// An answer's prompt without its document.
    pub fn frame(&self) -> String {
        self.answer("").whole()
    }

    fn is_question(&self) -> bool {
        self.description.ends_with('?')
    }

    fn ask(&self, document: &str, how: &str) -> Prompt {
        let description = if self.is_repeated { &self.description } else { "as told above the text." };
        self.prompt(document, &self.task(description, how))
    }

    fn task(&self, description: &str, how: &str) -> String {
        let name = if self.is_question() { "Question" } else { "Task" };
        format!("{name}: {description}\n{how}")
    }

    fn prompt(&self, document: &str, asked: &str) -> Prompt {
        // A model computes what requests have in common once: what the task says before all documents, or else the document,
        // of which more than one thing may be asked.
        let (prefix, text) = match self.prefix.is_empty() {
            true => (Arc::from(document), format!("\n\n{asked}")),
            false => (Arc::clone(&self.prefix), format!("{document}\n\n{asked}")),
        };
        match self.chat {
            true => Prompt { prefix, text, form: Form::Chat { system: None } },
            false => Prompt { prefix, text: text + "\nAnswer:\n", form: Form::Plain },
        }
    }
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
            format!("Answer with a JSON list of objects [{object}}}], \"NA\" where the text does not say.{na}")
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
        Wording::new(task, &AnswerSpec { kind, na: None }, true).answer("THE DOCUMENT").whole()
    }

    fn described(description: &str) -> Task {
        Task { definition: Some(description.into()), ..Task::default() }
    }

    #[test]
    fn what_is_asked_of_a_document_shares_the_document() {
        let task = described("Are dogs allowed?");
        let wording = Wording::new(&task, &AnswerSpec { kind: AnswerKind::YesNo, na: None }, true);
        assert_eq!(&*wording.answer("A trail.").prefix, "A trail.");
        assert_eq!(wording.answer("A trail.").prefix, wording.evidence("A trail.").prefix);
        insta::assert_snapshot!(wording.claim("A trail.").whole(), @r#"
        A trail.

        Does this text answer the question "Are dogs allowed?"? Answer Yes or No.
        "#);
        insta::assert_snapshot!(words(&task, AnswerKind::YesNo), @r#"
        THE DOCUMENT

        Question: Are dogs allowed?
        Answer Yes or No, or "Not stated" if the text does not say.
        "#);
    }

    #[test]
    fn documents_on_a_server_share_all_that_the_task_says() {
        let long = described(&"Say whether dogs are allowed, and be careful. ".repeat(10));
        for task in [described("Are dogs allowed?"), long] {
            let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
            let wording = Wording::served(&task, &spec, true);
            let (one, other) = (wording.answer("A trail.").whole(), wording.answer("No dogs!").whole());
            let shared = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            assert!(one[..shared].contains(description(&task)) && one[..shared].contains("Answer Yes or No"));
            assert_eq!(shared, wording.answer("").prefix.len());
        }
        let wording = |definition: &str| {
            let spec = AnswerSpec { kind: AnswerKind::YesNo, na: None };
            Wording::served(&described(definition), &spec, true).answer("THE DOCUMENT").whole()
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
        Answer with a JSON list of objects [{"hike": "words copied from the text", "paved": "yes or no"}], "NA" where the text does not say. If there is none, answer [].
        "#);
    }
}
