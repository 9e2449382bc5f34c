//! One annotator's answer to a question about a passage.

use super::Asked;
use crate::failure::{Answered, Failure};
use saydo_metrics::python::Random;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What stands between the pieces of an answer that has several: ZEST's scorer takes answers apart there, and so do lint and
/// all that reads task files. A piece that holds one itself cannot be told from two.
const BETWEEN: &str = "|";

/// The longest free answer, in characters.
const MOST_TEXT: usize = 5000;

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Given {
    /// The passage does not say.
    Na,
    /// Yes.
    Yes,
    /// No.
    No,
    /// Pieces of the passage.
    Spans {
        /// The pieces.
        spans: Vec<Piece>,
    },
    /// Records; a field without a value is null.
    Records {
        /// The records, each with every field.
        records: Vec<Map<String, Value>>,
    },
    /// Free text.
    Text {
        /// The text.
        text: String,
    },
}

/// A piece of the passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Piece {
    /// Where it starts, in characters.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// What stands there.
    pub(crate) text: String,
}

impl Given {
    /// An answer as an annotator's page sends it.
    pub(super) fn parse(value: Value) -> Answered<Self> {
        serde_json::from_value(value).map_err(|error| Failure::bad(format!("the answer does not fit: {error}")))
    }

    /// An answer as the state keeps it.
    pub(crate) fn kept(text: &str) -> Answered<Self> {
        serde_json::from_str(text).map_err(Failure::internal)
    }

    /// Whether it answers what was asked: the right kind, and nothing that the passage does not hold.
    pub(super) fn check(&self, asked: &Asked) -> Answered<()> {
        let wrong = |expected: &str| Err(Failure::bad(format!("expected {expected} or NA as the answer")));
        match (self, asked.kind.as_str()) {
            (Given::Na, _) | (Given::Yes | Given::No, "yes-no") => Ok(()),
            (Given::Spans { spans }, "spans") => check_spans(spans, &asked.passage),
            (Given::Records { records }, "records") => check_records(records, asked),
            (Given::Text { text }, "text") => check_text(text),
            (_, "yes-no") => wrong("yes, no"),
            (_, "spans") => wrong("pieces of the passage"),
            (_, "text") => wrong("text"),
            _ => wrong("records"),
        }
    }

    /// The answer as ZEST's files have it.
    pub(super) fn text(&self) -> String {
        match self {
            Given::Na => "n/a".to_owned(),
            Given::Yes => "yes".to_owned(),
            Given::No => "no".to_owned(),
            Given::Spans { spans } => {
                let mut spans = spans.clone();
                spans.sort_by_key(|piece| (piece.start, piece.end));
                spans.into_iter().map(|piece| piece.text).collect::<Vec<_>>().join(BETWEEN)
            }
            Given::Records { records } => json!(records).to_string(),
            Given::Text { text } => text.trim().to_owned(),
        }
    }

    /// How many of its pieces would be read as several, since they hold what stands between pieces.
    pub(super) fn ambiguous(&self) -> usize {
        match self {
            Given::Spans { spans } => spans.iter().filter(|piece| piece.text.contains(BETWEEN)).count(),
            _ => 0,
        }
    }

    /// What must be the same for two answers to be the same: case and space do not count, nor does the order of records.
    pub(crate) fn label(&self) -> String {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        match self {
            Given::Records { records } => {
                let mut lines: Vec<String> = records.iter().map(|record| plain(&json!(record).to_string())).collect();
                lines.sort_unstable();
                lines.join("\n")
            }
            other => plain(&other.text()),
        }
    }
}

fn check_text(text: &str) -> Answered<()> {
    match text.trim().chars().count() {
        1..=MOST_TEXT => Ok(()),
        found => Err(Failure::bad(format!("the answer has {found} characters, expected 1 to {MOST_TEXT}"))),
    }
}

fn check_spans(spans: &[Piece], passage: &str) -> Answered<()> {
    if spans.is_empty() || spans.len() > 50 {
        return Err(Failure::bad("expected 1 to 50 pieces of the passage; NA if it does not say"));
    }
    let characters: Vec<char> = passage.chars().collect();
    for piece in spans {
        let found: Option<String> = characters.get(piece.start..piece.end).map(|found| found.iter().collect());
        if found.as_deref() != Some(piece.text.as_str()) || piece.text.trim().is_empty() {
            return Err(Failure::bad(format!("{:?} does not stand at {} in the passage", piece.text, piece.start)));
        }
    }
    Ok(())
}

