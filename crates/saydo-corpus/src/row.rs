//! What came out for one document.

use saydo_task::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What all tasks of a run gave for one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The document's id.
    pub id: Value,
    /// Where the document comes from.
    pub source: String,
    /// The model, as it was named.
    pub model: String,
    /// One cell for each task, in the tasks' order.
    pub cells: Vec<Cell>,
}

/// What one task gave for one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Whether there is an answer.
    pub status: Status,
    /// The answer as JSON: null unless the status is `ok`.
    pub answer: Value,
    /// Every piece of the document in the answer.
    pub spans: Vec<Span>,
    /// How sure the model is, from 0 to 1, where known.
    pub confidence: Option<f64>,
    /// Into how many windows the document was split.
    pub windows: usize,
    /// Milliseconds from the first request to the last reply.
    pub ms: u64,
    /// Pieces of the reply that were left out because the document does not hold them. Kept in ledgers, not in rows.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub ungrounded: usize,
    /// The log-odds of NA that led to the answer, where they were asked for. Kept in ledgers, not in rows, to the last bit.
    #[serde(skip_serializing_if = "Option::is_none", default, with = "exact")]
    pub na_log_odds: Option<f64>,
    /// What went wrong, unless the status is `ok` or `na`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// A number as text: JSON's own numbers do not always come back to the last bit.
mod exact {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => serializer.collect_str(number),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How it went with one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// There is an answer.
    Ok,
    /// The document does not say.
    Na,
    /// The model replied, but not with an answer.
    Unparsable,
    /// There was no reply, or no document.
    Failed,
}

impl Status {
    /// Every status, in the order pages list them.
    pub const ALL: [Status; 4] = [Status::Ok, Status::Na, Status::Unparsable, Status::Failed];

    /// The word for it in rows.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Na => "na",
            Status::Unparsable => "unparsable",
            Status::Failed => "failed",
        }
    }
}

impl Row {
    /// The status of the row as a whole: the worst fault of its cells if one has a fault; `na` if none has an answer;
    /// otherwise `ok`.
    pub fn status(&self) -> Status {
        let has = |status: Status| self.cells.iter().any(|cell| cell.status == status);
        [Status::Failed, Status::Unparsable, Status::Ok].into_iter().find(|&status| has(status)).unwrap_or(Status::Na)
    }
}
