//! ZEST's pipeline: questions written and varied by people, passages found by search, answers by several annotators.
//!
//! Reading order: `question` is what comes out of the first five steps, `write` checks what people write there, `generate`
//! makes the items of a step, `passage` finds passages, `given` is an answer to a question, `aggregate` makes one answer of
//! several, `export` writes tasks,
//! `amti` sends items to a crowd platform and takes answers back.

mod aggregate;
mod amti;
mod api;
pub(crate) mod board;
mod distance;
pub(crate) mod errors;
mod export;
mod facts;
mod generate;
mod given;
pub(crate) mod judge;
pub(crate) mod mapping;
mod near;
mod part;
mod passage;
pub(crate) mod people;
mod question;
mod state;
pub(crate) mod survey;
mod write;

pub(crate) use aggregate::agrees;
pub(crate) use api::{EXPORTS, routes};
pub(crate) use question::kind_of;
pub(crate) use state::{AnsweredItem, answered_items};
pub(crate) use write::{Change, change};

use crate::draft::{DraftAnswer, DraftField};
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::project::Project;
use crate::work::{Item, Step};
use given::Given;
use rusqlite::Connection;
use saydo_task::Task;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an item of the answering step shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) question: String,
    /// `yes-no`, `spans`, `records`, or `text` in a project of people.
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) fields: Vec<DraftField>,
    pub(crate) entity: String,
    pub(crate) passage: String,
    /// Whether a suggestion can be asked for.
    #[serde(default)]
    pub(crate) suggestions: bool,
}

impl Asked {
    pub(crate) fn of(payload: &Value) -> Answered<Self> {
        serde_json::from_value(payload.clone()).map_err(Failure::internal)
    }
}

/// Checks what an annotator wrote or answered and does what follows from it; gives it as it is kept. `kind` is what the
/// question asks for that they wrote, if they wrote one.
pub(crate) fn accept(
    db: &Connection,
    item: &Item,
    annotator: &Annotator,
    value: Value,
    kind: Option<&'static str>,
    now: i64,
) -> Answered<Value> {
    match item.step {
        Step::Answer => {
            let given = Given::parse(value)?;
            given.check(&Asked::of(&item.payload)?)?;
            serde_json::to_value(given).map_err(Failure::internal)
        }
        Step::Map | Step::Verify => mapping::accept(db, item, annotator, value, now),
        _ => write::accept(db, item, annotator, value, kind, now),
    }
}

/// The task and the passage of an item of the answering step.
pub(crate) fn asked(item: &Item) -> Answered<(Task, String)> {
    let asked = Asked::of(&item.payload)?;
    let answer = DraftAnswer { kind: asked.kind, fields: asked.fields, ..DraftAnswer::default() };
    let definition = Some(asked.question.clone());
    Ok((Task { id: asked.question, definition, answer: Some(answer.spec()?), ..Task::default() }, asked.passage))
}

/// Whether enough of an annotator's qualification items are right.
pub(crate) fn is_qualified(db: &Connection, project: &Project, annotator: i64) -> Answered<bool> {
    let needed = project.settings.qualification as usize;
    if needed == 0 {
        return Ok(true);
    }
    let query = "SELECT a.value, i.gold FROM answer a JOIN item i ON i.id = a.item
        WHERE a.annotator = ?1 AND i.gold IS NOT NULL";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([annotator], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut right = 0;
    for row in rows {
        let (value, gold) = row?;
        right += usize::from(Given::kept(&value)?.label() == Given::kept(&gold)?.label());
    }
    Ok(right >= needed)
}

#[cfg(test)]
mod tests;
