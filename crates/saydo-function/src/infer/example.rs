//! What the outputs of examples show about the kind of answer. Separate because examples are stronger than words: what
//! a task shows is what it wants.

use super::{Inferred, step};
use saydo_task::{AnswerKind, Example, Field, FieldKind};
use serde_json::{Map, Value as Json};
use std::collections::{HashMap, HashSet};

/// So many examples are needed before few different outputs mean a set of labels.
const ENOUGH: usize = 4;
/// The most words of an output that can be a label.
const LABEL_WORDS: usize = 4;
/// So many values or pieces of an output are looked for in its input; the first ones speak for the rest.
const MAX_PIECES: usize = 200;

/// An example with its input as pieces are looked up in it.
struct Shown<'a> {
    output: &'a str,
    /// In lower case.
    input: String,
}

impl<'a> Shown<'a> {
    fn new(example: &'a Example) -> Self {
        step::read(example.input.len() + example.output.len());
        Self { output: &example.output, input: example.input.to_lowercase() }
    }

    /// Whether a text is a piece of the input.
    fn holds(&self, piece: &str) -> bool {
        step::read(self.input.len() + piece.len());
        let piece = plain(piece);
        !piece.is_empty() && self.input.contains(&piece)
    }
}

/// The kind that the examples show; none if they show nothing (there are none, or all are NA). `by_words` is what the
/// description asks for: a set of labels it names is kept if the outputs are in it.
pub(super) fn infer(examples: &[Example], by_words: &AnswerKind) -> Option<Inferred> {
    let shown: Vec<Shown<'_>> = examples.iter().filter(|example| !is_na(&example.output)).map(Shown::new).collect();
    if shown.is_empty() {
        return None;
    }
    let is_yes_no = |example: &Shown<'_>| matches!(plain(example.output).as_str(), "yes" | "no");
    if shown.iter().all(is_yes_no) {
        return Some(Inferred::new(AnswerKind::YesNo, "its examples answer yes or no"));
    }
    if let Some(fields) = records(&shown) {
        return Some(Inferred::new(AnswerKind::Records(fields), "its examples are lists of records"));
    }
    if let AnswerKind::Label(labels) = by_words
        && shown.iter().all(|example| {
            let output = plain(example.output);
            labels.iter().any(|label| plain(label) == output)
        })
    {
        return Some(Inferred::new(by_words.clone(), "it names the possible answers, and its examples keep to them"));
    }
    if let Some(labels) = labels(&shown) {
        return Some(Inferred::new(AnswerKind::Label(labels), "its examples share a few answers"));
    }
    if shown.iter().all(|example| is_of_input(example)) {
        return Some(Inferred::new(AnswerKind::Spans, "its examples answer with pieces of their inputs"));
    }
    Some(Inferred::new(AnswerKind::Text, "its examples answer with text that is not in their inputs"))
}

/// An output as it is compared: lower case, without space around it and a full stop.
fn plain(output: &str) -> String {
    output.trim().trim_end_matches('.').to_lowercase()
}

fn is_na(output: &str) -> bool {
    matches!(plain(output).as_str(), "" | "n/a" | "na" | "[]" | "null")
}

/// A value with the example it stands in.
type Value<'a> = (&'a Shown<'a>, String);

/// The fields, in order of appearance, if every output is a list of objects or one object.
fn records<'a>(examples: &'a [Shown<'a>]) -> Option<Vec<Field>> {
    let mut names: Vec<String> = Vec::new();
    let mut values: HashMap<String, Vec<Value<'a>>> = HashMap::new();
    for example in examples {
        for (name, value) in objects(example.output)?.into_iter().flatten().take(MAX_PIECES) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let known = values.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                Vec::new()
            });
            known.push((example, text));
        }
    }
    let kind = |name: &String| field_kind(values.get(name).map_or(&[], Vec::as_slice));
    let fields: Vec<Field> = names.iter().map(|name| Field { kind: kind(name), name: name.clone() }).collect();
    (!fields.is_empty()).then_some(fields)
}

fn objects(output: &str) -> Option<Vec<Map<String, Json>>> {
    match serde_json::from_str(output).ok()? {
        Json::Object(object) => Some(vec![object]),
        Json::Array(items) => {
            let object = |item| if let Json::Object(object) = item { Some(object) } else { None };
            items.into_iter().map(object).collect()
        }
        _ => None,
    }
}

fn field_kind(values: &[Value<'_>]) -> FieldKind {
    let shown: Vec<&Value<'_>> = values.iter().filter(|(_, text)| !is_na(text)).collect();
    let is_yes_no = |value: &&Value<'_>| matches!(plain(&value.1).as_str(), "yes" | "no" | "true" | "false");
    if !shown.is_empty() && shown.iter().all(is_yes_no) {
        FieldKind::YesNo
    } else if shown.iter().all(|(example, text)| example.holds(text)) {
        FieldKind::Span
    } else {
        FieldKind::Text
    }
}

/// The different outputs, as first written, if they are few, short and repeated.
fn labels(examples: &[Shown<'_>]) -> Option<Vec<String>> {
    let mut seen = HashSet::new();
    let labels = examples.iter().map(|example| example.output.trim()).filter(|output| seen.insert(plain(output)));
    let labels: Vec<String> = labels.map(str::to_owned).collect();
    let is_short = |label: &String| label.split_whitespace().count() <= LABEL_WORDS;
    let is_small = labels.len() > 1 && labels.len() * 2 <= examples.len();
    (examples.len() >= ENOUGH && is_small && labels.iter().all(is_short)).then_some(labels)
}

/// Whether an output is a piece of its input, or a list of such pieces: a JSON list, lines, or parted by commas or
/// semicolons.
fn is_of_input(example: &Shown<'_>) -> bool {
    let output = example.output.trim();
    if example.holds(output) {
        return true;
    }
    if let Ok(items) = serde_json::from_str::<Vec<String>>(output) {
        return items.iter().take(MAX_PIECES).all(|item| example.holds(item));
    }
    [", ", "; ", "\n"]
        .iter()
        .any(|mark| output.contains(mark) && output.split(mark).take(MAX_PIECES).all(|item| example.holds(item)))
}
