//! JSON values as Python prints and compares them.
//!
//! The reference formats field values with `str()` and compares structures with `==`, so what Python prints for a number,
//! a nested list or a boolean, and that `1 == 1.0 == True`, both reach the score.

use std::fmt::Write as _;

use saydo_metrics::python::float_repr;
use saydo_task::node::{Node, Value};

/// `str(value)`: text as it is, anything else as Python would show it.
pub(super) fn to_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let mut out = String::new();
            write_repr(other, &mut out);
            out
        }
    }
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Integer(digits) => out.push_str(digits),
        Value::Float(number) => out.push_str(&float_repr(*number)),
        Value::String(text) => write_quoted(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_repr(&item.value, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (i, (key, item)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_quoted(key, out);
                out.push_str(": ");
                write_repr(&item.value, out);
            }
            out.push('}');
        }
    }
}

/// The text in single quotes, or in double quotes if it has single and no double ones.
fn write_quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => out.extend(['\\', c]),
            _ if is_printable(c) => out.push(c),
            _ => write_escape(c, out),
        }
    }
    out.push(quote);
}

/// Whether Python shows the character itself. Rust's debug output escapes the same categories (controls, formats,
/// private use, unassigned, separators), and combining marks only at the start of a text.
fn is_printable(c: char) -> bool {
    let probe = format!("x{c}");
    matches!(c, '"' | '\'') || probe.escape_debug().eq(probe.chars())
}

fn write_escape(c: char, out: &mut String) {
    let escaped = match u32::from(c) {
        // Lone surrogates are held in private use by the JSON reader.
        point @ 0x10_D800..=0x10_DFFF => write!(out, "\\u{:04x}", point - 0x10_0000),
        point @ ..=0xFF => write!(out, "\\x{point:02x}"),
        point @ ..=0xFFFF => write!(out, "\\u{point:04x}"),
        point => write!(out, "\\U{point:08x}"),
    };
    escaped.expect("writing into a string cannot fail");
}

/// `a == b`: the order of keys does not matter, numbers and booleans compare by value, and `NaN` equals itself because
/// both come from the same object of the JSON module.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => equal_lists(a, b),
        (Value::Object(a), Value::Object(b)) => equal_objects(a, b),
        _ => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => a.equals(&b),
            _ => false,
        },
    }
}

pub(super) fn equal_lists(a: &[Node], b: &[Node]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(&a.value, &b.value))
}

/// As [`equal`], for two objects.
pub(super) fn equal_objects(a: &[(String, Node)], b: &[(String, Node)]) -> bool {
    a.len() == b.len()
        && a.iter().enumerate().all(|(i, (key, value))| {
            // Keys mostly stand in the same order, so the same place is looked at first.
            let same = b.get(i).filter(|(other, _)| other == key);
            same.or_else(|| b.iter().find(|(other, _)| other == key))
                .is_some_and(|(_, other)| equal(&value.value, &other.value))
        })
}

/// A number as Python compares it: integers of any size exactly, also with floats.
enum Number<'a> {
    Integer(&'a str),
    Float(f64),
}

impl<'a> Number<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(Number::Integer(if *flag { "1" } else { "0" })),
            Value::Integer(digits) => Some(Number::Integer(digits)),
            Value::Float(number) => Some(Number::Float(*number)),
            _ => None,
        }
    }

    fn equals(&self, other: &Number<'_>) -> bool {
        match (self, other) {
            (Number::Integer(a), Number::Integer(b)) => a == b,
            (Number::Float(a), Number::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Number::Integer(digits), Number::Float(number)) | (Number::Float(number), Number::Integer(digits)) => {
                // A whole float prints all its digits here; `+ 0.0` turns -0 into 0.
                number.is_finite() && number.fract() == 0.0 && format!("{:.0}", number + 0.0) == *digits
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::json::parse;

    fn value(text: &str) -> Value {
        parse(text).unwrap().root.value
    }

    #[test]
    fn values_print_as_in_python() {
        let cases = [
            ("null", "None"),
            ("true", "True"),
            ("false", "False"),
            ("1e16", "1e+16"),
            ("5.0", "5.0"),
            ("-0", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e400", "inf"),
            ("NaN", "nan"),
            (r#""it's""#, "it's"),
            (r#"["it's", "a\"b", "it's \"b\"", null]"#, r#"["it's", 'a"b', 'it\'s "b"', None]"#),
            (r#"{"a": {"b": [1.50, true]}, "c": []}"#, "{'a': {'b': [1.5, True]}, 'c': []}"),
            (
                r#"["\u00a0\t\u0007\u200b\ue000\ud800é\u0301😀\udb40\udc01\\"]"#,
                "['\\xa0\\t\\x07\\u200b\\ue000\\ud800é\u{301}😀\\U000e0001\\\\']",
            ),
            (r#"["\u0301"]"#, "['\u{301}']"),
        ];
        for (json, text) in cases {
            assert_eq!(to_text(&value(json)), text, "{json}");
        }
    }

    #[test]
    fn equality_is_that_of_python() {
        let equals = [
            ("1", "1.0"),
            ("1", "true"),
            ("0.0", "false"),
            ("-0.0", "0"),
            ("NaN", "NaN"),
            ("1e22", "10000000000000000000000"),
            (r#"{"a": 1, "b": [true]}"#, r#"{"b": [1.0], "a": 1}"#),
            (r#"{"b": 2, "a": 1}"#, r#"{"a": 9, "b": 2, "a": 1}"#),
        ];
        for (a, b) in equals {
            assert!(equal(&value(a), &value(b)) && equal(&value(b), &value(a)), "{a} {b}");
        }
        let differs = [
            ("1", "\"1\""),
            ("null", "false"),
            ("1e23", "100000000000000000000000"),
            ("Infinity", "-Infinity"),
            ("0.5", "0"),
            ("[]", "{}"),
            (r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#),
            (r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "c": 2}"#),
        ];
        for (a, b) in differs {
            assert!(!equal(&value(a), &value(b)) && !equal(&value(b), &value(a)), "{a} {b}");
        }
    }
}
