//! JSON on one line as Python's `json.dumps` writes it by default: `, ` and `: ` between parts, ASCII only.
//!
//! It writes the positioned tree because only that holds what Python reads: integers of any size, `NaN`, lone
//! surrogates.

use super::python::{self, lone_surrogate};
use saydo_task::node::Value;
use std::fmt::Write as _;

pub(super) fn to_ascii_string(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(digits) => digits.clone(),
        Value::Float(value) => float(*value),
        Value::String(text) => string(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| to_ascii_string(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, node): &(String, saydo_task::node::Node)| {
                format!("{}: {}", string(key), to_ascii_string(&node.value))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn float(value: f64) -> String {
    match value {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if value.is_nan() => "NaN".to_owned(),
        _ => python::float(value),
    }
}

fn string(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => push_escaped(c, &mut out),
        }
    }
    out.push('"');
    out
}

fn push_escaped(c: char, out: &mut String) {
    let mut units = [0; 2];
    let units = match lone_surrogate(c) {
        Some(unit) => &[unit][..],
        None => c.encode_utf16(&mut units),
    };
    for unit in units {
        write!(out, "\\u{unit:04x}").expect("writing into a string cannot fail");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saydo_task::json::parse;

    fn written(text: &str) -> String {
        to_ascii_string(&parse(text).unwrap().root.value)
    }

    #[test]
    fn values_are_written_as_python_writes_them() {
        assert_eq!(written(r#"[{"a":1,"b":[null,true,-0]},[],{}]"#), r#"[{"a": 1, "b": [null, true, 0]}, [], {}]"#);
        assert_eq!(written("[123456789012345678901234567890]"), "[123456789012345678901234567890]");
        assert_eq!(written("[5.0,1e16,1e-5,0.1,NaN,-Infinity]"), "[5.0, 1e+16, 1e-05, 0.1, NaN, -Infinity]");
    }

    #[test]
    fn texts_are_escaped_to_ascii() {
        assert_eq!(
            written(r#""é\u2013😀\/\"\\\b\f\n\r\t\u0000""#),
            r#""\u00e9\u2013\ud83d\ude00/\"\\\b\f\n\r\t\u0000""#
        );
        assert_eq!(written("\"\u{7f}\""), r#""\u007f""#);
        assert_eq!(written(r#""\ud800x""#), r#""\ud800x""#);
    }

    proptest! {
        #[test]
        fn any_text_reads_back_equal(text in any::<String>()) {
            let json = string(&text);
            prop_assert!(json.is_ascii());
            prop_assert_eq!(parse(&json).unwrap().root.value, Value::String(text));
        }
    }
}
