//! JSON output in the two shapes the published datasets use: indented with text unescaped, and Python's one-line
//! default (`, ` and `: `, everything beyond ASCII escaped).

use serde_json::Value;
use std::fmt::Write as _;

/// Indented by four spaces, non-ASCII text as it is, with a final line end.
pub fn to_pretty_string(value: &Value) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    serde::Serialize::serialize(value, &mut serializer).expect("a JSON value serializes into memory");
    out.push(b'\n');
    String::from_utf8(out).expect("serde_json writes UTF-8")
}

/// One line as Python's `json.dumps` writes it by default.
pub fn to_ascii_string(value: &Value) -> String {
    let mut out = String::new();
    write_ascii(value, &mut out);
    out
}

fn write_ascii(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => write_ascii_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_ascii(item, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (i, (key, item)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_ascii_string(key, out);
                out.push_str(": ");
                write_ascii(item, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn write_ascii_string(text: &str, out: &mut String) {
    out.push('"');
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
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("writing into a string cannot fail");
                }
            }
        }
    }
    out.push('"');
}
