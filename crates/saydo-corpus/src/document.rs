//! One text of a corpus.

use serde_json::Value;

/// A text to apply a function to, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The input's own `id` (a string or a number) if it has one, otherwise the source.
    pub id: Value,
    /// The file it comes from, with the row's number behind a colon if the file holds several: `reviews.jsonl:3`.
    pub source: String,
    /// The text.
    pub text: String,
}
