//! How text is written where it stands: as it is, or as between the quotes of a JSON string.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How text is written where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Escape {
    /// As it is.
    None,
    /// As between the quotes of a JSON string: quote, backslash and the control characters below U+0020 escaped, each
    /// in one way only (`\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`, else `\u` and four lower-case digits), all others as
    /// they are.
    Json,
}

impl Escape {
    /// The text as it is written.
    pub fn write(self, text: &str) -> Cow<'_, str> {
        if self == Escape::None || !text.chars().any(|c| self.is_escaped(c)) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            self.write_char(c, &mut out);
        }
        Cow::Owned(out)
    }

    /// The text that was written so; none if it is not how `write` writes any text.
    pub fn read(self, written: &str) -> Option<Cow<'_, str>> {
        if self == Escape::None {
            return Some(Cow::Borrowed(written));
        }
        let text: String = serde_json::from_str(&format!("\"{written}\"")).ok()?;
        (self.write(&text) == written).then_some(Cow::Owned(text))
    }

    /// Writes one character.
    pub(crate) fn write_char(self, c: char, out: &mut String) {
        match c {
            _ if !self.is_escaped(c) => out.push(c),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }

    fn is_escaped(self, c: char) -> bool {
        self == Escape::Json && (c == '"' || c == '\\' || c < ' ')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_equal_those_of_serde_json() {
        for c in (0..0x300).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let quoted = serde_json::to_string(&text).expect("a string is JSON");
            assert_eq!(format!("\"{}\"", Escape::Json.write(&text)), quoted);
            assert_eq!(Escape::Json.read(&Escape::Json.write(&text)).as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn only_the_one_way_of_writing_is_read() {
        for written in ["\"", "\\", "\\u0041", "\\/", "\\u000A", "a\nb", "\\ud800"] {
            assert_eq!(Escape::Json.read(written), None, "{written}");
        }
        assert_eq!(Escape::None.read("\\").as_deref(), Some("\\"));
    }
}
