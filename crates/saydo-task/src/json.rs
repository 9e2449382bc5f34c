//! JSON as Python's `json` module reads it, with positions.
//!
//! The datasets and prediction files of the papers were written and read by Python, whose dialect is RFC 8259 plus
//! bare `NaN`, `Infinity` and `-Infinity`, lone surrogate escapes, and repeated keys (the last value wins, the first
//! position stays). Published Super-NaturalInstructions files use that freedom, so no stricter parser reads them all.
//! Rule P7 of docs/metrics.md.

mod string;
mod write;

use crate::node::{Node, Value};
pub use write::{to_ascii_string, to_pretty_string};

/// Deeper nesting than this is refused, so that a hostile file cannot exhaust the stack. Python gives up near 1,000.
pub const MAX_DEPTH: usize = 500;

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct SyntaxError {
    /// Byte offset at which reading failed.
    pub offset: usize,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// True when the text is nested deeper than [`MAX_DEPTH`].
    pub too_deep: bool,
}

/// A parsed text, and the keys that stood more than once in one object.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The whole document.
    pub root: Node,
    /// Repeated keys with the offset of the repetition.
    pub repeated_keys: Vec<(usize, String)>,
}

/// Parses one JSON value that fills the whole text.
///
/// ```
/// let parsed = saydo_task::json::parse(r#"{"URL": [NaN]}"#).unwrap();
/// assert!(parsed.root.get("URL").is_some());
/// ```
pub fn parse(text: &str) -> Result<Parsed, SyntaxError> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, repeated_keys: Vec::new() };
    parser.skip_space();
    let root = parser.value(0)?;
    parser.skip_space();
    if parser.at < parser.bytes.len() {
        return Err(parser.unexpected("the end of the text"));
    }
    Ok(Parsed { root, repeated_keys: parser.repeated_keys })
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    repeated_keys: Vec<(usize, String)>,
}

impl Parser<'_> {
    fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> SyntaxError {
        let offset = self.at.min(self.bytes.len());
        SyntaxError { offset, found: found.into(), expected: expected.into(), too_deep: false }
    }

    /// The next character is not what the grammar asks for.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        self.error(self.found(), expected)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// How the next character is named in a message.
    fn found(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() => format!("U+{:04X}", c as u32),
            Some(c) => format!("`{c}`"),
            None => "the end of the text".to_owned(),
        }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        if depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} levels of nesting");
            return Err(SyntaxError { too_deep: true, ..self.error("another level", expected) });
        }
        let offset = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { offset, value })
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
        ];
        for (word, value) in words {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.unexpected("a value"))
    }

    fn array(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        self.skip_space();
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                _ => return Err(self.unexpected("`,` or `]` in a list")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        self.skip_space();
        let mut entries = Entries::default();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(entries.list));
        }
        loop {
            self.skip_space();
            let key_offset = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:` after a key"));
            }
            self.at += 1;
            self.skip_space();
            let value = self.value(depth + 1)?;
            if let Some(key) = entries.insert(key, value) {
                self.repeated_keys.push((key_offset, key));
            }
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(entries.list));
                }
                _ => return Err(self.unexpected("`,` or `}` in an object")),
            }
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    /// A number is the longest prefix that fits the grammar; what follows it is judged by the caller.
    fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.bytes[self.at..].starts_with(b"Infinity") {
                self.at += "Infinity".len();
                return Ok(Value::Float(f64::NEG_INFINITY));
            }
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if self.digits() == 0 {
            return Err(self.unexpected("a digit"));
        }
        let mut is_float = self.optional(|parser| {
            parser.at += 1;
            parser.bytes[parser.at - 1] == b'.' && parser.digits() > 0
        });
        is_float |= self.optional(|parser| {
            let marker = parser.bytes[parser.at];
            parser.at += 1;
            if matches!(parser.peek(), Some(b'+' | b'-')) {
                parser.at += 1;
            }
            matches!(marker, b'e' | b'E') && parser.digits() > 0
        });
        let text = &self.text[start..self.at];
        if is_float {
            return Ok(Value::Float(text.parse().expect("the grammar of JSON floats is a part of Rust's")));
        }
        Ok(Value::Integer(if text == "-0" { "0".to_owned() } else { text.to_owned() }))
    }

    /// Runs `part` if there is a next byte, and goes back to where it was unless `part` says it matched.
    fn optional(&mut self, part: impl Fn(&mut Self) -> bool) -> bool {
        let start = self.at;
        let matched = self.peek().is_some() && part(self);
        if !matched {
            self.at = start;
        }
        matched
    }
}

/// The entries of one object while it is read. Past a few keys it keeps an index, so that a hostile object with a
/// million keys costs no more than its length.
#[derive(Default)]
struct Entries {
    list: Vec<(String, Node)>,
    index: std::collections::HashMap<String, usize>,
}

impl Entries {
    const INDEX_FROM: usize = 24;

    /// Adds an entry; returns the key if it was there already (its place stays, its value is the new one).
    fn insert(&mut self, key: String, value: Node) -> Option<String> {
        if let Some(position) = self.position(&key) {
            self.list[position].1 = value;
            return Some(key);
        }
        self.list.push((key, value));
        if self.list.len() == Self::INDEX_FROM {
            self.index = self.list.iter().enumerate().map(|(i, (key, _))| (key.clone(), i)).collect();
        } else if self.list.len() > Self::INDEX_FROM {
            self.index.insert(self.list[self.list.len() - 1].0.clone(), self.list.len() - 1);
        }
        None
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.list.len() < Self::INDEX_FROM {
            self.list.iter().position(|(name, _)| name == key)
        } else {
            self.index.get(key).copied()
        }
    }
}

#[cfg(test)]
mod tests;
