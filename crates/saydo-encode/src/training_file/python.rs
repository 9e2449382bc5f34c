//! Values as Python prints them: the released T5 files hold lists of answers in this form.

use saydo_task::node::{Node, Value};
use std::fmt::Write as _;

/// What `str` gives for a value that is not a text: a Python literal.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Integer(digits) => digits.clone(),
        Value::Float(value) => float(*value),
        Value::String(text) => string(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| literal(&item.value)).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, node): &(String, Node)| format!("{}: {}", string(key), literal(&node.value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The shortest digits that read back, positional for decimal exponents from -4 to 15, else scientific.
pub(super) fn float(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string().to_lowercase();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').expect("scientific notation has an exponent");
    match exponent.parse::<i32>().expect("an exponent of f64 is a small integer") {
        -4..16 => format!("{value:?}"),
        exponent => format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()),
    }
}

/// In single quotes, or in double ones if that saves escaping. Printable characters stay as they are.
fn string(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if c == quote => out.extend(['\\', c]),
            _ if is_printable(c) => out.push(c),
            _ => push_escaped(c, &mut out),
        }
    }
    out.push(quote);
    out
}

fn push_escaped(c: char, out: &mut String) {
    let code = lone_surrogate(c).map_or(u32::from(c), u32::from);
    match code {
        0..=0xFF => write!(out, "\\x{code:02x}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    }
    .expect("writing into a string cannot fail");
}

/// Python's rule, and that of Rust's debug escapes too: all but controls, formats, unassigned and private characters
/// and separators other than the space. Rust also escapes a combining mark at the start of a text, hence the letter.
fn is_printable(c: char) -> bool {
    !c.is_control() && !format!("a{c}").escape_debug().to_string().starts_with("a\\u{")
}

/// The surrogate that stood alone in JSON, if the character is the private-use stand-in that the JSON reader gives it.
pub(super) fn lone_surrogate(c: char) -> Option<u16> {
    u16::try_from(u32::from(c).wrapping_sub(0x10_0000)).ok().filter(|unit| (0xD800..0xE000).contains(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(json: &str) -> String {
        literal(&saydo_task::json::parse(json).unwrap().root.value)
    }

    #[test]
    fn quotes_are_chosen_to_save_escapes() {
        assert_eq!(printed(r#"["a", "b's", "say \"hi\"", "b's \"hi\""]"#), r#"['a', "b's", 'say "hi"', 'b\'s "hi"']"#);
    }

    #[test]
    fn only_characters_that_do_not_print_are_escaped() {
        assert_eq!(printed(r#""naïve 犬 e\u0301 {} ½""#), "'naïve 犬 e\u{301} {} ½'");
        assert_eq!(
            printed(r#""\n\r\t\\\u0000\u007f\u00a0\u00ad\u200b\u2028\ufeff\ue000""#),
            r"'\n\r\t\\\x00\x7f\xa0\xad\u200b\u2028\ufeff\ue000'"
        );
        assert_eq!(printed("\"\u{f0000}\u{301}\u{1F986}\""), "'\\U000f0000\u{301}\u{1F986}'");
        assert_eq!(printed(r#""\udc00""#), r"'\udc00'");
    }

    #[test]
    fn other_values_are_python_literals() {
        assert_eq!(
            printed(r#"[null, true, false, 12, 1.0, 1e-7, NaN, -Infinity, {"k": []}]"#),
            "[None, True, False, 12, 1.0, 1e-07, nan, -inf, {'k': []}]"
        );
    }
}
