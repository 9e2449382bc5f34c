//! The kind of answer, inferred from the words of a description: rules over question words, verbs and lists, with the
//! parts of speech of [`saydo_tagger`]; no model is asked.
//!
//! Reading order: `word`, `vocabulary`, `language`, `opening`, `ask`, `options` (sets of labels), `part` and `field` (what
//! is asked for, one thing or several), `name`, `form`; `example` for tasks that show outputs.

mod ask;
mod example;
mod field;
mod form;
mod language;
mod name;
mod opening;
mod options;
mod part;
mod step;
mod vocabulary;
mod word;

use ask::{Ask, Asking};
use field::{Found, fields};
use options::Options;
use saydo_tagger::Tagger;
use saydo_task::{AnswerKind, AnswerSpec, Task};
use std::sync::LazyLock;

/// The tagger; reading its weights takes longer than inferring a kind does.
static TAGGER: LazyLock<Tagger> = LazyLock::new(Tagger::embedded);

/// A kind of answer, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inferred {
    /// The kind of answer. Whether NA is possible is left to the kind's default.
    pub spec: AnswerSpec,
    /// Why, in a few words for the user: a clause without a full stop.
    pub reason: String,
}

impl Inferred {
    fn new(kind: AnswerKind, reason: impl Into<String>) -> Inferred {
        Inferred { spec: AnswerSpec { kind, na: None }, reason: reason.into() }
    }
}

/// The kind of answer that a description asks for. Any text gives some kind: what is empty or not English gets a default,
/// and the reason says so. It takes time in proportion to the length of the text, whatever stands in it.
///
/// ```
/// use saydo_function::infer::infer;
/// use saydo_task::AnswerKind;
///
/// assert_eq!(infer("Are dogs allowed?").spec.kind, AnswerKind::YesNo);
/// assert_eq!(infer("List the hikes.").spec.kind, AnswerKind::Spans);
/// let AnswerKind::Records(fields) = infer("List the hikes and whether dogs are allowed.").spec.kind else { panic!() };
/// assert_eq!(fields[1].name, "dogs allowed");
/// ```
pub fn infer(description: &str) -> Inferred {
    infer_with(&TAGGER, description)
}

/// The kind of answer of a task: the one it states; else what the outputs of its positive examples show; else what its
/// definition, or without one its prompt, asks for.
pub fn infer_task(task: &Task) -> Inferred {
    if let Some(spec) = &task.answer {
        return Inferred { spec: spec.clone(), reason: "the task states it".to_owned() };
    }
    let description = task.definition.as_deref().or(task.prompt.as_deref()).unwrap_or_default();
    let by_words = infer(description);
    example::infer(&task.positive, &by_words.spec.kind).unwrap_or(by_words)
}

fn infer_with(tagger: &Tagger, description: &str) -> Inferred {
    let text = description.trim();
    if text.is_empty() {
        return Inferred::new(AnswerKind::Text, "the description is empty, so this is a default");
    }
    if !language::is_english(text) {
        return if text.contains(['?', '？', '؟', '¿']) {
            Inferred::new(AnswerKind::Spans, "a default for a question whose language the rules do not know")
        } else {
            Inferred::new(AnswerKind::Text, "a default for a description whose language the rules do not know")
        };
    }
    if let Some(options) = options::after_colon(text).or_else(|| options::in_brackets(text)) {
        return of_options(options);
    }
    let sentences = word::sentences(text);
    let askings: Vec<Asking> =
        sentences.iter().filter_map(|sentence| ask::read(&word::words(tagger, sentence))).collect();
    decide(askings)
}

/// One kind for all sentences: named options come first, then the first sentence that asks, joined by those that ask for
/// more.
fn decide(askings: Vec<Asking>) -> Inferred {
    if let Some(options) = askings.iter().find_map(|asking| match &asking.ask {
        Ask::Options(options) => Some(options.clone()),
        _ => None,
    }) {
        return of_options(options);
    }
    let mut found: Vec<Found> = Vec::new();
    let mut is_claim = false;
    for (at, asking) in askings.into_iter().enumerate() {
        let adds = at == 0 || asking.is_question || asking.refers_back;
        match asking.ask {
            Ask::Text(word) if at == 0 => {
                return Inferred::new(AnswerKind::Text, format!("it asks for new text (`{word}`)"));
            }
            Ask::Class(word) if at == 0 => {
                return Inferred::new(
                    AnswerKind::Text,
                    format!("it asks for a class (`{word}`) but does not name the classes"),
                );
            }
            Ask::Claim(claim) if adds => {
                is_claim = at == 0;
                found.push(claim);
            }
            Ask::Things(things) if adds => {
                is_claim = false;
                found.extend(things.into_iter().filter(|thing| at == 0 || !thing.is_reference()));
            }
            _ => {}
        }
    }
    match found.as_slice() {
        [] => Inferred::new(
            AnswerKind::Text,
            "it is neither a question nor a request that the rules know, so this is a default",
        ),
        [_] if is_claim => Inferred::new(AnswerKind::YesNo, "it asks whether something holds"),
        [one] => one_thing(one),
        _ => several(found),
    }
}

fn of_options(options: Options) -> Inferred {
    match options {
        Options::YesNo => Inferred::new(AnswerKind::YesNo, "it asks for yes or no"),
        Options::Labels(labels) => Inferred::new(AnswerKind::Label(labels), "it names the possible answers"),
    }
}

fn one_thing(thing: &Found) -> Inferred {
    match thing.kind {
        saydo_task::FieldKind::Text => {
            Inferred::new(AnswerKind::Text, format!("it asks for new text (`{}`)", thing.name))
        }
        _ if thing.name.starts_with("number of ") => {
            Inferred::new(AnswerKind::Spans, "it asks for a number, which stands in the document")
        }
        _ => Inferred::new(AnswerKind::Spans, "it asks for text of the document"),
    }
}

fn several(found: Vec<Found>) -> Inferred {
    let fields = fields(found);
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    let reason = format!("it asks for several things: {}", names.join(", "));
    Inferred::new(AnswerKind::Records(fields), reason)
}

#[cfg(test)]
mod tests;
