//! Is an answer "not applicable"?
//!
//! NA answers carry two thirds of the dataset and decide which bucket an instance falls into, so every oddity of the
//! reference's test matters: rules Z12 to Z14 of docs/metrics.md.

use saydo_metrics::python::{lower, strip};
use saydo_task::json;
use saydo_task::node::{Node, Value};

use super::error::{Fault, Reason, Side};
use super::normalize::normalize;
use super::repair::{Repairs, quirk};

/// The deepest list numpy turns into one array; the reference asks pandas, which asks numpy.
const MAX_ARRAY_DEPTH: usize = 64;

/// Whether a value is NA: null, `NaN`, a list of nothing but NA, or a text for which [`is_na_text`] holds.
///
/// Numbers, booleans and objects are faults of `side`, also inside a list that is not NA anyway.
pub fn is_na(value: &Value, side: Side, repairs: Repairs) -> Result<bool, Fault> {
    match value {
        Value::Null => Ok(true),
        Value::Float(number) if number.is_nan() => Ok(true),
        Value::String(text) => is_na_text(text, side, repairs),
        Value::Array(items) => all_na(elements(items), |item| is_na(item, side, repairs)),
        other => Err(side.fault(Reason::NotText { found: other.kind() })),
    }
}

/// Whether a text is NA: exactly `n/a` or `na` in any case, or a JSON list of objects that hold nothing else.
///
/// With Q7 repaired, any text that normalizes to `na` is.
pub fn is_na_text(text: &str, side: Side, repairs: Repairs) -> Result<bool, Fault> {
    if text.contains('{') {
        return is_na_structure(text, side, repairs);
    }
    if repairs.has(quirk::NOT_APPLICABLE) {
        return Ok(normalize(text, repairs) == "na");
    }
    Ok(text.eq_ignore_ascii_case("n/a") || text.eq_ignore_ascii_case("na"))
}

/// As [`is_na_text`] for an answer as a whole. With Q8 repaired, a JSON list of nothing but NA is NA as well; the
/// reference looks at the raw text, for which `["n/a"]` is an answer.
pub(super) fn is_na_answer(text: &str, side: Side, repairs: Repairs) -> Result<bool, Fault> {
    if is_na_text(text, side, repairs)? {
        return Ok(true);
    }
    if !repairs.has(quirk::RANDOM_ELEMENT) || !text.contains('[') {
        return Ok(false);
    }
    let list = json::parse(text).ok().map(|parsed| parsed.root.value).filter(|value| matches!(value, Value::Array(_)));
    // A list that holds numbers or objects is an answer, not a fault.
    Ok(list.is_some_and(|list| is_na(&list, side, repairs).unwrap_or(false)))
}

/// All elements are looked at even after one that is not NA, because a fault behind it counts.
fn all_na<'a>(
    values: impl Iterator<Item = &'a Value>,
    test: impl Fn(&'a Value) -> Result<bool, Fault>,
) -> Result<bool, Fault> {
    let mut all = true;
    for value in values {
        all &= test(value)?;
    }
    Ok(all)
}

fn elements(items: &[Node]) -> impl Iterator<Item = &Value> {
    items.iter().map(|node| &node.value)
}

fn is_na_structure(text: &str, side: Side, repairs: Repairs) -> Result<bool, Fault> {
    let Some(value) = parse_structure(text, repairs) else { return Ok(false) };
    let items = match &value {
        Value::Array(items) => items,
        Value::Object(entries) if entries.is_empty() => return Ok(true),
        other => return Err(side.fault(Reason::NotList { found: other.kind() })),
    };
    all_na(elements(items), |item| match item {
        Value::Object(entries) => {
            all_na(entries.iter().map(|(_, node)| &node.value), |value| is_na_field(value, side, repairs))
        }
        other => Err(side.fault(Reason::NotObjects { found: other.kind() })),
    })
}

/// The reference writes `"n/a"` for every `nan`, inside words too, so that a structure with a banana in it is not JSON
/// and never NA (Q7). Repaired, that is tried only where the text is not JSON as it stands.
fn parse_structure(text: &str, repairs: Repairs) -> Option<Value> {
    let rewritten = || json::parse(&text.replace("nan", "\"n/a\""));
    let parsed =
        if repairs.has(quirk::NOT_APPLICABLE) { json::parse(text).or_else(|_| rewritten()) } else { rewritten() };
    parsed.ok().map(|parsed| parsed.root.value)
}

