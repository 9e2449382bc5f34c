//! The settings of a project.

use crate::failure::{Answered, Failure};
use crate::work::Step;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
    /// What workers of a crowd platform must have shown. Default: as in ZEST.
    pub(crate) requirements: Requirements,
    /// What an answer is paid in USD, by step. Default: nothing.
    pub(crate) rewards: BTreeMap<String, f64>,
    /// What the platform takes of that. Default: 0.2, Mechanical Turk's.
    pub(crate) fee: f64,
    /// The license of a release: an SPDX identifier. Default: CC-BY-4.0.
    pub(crate) license: String,
    /// Submissions of a person to a leaderboard in a day. Default: 3.
    pub(crate) per_day: u32,
    /// The leaderboard whose tasks people answer, by its number; only for projects of people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<i64>,
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

/// What a crowd platform asks of workers before they are given work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Requirements {
    /// The least share of approved assignments, in percent; 0 for any. Default: 99.
    pub(crate) approval: u32,
    /// The least number of approved assignments; 0 for any. Default: 5000.
    pub(crate) approved: u32,
    /// Two letters of the country that workers are in; empty for any. Default: US.
    pub(crate) country: String,
    /// The share of a test's questions that must be right, in percent. Default: 80.
    pub(crate) pass_mark: u32,
    /// The platform's id of a test of our own; empty for none.
    pub(crate) test: String,
}

impl Default for Requirements {
    fn default() -> Self {
        Self { approval: 99, approved: 5000, country: "US".to_owned(), pass_mark: 80, test: String::new() }
    }
}

impl Requirements {
    /// What workers had to show, in words.
    pub(crate) fn in_words(&self, right: u32) -> Vec<String> {
        let mut shown = Vec::new();
        if right > 0 {
            shown.push(format!("{right} questions of a test answered rightly"));
        }
        if !self.test.is_empty() {
            let (mark, approval, approved) = (self.pass_mark, self.approval, self.approved);
            shown.push(format!(
                "on the crowd platform, {mark}% of a test, {approval}% of {approved} assignments approved"
            ));
        }
        shown
    }

    fn check(&self) -> Answered<()> {
        if self.approval > 100 || self.pass_mark > 100 {
            return Err(Failure::bad("expected shares of 0 to 100 percent"));
        }
        let is_country = self.country.len() == 2 && self.country.bytes().all(|byte| byte.is_ascii_uppercase());
        if !self.country.is_empty() && !is_country {
            return Err(Failure::bad(format!(
                "the country is {:?}, expected two capital letters such as US",
                self.country
            )));
        }
        let is_id = self.test.len() <= 100 && self.test.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Err(Failure::bad(format!("the test is {:?}, expected the platform's id of it", self.test)));
        }
        Ok(())
    }
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
            requirements: Requirements::default(),
            rewards: BTreeMap::new(),
            fee: 0.2,
            license: "CC-BY-4.0".to_owned(),
            per_day: 3,
            board: None,
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
        let is_amount = |amount: &f64| (0.0..=1000.0).contains(amount);
        if let Some(step) = self.rewards.keys().find(|name| Step::named(name).is_err()) {
            return Err(Failure::bad(format!("there is no step {step:?} to pay for")));
        }
        if !self.rewards.values().all(is_amount) || !(0.0..=1.0).contains(&self.fee) {
            return Err(Failure::bad("expected rewards of 0 to 1000 and a fee of 0 to 1"));
        }
        if !(1..=1000).contains(&self.per_day) {
            return Err(Failure::bad(format!("{} submissions a day, expected 1 to 1000", self.per_day)));
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || "-.+".contains(c);
        if self.license.is_empty() || !self.license.chars().all(fits) {
            let found = &self.license;
            return Err(Failure::bad(format!(
                "the license is {found:?}, expected an SPDX identifier such as CC-BY-4.0"
            )));
        }
        self.requirements.check()
    }
}

/// Their schema.
pub(crate) fn schema() -> Value {
    let count = json!({"type": "integer", "minimum": 1, "maximum": 1000});
    let percent = json!({"type": "integer", "minimum": 0, "maximum": 100});
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
            "requirements": {
                "type": "object",
                "properties": {
                    "approval": percent, "approved": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                    "country": {"type": "string", "pattern": "^([A-Z]{2})?$"}, "pass_mark": percent,
                    "test": {"type": "string", "pattern": "^[0-9A-Za-z]*$", "maxLength": 100},
                },
                "additionalProperties": false,
            },
            "rewards": {
                "type": "object",
                "propertyNames": {"enum": Step::ALL.map(Step::name)},
                "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1000},
            },
            "fee": {"type": "number", "minimum": 0, "maximum": 1},
            "license": {"type": "string", "pattern": "^[0-9A-Za-z.+-]+$"},
            "per_day": count,
        },
        "additionalProperties": false,
    })
}