fn check_records(records: &[Map<String, Value>], asked: &Asked) -> Answered<()> {
    if records.is_empty() || records.len() > 50 {
        return Err(Failure::bad("expected 1 to 50 records; NA if the passage does not say"));
    }
    for record in records {
        let names: Vec<&str> = asked.fields.iter().map(|field| field.name.as_str()).collect();
        if record.len() != names.len() || names.iter().any(|name| !record.contains_key(*name)) {
            return Err(Failure::bad(format!("expected the fields {} in every record", names.join(", "))));
        }
        for field in &asked.fields {
            let is_right = match (&record[&field.name], field.kind.as_str()) {
                (Value::Null, _) => true,
                (Value::String(text), "yes-no") => text == "yes" || text == "no",
                (Value::String(text), "label") => field.labels.iter().any(|label| label.trim() == text),
                (Value::String(text), "span") => !text.trim().is_empty() && asked.passage.contains(text.as_str()),
                (Value::String(text), _) => !text.trim().is_empty(),
                _ => false,
            };
            if !is_right {
                let (name, kind) = (&field.name, &field.kind);
                return Err(Failure::bad(format!(
                    "the field {name:?} holds {}, expected {kind} or nothing",
                    record[name]
                )));
            }
        }
        if record.values().all(Value::is_null) {
            return Err(Failure::bad("a record without any value says nothing; remove it"));
        }
    }
    Ok(())
}

/// The random numbers of a project, for a stream of draws of its own.
pub(super) fn random(seed: u32, stream: u32) -> Random {
    Random::seeded(seed.wrapping_mul(31).wrapping_add(stream))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::draft::DraftField;

    pub(crate) fn spans(passage: &str, texts: &[&str]) -> Given {
        let piece = |text: &&str| {
            let start = passage[..passage.find(text).unwrap()].chars().count();
            Piece { start, end: start + text.chars().count(), text: (*text).to_owned() }
        };
        Given::Spans { spans: texts.iter().map(piece).collect() }
    }

    fn asked(kind: &str) -> Asked {
        let field =
            |name: &str, kind: &str| DraftField { name: name.to_owned(), kind: kind.to_owned(), labels: Vec::new() };
        Asked {
            question: "q".to_owned(),
            kind: kind.to_owned(),
            fields: vec![field("hike", "span"), field("open", "yes-no")],
            entity: "e".to_owned(),
            passage: "Zürich: hike to Lehamite Falls.".to_owned(),
            suggestions: false,
        }
    }

    #[test]
    fn spans_must_stand_where_they_say() {
        let right = spans(&asked("spans").passage, &["Lehamite Falls"]);
        assert_eq!(right.check(&asked("spans")), Ok(()));
        let wrong = Given::Spans { spans: vec![Piece { start: 0, end: 14, text: "Lehamite Falls".to_owned() }] };
        assert!(wrong.check(&asked("spans")).is_err());
        let beyond = Given::Spans { spans: vec![Piece { start: 20, end: 900, text: "x".to_owned() }] };
        assert!(beyond.check(&asked("spans")).is_err());
        let backwards = Given::Spans { spans: vec![Piece { start: 9, end: 3, text: String::new() }] };
        assert!(backwards.check(&asked("spans")).is_err());
    }

    #[test]
    fn records_hold_the_fields_and_only_text_of_the_passage() {
        let records =
            |value: Value| Given::parse(json!({"is": "records", "records": value})).unwrap().check(&asked("records"));
        assert_eq!(records(json!([{"hike": "Lehamite Falls", "open": null}])), Ok(()));
        assert!(records(json!([{"hike": "Half Dome", "open": null}])).is_err());
        assert!(records(json!([{"hike": "Lehamite Falls"}])).is_err());
        assert!(records(json!([{"hike": null, "open": null}])).is_err());
        assert!(records(json!([{"hike": null, "open": "maybe"}])).is_err());
    }

    #[test]
    fn several_pieces_stand_as_zests_scorer_takes_them_apart() {
        let passage = "Upper Fall, Lower Fall and Gate A|B.";
        assert_eq!(spans(passage, &["Lower Fall", "Upper Fall"]).text(), "Upper Fall|Lower Fall");
        assert_eq!(spans(passage, &["Lower Fall", "Upper Fall"]).ambiguous(), 0);
        assert_eq!(spans(passage, &["Gate A|B"]).ambiguous(), 1);
    }

    #[test]
    fn kinds_do_not_mix() {
        assert!(Given::Yes.check(&asked("spans")).is_err());
        assert_eq!(Given::Na.check(&asked("records")), Ok(()));
        assert!(Given::parse(json!({"is": "perhaps"})).is_err());
    }
}
