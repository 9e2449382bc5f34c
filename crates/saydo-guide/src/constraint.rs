//! What a reply may look like, as a small language of parts, with the common forms in one line each.

use crate::Escape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The set of texts a reply may be.
///
/// ```
/// use saydo_guide::Constraint;
///
/// let document: std::sync::Arc<str> = "Lehamite Falls is a hike; Bridalveil Fall is paved.".into();
/// let labels = Constraint::labels(["yes", "no", "NA"]);
/// let spans = Constraint::spans(document.clone(), "; ", 8).or("NA");
/// let records = Constraint::records(
///     [
///         ("waterfall hike", Constraint::json_piece(document)),
///         ("wheelchair accessible", Constraint::json_labels(["yes", "no", "NA"])),
///     ],
///     1,
///     20,
/// );
/// # let _ = (labels, spans, records);
/// ```
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
        /// What is repeated. It may be empty only if the separator is not.
        item: Box<Constraint>,
        /// What stands between two items.
        separator: String,
        /// The least number of items.
        min: usize,
        /// The greatest number of items; `usize::MAX` for no bound.
        max: usize,
    },
    /// A piece of this text: one or more consecutive characters of it that neither start nor end inside a word, and
    /// neither start nor end with white space. Words are those of Unicode Standard Annex 29; in scripts that are
    /// written without spaces, or join particles to words (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese), a
    /// piece may start and end at any character. A character here is a grapheme cluster: an emoji with its modifiers
    /// or a letter with its accents is never cut.
    PieceOf {
        /// The text, usually the input.
        text: Arc<str>,
        /// How the piece is written in the reply.
        escape: Escape,
    },
    /// Free text: one or more characters, none of them a control character, so all on one line.
    Line {
        /// The greatest number of characters (Unicode scalar values, before escaping).
        max_chars: usize,
        /// How the text is written in the reply.
        escape: Escape,
    },
    /// A decimal number as in JSON, without an exponent: up to 15 digits before the point and up to 15 after it.
    Number,
    /// JSON that a JSON Schema accepts, written with `, ` and `: ` as separators and no other white space. It must be
    /// the whole reply, or an alternative for the whole reply.
    Json(serde_json::Value),
}

impl Constraint {
    /// One of these labels.
    pub fn labels(labels: impl IntoIterator<Item = impl Into<String>>) -> Constraint {
        Constraint::OneOf(labels.into_iter().map(|label| Constraint::Text(label.into())).collect())
    }

    /// One to `max` pieces of the text with `separator` between.
    pub fn spans(text: impl Into<Arc<str>>, separator: impl Into<String>, max: usize) -> Constraint {
        let piece = Constraint::PieceOf { text: text.into(), escape: Escape::None };
        Constraint::Repeat { item: Box::new(piece), separator: separator.into(), min: 1, max }
    }

    /// This, or the other.
    pub fn or(self, other: impl Into<Constraint>) -> Constraint {
        match self {
            Constraint::OneOf(mut parts) => {
                parts.push(other.into());
                Constraint::OneOf(parts)
            }
            part => Constraint::OneOf(vec![part, other.into()]),
        }
    }

    /// A JSON string that is a piece of the text.
    pub fn json_piece(text: impl Into<Arc<str>>) -> Constraint {
        quoted(Constraint::PieceOf { text: text.into(), escape: Escape::Json })
    }

    /// A JSON string that is one of these labels.
    pub fn json_labels(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Constraint {
        Constraint::OneOf(labels.into_iter().map(|label| json_text(label.as_ref())).collect())
    }

    /// A JSON string of one to `max_chars` characters, none of them a control character.
    pub fn json_line(max_chars: usize) -> Constraint {
        quoted(Constraint::Line { max_chars, escape: Escape::Json })
    }

    /// A JSON object with exactly these fields in this order. A value is a constraint on the JSON of that value.
    pub fn object(fields: impl IntoIterator<Item = (impl AsRef<str>, Constraint)>) -> Constraint {
        let mut parts = vec![];
        for (name, value) in fields {
            let before = if parts.is_empty() { "{" } else { ", " };
            parts.push(Constraint::Text(format!("{before}\"{}\": ", Escape::Json.write(name.as_ref()))));
            parts.push(value);
        }
        parts.push(Constraint::Text(if parts.is_empty() { "{}" } else { "}" }.into()));
        Constraint::Sequence(parts)
    }

    /// A JSON list of `min` to `max` items.
    pub fn list(item: Constraint, min: usize, max: usize) -> Constraint {
        let items = Constraint::Repeat { item: Box::new(item), separator: ", ".into(), min, max };
        Constraint::Sequence(vec!["[".into(), items, "]".into()])
    }

    /// A JSON list of `min` to `max` objects, each with exactly these fields in this order.
    pub fn records(
        fields: impl IntoIterator<Item = (impl AsRef<str>, Constraint)>,
        min: usize,
        max: usize,
    ) -> Constraint {
        Constraint::list(Constraint::object(fields), min, max)
    }
}

impl From<&str> for Constraint {
    fn from(text: &str) -> Constraint {
        Constraint::Text(text.into())
    }
}

impl From<String> for Constraint {
    fn from(text: String) -> Constraint {
        Constraint::Text(text)
    }
}

fn quoted(inner: Constraint) -> Constraint {
    Constraint::Sequence(vec!["\"".into(), inner, "\"".into()])
}

fn json_text(text: &str) -> Constraint {
    Constraint::Text(format!("\"{}\"", Escape::Json.write(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_survive_serialization() {
        let constraint = Constraint::records(
            [("a \"name\"", Constraint::json_piece("x y")), ("kind", Constraint::json_labels(["yes", "no"]))],
            0,
            usize::MAX,
        )
        .or("NA")
        .or(Constraint::Number);
        let written = serde_json::to_string(&constraint).expect("a constraint is JSON");
        assert_eq!(serde_json::from_str::<Constraint>(&written).expect("it was just written"), constraint);
    }

    #[test]
    fn an_object_without_fields_is_two_braces() {
        let none: [(&str, Constraint); 0] = [];
        assert_eq!(Constraint::object(none), Constraint::Sequence(vec!["{}".into()]));
    }
}
