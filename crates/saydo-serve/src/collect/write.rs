//! What people write in the first five steps.

use super::distance::{LARGE, changed};
use super::question::NewQuestion;
use crate::draft::{self, DraftField};
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::work::{Item, Step};
use rusqlite::Connection;
use saydo_task::Generalization;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an item of a writing step shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Prompted {
    pub(super) domain: String,
    /// The questions to start from: none, one, or three.
    #[serde(default)]
    pub(super) questions: Vec<Original>,
}

/// A question to start from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Original {
    pub(super) id: i64,
    pub(super) text: String,
    pub(super) kind: String,
}

/// What was written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    question: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    picked: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<DraftField>,
    /// Whether a large change is meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    sure: bool,
}

/// Checks a question and keeps it.
pub(super) fn accept(
    db: &Connection,
    item: &Item,
    annotator: &Annotator,
    value: Value,
    kind: Option<&'static str>,
    now: i64,
) -> Answered<Value> {
    let written: Written =
        serde_json::from_value(value).map_err(|error| Failure::bad(format!("the answer does not fit: {error}")))?;
    let prompted: Prompted = serde_json::from_value(item.payload.clone()).map_err(Failure::internal)?;
    let (generalization, kind, derives_from) = derived(item.step, &written, kind, &prompted)?;
    let mut fields = Vec::new();
    if item.step == Step::Structure {
        draft::fields(written.fields.clone())?;
        let trimmed = |field: &DraftField| DraftField { name: field.name.trim().to_owned(), ..field.clone() };
        fields = written.fields.iter().map(trimmed).collect();
    }
    let question = NewQuestion {
        project: item.project,
        generalization,
        domain: &prompted.domain,
        text: &written.question,
        kind,
        fields: &fields,
        derives_from: &derives_from,
        author: &annotator.name,
    };
    question.insert(db, now)?;
    serde_json::to_value(written).map_err(Failure::internal)
}

/// How far a flipped question is from its original.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    /// The share of words that differ.
    pub(crate) changed: f64,
    /// Whether that is more than a flip changes.
    pub(crate) is_large: bool,
    /// The kind of answer that the original asks for.
    kind: String,
    /// The kind that the words of the new question seem to ask for.
    reads_as: &'static str,
}

impl Change {
    pub(super) fn of(original: &Original, text: &str, reads_as: &'static str) -> Self {
        let changed = changed(&original.text, text);
        Self { changed, is_large: changed > LARGE, kind: original.kind.clone(), reads_as }
    }

    /// Why it may be no flip.
    fn doubt(&self) -> Option<String> {
        let named = |kind: &str| if kind == "yes-no" { "yes or no" } else { "words of the text" };
        if self.kind != self.reads_as {
            let (own, new) = (named(&self.kind), named(self.reads_as));
            return Some(format!(
                "a flip keeps the kind of answer: the original is answered with {own}, yours with {new}"
            ));
        }
        let percent = 100.0 * self.changed;
        self.is_large.then(|| format!("a flip changes a few words: yours differs in {percent:.0}% of them"))
    }
}

/// How far what somebody is writing is from what they start from.
pub(crate) fn change(item: &Item, text: &str, reads_as: &'static str) -> Answered<Change> {
    let prompted: Prompted = serde_json::from_value(item.payload.clone()).map_err(Failure::internal)?;
    match (item.step, prompted.questions.as_slice()) {
        (Step::Flip | Step::Paraphrase | Step::Structure, [original]) => Ok(Change::of(original, text, reads_as)),
        _ => Err(Failure::bad("this item starts from no question")),
    }
}

/// How a question came about, what its answers are, and what it was made from.
fn derived<'a>(
    step: Step,
    written: &'a Written,
    asked: Option<&'static str>,
    prompted: &'a Prompted,
) -> Answered<(Generalization, &'a str, Vec<i64>)> {
    let one = || prompted.questions.first().ok_or_else(|| Failure::internal("an item without its question"));
    let asked = || asked.ok_or_else(|| Failure::internal("a question whose kind was not inferred"));
    Ok(match step {
        Step::Base => {
            let kind = match written.kind.as_str() {
                "" => asked()?,
                kind @ ("yes-no" | "spans") => kind,
                other => return Err(Failure::bad(format!("the kind is {other:?}, expected yes-no or spans"))),
            };
            (Generalization::Base, kind, Vec::new())
        }
        Step::Paraphrase => (Generalization::Paraphrase, one()?.kind.as_str(), vec![one()?.id]),
        Step::Flip => {
            let original = one()?;
            let change = Change::of(original, &written.question, asked()?);
            if let Some(doubt) = change.doubt().filter(|_| !written.sure) {
                return Err(Failure::bad(format!("{doubt}; change less, or confirm that you mean it")));
            }
            (Generalization::SemanticFlip, original.kind.as_str(), vec![original.id])
        }
        Step::Structure => (Generalization::OutputStructure, "records", vec![one()?.id]),
        Step::Compose => {
            let is_offered = |id: &i64| prompted.questions.iter().any(|question| question.id == *id);
            if written.picked.len() != 2
                || written.picked[0] == written.picked[1]
                || !written.picked.iter().all(is_offered)
            {
                return Err(Failure::bad("expected two of the three questions to be picked"));
            }
            (Generalization::Composition, asked()?, written.picked.clone())
        }
        Step::Answer | Step::Judge | Step::Code | Step::Survey | Step::Map | Step::Verify => {
            return Err(Failure::internal("a step that writes no question"));
        }
    })
}
