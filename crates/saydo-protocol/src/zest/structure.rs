//! Lists of objects: reading them, pairing predicted with gold objects, and the score of the pairing.
//!
//! Rules Z17 to Z19 of docs/metrics.md. The score of an instance comes from here; the task's F1 takes only the
//! pairing and looks at every field itself (`item.rs`).

mod align;

use saydo_task::json;
use saydo_task::node::{Node, Value};

use super::error::{Fault, Reason, Side};
use super::not_applicable::is_na_answer;
use super::python_text::equal_objects;
use super::repair::{Repairs, quirk};

/// The fields of an object.
pub(super) type Object = Vec<(String, Node)>;

/// A gold structure with the prediction laid beside it.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) score: f64,
    pub(super) gold: Vec<Object>,
    /// As many objects as `gold`, in its order.
    pub(super) predicted: Vec<Object>,
    /// Whether a field that was not predicted counts as predicted NA (the repair of Q13) or as a wrong answer.
    pub(super) absent_is_na: bool,
}

impl Structure {
    /// Compares a predicted text with a gold text.
    pub(super) fn compare(gold: &str, predicted: &str, repairs: Repairs) -> Result<Self, Fault> {
        let Some(items) = parse_list(predicted, repairs) else {
            let absent_is_na =
                repairs.has(quirk::EXTRAS) && is_na_answer(predicted, Side::Predicted, repairs).unwrap_or(false);
            return Ok(Structure { absent_is_na, ..Structure::unanswered(gold)? });
        };
        let gold = match parse_gold(gold)? {
            Gold::Objects(objects) => objects,
            Gold::Nothing if items.is_empty() => {
                // The mean over no pairs is not a number; -1 is what the reference is left with (Q10).
                let score = if repairs.has(quirk::EMPTY_PAIR) { 1.0 } else { -1.0 };
                return Ok(Structure { score, gold: Vec::new(), predicted: Vec::new(), absent_is_na: false });
            }
            Gold::Nothing => return Err(Side::Gold.fault(Reason::NotList { found: "an object" })),
        };
        let predicted = objects(items, Side::Predicted)?;
        let absent_is_na = repairs.has(quirk::EXTRAS);
        if equal_when_padded(&gold, &predicted) {
            let length = gold.len().max(predicted.len());
            let (gold, predicted) = (padded(gold, length), padded(predicted, length));
            return Ok(Structure { score: 1.0, gold, predicted, absent_is_na });
        }
        let (order, score) = align::align(&gold, &predicted, repairs)?;
        let predicted = reordered(predicted, &order);
        Ok(Structure { score, gold: padded(gold, order.len()), predicted, absent_is_na })
    }

    /// The gold structure with nothing predicted, each field wrong.
    pub(super) fn unanswered(gold: &str) -> Result<Self, Fault> {
        let gold = match parse_gold(gold)? {
            Gold::Objects(objects) => objects,
            Gold::Nothing => Vec::new(),
        };
        let predicted = vec![Object::new(); gold.len()];
        Ok(Structure { score: 0.0, gold, predicted, absent_is_na: false })
    }
}

enum Gold {
    Objects(Vec<Object>),
    /// The text is an object without entries: nothing to find, but not a list either.
    Nothing,
}

fn parse_gold(text: &str) -> Result<Gold, Fault> {
    let parsed = json::parse(text).map_err(|error| Side::Gold.fault(Reason::Syntax { message: error.to_string() }))?;
    match parsed.root.value {
        Value::Array(items) => objects(items, Side::Gold).map(Gold::Objects),
        Value::Object(entries) if entries.is_empty() => Ok(Gold::Nothing),
        other => Err(Side::Gold.fault(Reason::NotList { found: other.kind() })),
    }
}

/// The elements of a predicted list; none if the text is anything else. With Q10 repaired, an object without entries is
/// a list without objects.
fn parse_list(text: &str, repairs: Repairs) -> Option<Vec<Node>> {
    match json::parse(text).ok()?.root.value {
        Value::Array(items) => Some(items),
        Value::Object(entries) if entries.is_empty() && repairs.has(quirk::EMPTY_PAIR) => Some(Vec::new()),
        _ => None,
    }
}

fn objects(items: Vec<Node>, side: Side) -> Result<Vec<Object>, Fault> {
    let object = |item: Node| match item.value {
        Value::Object(entries) => Ok(entries),
        other => Err(side.fault(Reason::NotObjects { found: other.kind() })),
    };
    items.into_iter().map(object).collect()
}

/// The list with empty objects at its end, up to `length`.
fn padded(mut objects: Vec<Object>, length: usize) -> Vec<Object> {
    objects.resize(objects.len().max(length), Object::new());
    objects
}

fn equal_when_padded(gold: &[Object], predicted: &[Object]) -> bool {
    let shared = gold.len().min(predicted.len());
    let surplus = gold[shared..].iter().chain(&predicted[shared..]);
    surplus.into_iter().all(Vec::is_empty)
        && gold.iter().zip(predicted).all(|(gold, predicted)| equal_objects(gold, predicted))
}

/// The objects in the given order; an index beyond the last is an empty object.
fn reordered(mut objects: Vec<Object>, order: &[usize]) -> Vec<Object> {
    order.iter().map(|&index| objects.get_mut(index).map(std::mem::take).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests;
