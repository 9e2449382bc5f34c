//! The settings of a project.

use crate::failure::{Answered, Failure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How a project goes about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// What the questions are about: national parks, dog breeds. Default: one domain, `documents`.
    pub(crate) domains: Vec<String>,
    /// Annotators for each pair of question and passage. Default: 3, as in ZEST.
    pub(crate) annotators: u32,
    /// The same where answers are records. Default: 5, as in ZEST.
    pub(crate) annotators_of_records: u32,
    /// Passages for each question. Default: 20.
    pub(crate) passages: u32,
    /// The greatest share of passages from one document. Default: 0.05.
    pub(crate) entity_share: f64,
    /// Qualification items that must be right before other work is given; 0 for none. Default: 0.
    pub(crate) qualification: u32,
    /// Whether annotators see what the model would answer. Default: no.
    pub(crate) suggestions: bool,
    /// Fixes every draw. Default: 0.
    pub(crate) seed: u32,
    /// The run whose outputs are judged, by name; only for judging.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    /// Whether the run's errors are sorted by a code book instead; only for judging.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) errors: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            domains: vec!["documents".to_owned()],
            annotators: 3,
            annotators_of_records: 5,
            passages: 20,
            entity_share: 0.05,
            qualification: 0,
            suggestions: false,
            seed: 0,
            run: None,
            errors: false,
        }
    }
}

impl Settings {
    /// Whether they can be kept.
    pub(crate) fn check(&self) -> Answered<()> {
        let counts = [self.annotators, self.annotators_of_records, self.passages];
        if counts.iter().any(|count| !(1..=1000).contains(count)) {
            return Err(Failure::bad("expected 1 to 1000 annotators and passages"));
        }
        if !(self.entity_share > 0.0 && self.entity_share <= 1.0) {
            return Err(Failure::bad(format!(
                "the share of a document is {}, expected above 0 and up to 1",
                self.entity_share
            )));
        }
        if self.domains.is_empty() || self.domains.iter().any(|domain| domain.trim().is_empty()) {
            return Err(Failure::bad("expected at least one domain, each with a name"));
        }
        Ok(())
    }
}

/// Their schema.
pub(crate) fn schema() -> Value {
    let count = json!({"type": "integer", "minimum": 1, "maximum": 1000});
    json!({
        "type": "object",
        "properties": {
            "domains": {"type": "array", "items": crate::schema::some_text(), "minItems": 1},
            "annotators": count,
            "annotators_of_records": count,
            "passages": count,
            "entity_share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            "qualification": {"type": "integer", "minimum": 0, "maximum": 1000},
            "suggestions": {"type": "boolean"},
            "seed": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
        },
        "additionalProperties": false,
    })
}
