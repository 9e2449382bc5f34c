//! JSON strings: escapes, surrogate pairs, and what Python accepts beyond the standard.

use super::{Parser, SyntaxError};

/// Lone surrogates are moved here, into private use, because a Rust string cannot hold them. The characters behave
/// alike in every rule we apply: neither letters, digits, space nor punctuation, and unchanged by lower-casing.
const LONE_SURROGATE_BASE: u32 = 0x10_0000;

impl Parser<'_> {
    /// Reads the string whose opening quote is the next byte.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        let opening = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.bytes[self.at..];
            let Some(plain) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = opening;
                return Err(self.error("the end of the text inside a string", "a closing `\"`"));
            };
            if let Some(control) = rest[..plain].iter().position(|byte| *byte < 0x20) {
                self.at += control;
                return Err(self.error(format!("{} inside a string", self.found()), "it escaped"));
            }
            out.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain + 1;
            if rest[plain] == b'"' {
                return Ok(out);
            }
            out.push(self.escape()?);
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let escaped = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error(format!("{} after a backslash", self.found()), "an escape")),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn unicode_escape(&mut self) -> Result<char, SyntaxError> {
        let high = self.hex4(self.at + 1)?;
        self.at += 5;
        if (0xD800..0xDC00).contains(&high)
            && self.bytes[self.at..].starts_with(b"\\u")
            && let Ok(low @ 0xDC00..0xE000) = self.hex4(self.at + 2)
        {
            self.at += 6;
            let scalar = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            return Ok(char::from_u32(scalar).expect("a surrogate pair encodes a scalar value"));
        }
        let scalar = if (0xD800..0xE000).contains(&high) { LONE_SURROGATE_BASE + high } else { high };
        Ok(char::from_u32(scalar).expect("surrogates were moved to private use"))
    }

    fn hex4(&self, at: usize) -> Result<u32, SyntaxError> {
        self.bytes
            .get(at..at + 4)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
            .ok_or_else(|| self.error("a broken escape", "`\\u` and four hexadecimal digits"))
    }
}