fn is_na_field(value: &Value, side: Side, repairs: Repairs) -> Result<bool, Fault> {
    match value {
        Value::String(text) if lower(strip(text)) == "nan" && repairs.has(quirk::NOT_APPLICABLE) => Ok(true),
        Value::String(text) if repairs.has(quirk::NOT_APPLICABLE) => Ok(normalize(text, repairs) == "na"),
        Value::String(text) => Ok(["n/a", "na", "nan"].iter().any(|na| text.eq_ignore_ascii_case(na))),
        other if is_null_array(other) => Ok(true),
        other => Err(side.fault(Reason::NotText { found: other.kind() })),
    }
}

/// Null and `NaN`, also as the only element of a list of such lists: pandas sees an array with one null in it.
fn is_null_array(mut value: &Value) -> bool {
    for _ in 0..=MAX_ARRAY_DEPTH {
        match value {
            Value::Null => return true,
            Value::Float(number) => return number.is_nan(),
            Value::Array(items) if items.len() == 1 => value = &items[0].value,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: Repairs = Repairs::NONE.with(quirk::NOT_APPLICABLE).with(quirk::RANDOM_ELEMENT);

    fn text(text: &str, repairs: Repairs) -> Option<bool> {
        is_na_text(text, Side::Predicted, repairs).ok()
    }

    fn value(text: &str) -> Option<bool> {
        is_na(&json::parse(text).unwrap().root.value, Side::Predicted, Repairs::NONE).ok()
    }

    #[test]
    fn only_two_exact_texts_are_na() {
        for na in ["n/a", "NA", "N/a"] {
            assert_eq!(text(na, Repairs::NONE), Some(true), "{na}");
        }
        for answer in ["", " n/a", "N.A.", "nan", "none", "null", "n.a"] {
            assert_eq!(text(answer, Repairs::NONE), Some(false), "{answer}");
        }
    }

    #[test]
    fn repaired_na_is_whatever_normalizes_to_it() {
        for na in ["n/a", " N.A. ", "(na)", "[{\"x\": \"N. A.\"}]", "[{\"x\": nan, \"y\": \"NaN\"}]"] {
            let expected = na != "[{\"x\": \"N. A.\"}]";
            assert_eq!(text(na, FIXED), Some(expected), "{na}");
        }
        assert_eq!(text("none", FIXED), Some(false));
        assert_eq!(is_na_answer("[\"n/a\", null]", Side::Predicted, FIXED), Ok(true));
        assert_eq!(is_na_answer("[5]", Side::Predicted, FIXED), Ok(false));
        assert_eq!(is_na_answer("[\"n/a\"]", Side::Predicted, Repairs::NONE), Ok(false));
    }

    #[test]
    fn a_structure_is_na_if_all_its_fields_are() {
        let cases = [
            (r#"[{"a": "n/a", "b": null}, {}]"#, Some(true)),
            (r#"[{"a": nan, "b": NaN}]"#, Some(true)),
            (r#"[{"a": [[null]]}]"#, Some(true)),
            (r#"[{"a": "NaN"}]"#, Some(true)),
            (r#"[{"a": "nan"}]"#, Some(false)),
            (r#"[{"a": "banana", "b": 5}]"#, Some(false)),
            (r#"{}"#, Some(true)),
            (r#"{ not json"#, Some(false)),
            (r#"{"a": "n/a"}"#, None),
            (r#"[{"a": "x", "b": 5}]"#, None),
            (r#"[{"a": []}]"#, None),
            (r#"[{"a": [null, null]}]"#, None),
            (r#"[[], {}]"#, None),
            (r#""{""#, None),
        ];
        for (structure, expected) in cases {
            assert_eq!(text(structure, Repairs::NONE), expected, "{structure}");
        }
    }

    #[test]
    fn a_word_that_contains_nan_no_longer_hides_a_structure_when_repaired() {
        let structure = r#"[{"banana": "n/a"}]"#;
        assert_eq!((text(structure, Repairs::NONE), text(structure, FIXED)), (Some(false), Some(true)));
    }

    #[test]
    fn lists_are_na_if_all_elements_are_and_numbers_are_faults() {
        let cases = [
            ("[]", Some(true)),
            (r#"["n/a", [null]]"#, Some(true)),
            (r#"["x", null]"#, Some(false)),
            (r#"["x", 5]"#, None),
            ("NaN", Some(true)),
            ("Infinity", None),
            ("true", None),
            ("{}", None),
        ];
        for (json, expected) in cases {
            assert_eq!(value(json), expected, "{json}");
        }
    }
}
