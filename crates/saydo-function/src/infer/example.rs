//! What the outputs of examples show about the kind of answer. Separate because examples are stronger than words: what
//! a task shows is what it wants.

use super::Inferred;
use saydo_task::{AnswerKind, Example, Field, FieldKind};
use serde_json::{Map, Value};

/// So many examples are needed before few different outputs mean a set of labels.
const ENOUGH: usize = 4;
/// The most words of an output that can be a label.
const LABEL_WORDS: usize = 4;

/// The kind that the examples show; none if they show nothing (there are none, or all are NA). `by_words` is what the
/// description asks for: a set of labels it names is kept if the outputs are in it.
pub(super) fn infer(examples: &[Example], by_words: &AnswerKind) -> Option<Inferred> {
    let shown: Vec<&Example> = examples.iter().filter(|example| !is_na(&example.output)).collect();
    if shown.is_empty() {
        return None;
    }
    let is_yes_no = |example: &&Example| matches!(plain(&example.output).as_str(), "yes" | "no");
    if shown.iter().all(is_yes_no) {
        return Some(Inferred::new(AnswerKind::YesNo, "its examples answer yes or no"));
    }
    if let Some(fields) = records(&shown) {
        return Some(Inferred::new(AnswerKind::Records(fields), "its examples are lists of records"));
    }
    if let AnswerKind::Label(labels) = by_words
        && shown.iter().all(|example| labels.iter().any(|label| plain(label) == plain(&example.output)))
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

/// The fields, in order of appearance, if every output is a list of objects or one object.
fn records(examples: &[&Example]) -> Option<Vec<Field>> {
    let mut values: Vec<(String, Vec<(&Example, String)>)> = Vec::new();
    for example in examples {
        for object in objects(&example.output)? {
            for (name, value) in object {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                match values.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, list)) => list.push((*example, text)),
                    None => values.push((name, vec![(*example, text)])),
                }
            }
        }
    }
    let field = |(name, values): (String, Vec<(&Example, String)>)| Field { kind: field_kind(&values), name };
    (!values.is_empty()).then(|| values.into_iter().map(field).collect())
}

fn objects(output: &str) -> Option<Vec<Map<String, Value>>> {
    match serde_json::from_str(output).ok()? {
        Value::Object(object) => Some(vec![object]),
        Value::Array(items) => {
            let object = |item| if let Value::Object(object) = item { Some(object) } else { None };
            items.into_iter().map(object).collect()
        }
        _ => None,
    }
}

fn field_kind(values: &[(&Example, String)]) -> FieldKind {
    let shown: Vec<&(&Example, String)> = values.iter().filter(|(_, text)| !is_na(text)).collect();
    let is_yes_no = |(_, text): &&&(&Example, String)| matches!(plain(text).as_str(), "yes" | "no" | "true" | "false");
    if !shown.is_empty() && shown.iter().filter(|value| is_yes_no(value)).count() == shown.len() {
        FieldKind::YesNo
    } else if shown.iter().all(|(example, text)| contains(&example.input, text)) {
        FieldKind::Span
    } else {
        FieldKind::Text
    }
}

/// The different outputs, as first written, if they are few, short and repeated.
fn labels(examples: &[&Example]) -> Option<Vec<String>> {
    let mut labels: Vec<String> = Vec::new();
    for example in examples {
        if !labels.iter().any(|label| plain(label) == plain(&example.output)) {
            labels.push(example.output.trim().to_owned());
        }
    }
    let is_short = |label: &String| label.split_whitespace().count() <= LABEL_WORDS;
    let is_small = labels.len() > 1 && labels.len() * 2 <= examples.len();
    (examples.len() >= ENOUGH && is_small && labels.iter().all(is_short)).then_some(labels)
}

/// Whether an output is a piece of its input, or a list of such pieces: a JSON list, lines, or parted by commas or
/// semicolons.
fn is_of_input(example: &Example) -> bool {
    let output = example.output.trim();
    if contains(&example.input, output) {
        return true;
    }
    if let Ok(items) = serde_json::from_str::<Vec<String>>(output) {
        return items.iter().all(|item| contains(&example.input, item));
    }
    [", ", "; ", "\n"]
        .iter()
        .any(|mark| output.contains(mark) && output.split(mark).all(|item| contains(&example.input, item)))
}

fn contains(input: &str, piece: &str) -> bool {
    let piece = plain(piece);
    !piece.is_empty() && input.to_lowercase().contains(&piece)
}
