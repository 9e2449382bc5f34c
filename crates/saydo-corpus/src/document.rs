//! One text of a corpus, or why it could not be read.

use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A text to apply a function to, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The input's own `id` (a string or a number) if it has one, otherwise the source.
    pub id: Value,
    /// The file it comes from, with the row's number behind a colon if the file holds several: `reviews.jsonl:3`.
    pub source: String,
    /// The text.
    pub text: String,
    /// What is asked about it, if each row has a question of its own.
    pub question: Option<String>,
}

/// Stands between a question and its text where both are one.
const QUESTION_END: char = '\u{1f}';

impl Document {
    /// The question, if there is one, and the text as one: equal only if both are.
    pub fn asked(&self) -> Cow<'_, str> {
        match &self.question {
            None => Cow::Borrowed(&self.text),
            Some(question) => Cow::Owned(format!("{}{QUESTION_END}{}", question.replace(QUESTION_END, " "), self.text)),
        }
    }

    /// Takes apart what [`Document::asked`] made of a document with a question; none if it had none.
    pub fn question_and_text(asked: &str) -> Option<(&str, &str)> {
        asked.split_once(QUESTION_END)
    }
}

/// A document that could not be read. The corpus goes on after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// The document's own id if it could be told, otherwise the source.
    pub id: Value,
    /// Where it is, as in [`Document::source`].
    pub source: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Unreadable {
    /// One whose id cannot be told.
    pub(crate) fn new(source: String, reason: impl Into<String>) -> Unreadable {
        Unreadable { id: Value::from(source.as_str()), source, reason: reason.into() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.source, self.reason)
    }
}

impl std::error::Error for Unreadable {}
