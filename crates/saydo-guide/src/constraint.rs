//! What a reply may look like, as a small language of parts.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The set of texts a reply may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// Exactly this text.
    Text(String),
    /// One of these.
    OneOf(Vec<Constraint>),
    /// These, one after the other.
    Sequence(Vec<Constraint>),
    /// `item` so many times, with `separator` between.
    Repeat {
        /// What is repeated.
        item: Box<Constraint>,
        /// What stands between two items.
        separator: String,
        /// The least number of items.
        min: usize,
        /// The greatest number of items.
        max: usize,
    },
    /// A piece of this text: one or more consecutive characters of it that neither start nor end inside a word, and
    /// neither start nor end with white space.
    PieceOf {
        /// The text, usually the input.
        text: Arc<str>,
        /// How the piece is written in the reply.
        escape: Escape,
    },
    /// JSON that a JSON Schema accepts.
    Json(serde_json::Value),
}

/// How text is written where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Escape {
    /// As it is.
    None,
    /// As between the quotes of a JSON string.
    Json,
}
