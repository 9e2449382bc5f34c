//! A parsed document as a tree that remembers where each value stood.
//!
//! Every task format (JSON, JSON Lines, TOML) is parsed into this tree first, so that one set of typed
//! accessors serves all readers and every problem can name its line. It is separate from `serde_json::Value`
//! because that type keeps no positions and cannot hold what the published files contain (bare `NaN`).

/// A value and the byte offset at which it starts in its document.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Byte offset of the value's first character.
    pub offset: usize,
    /// The value itself.
    pub value: Value,
}

/// What a [`Node`] holds. Object keys keep the order of the document.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of any size, as its canonical decimal text.
    Integer(String),
    /// A floating-point number; JSON's `NaN` and infinities as Python writes them included.
    Float(f64),
    /// A string. A lone surrogate escape is held as the private-use character at 0x10_0000 above it.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// An object: each key once, in the order of first appearance.
    Object(Vec<(String, Node)>),
}

impl Value {
    /// What this value is called in messages: `a string`, `an object`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

impl Node {
    /// The value under `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// The entries, if this is an object.
    pub fn as_object(&self) -> Option<&[(String, Node)]> {
        match &self.value {
            Value::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The elements, if this is a list.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}
