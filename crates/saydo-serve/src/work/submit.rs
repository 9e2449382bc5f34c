//! An answer, kept: checked against what the item asks, counted, and what follows from it done in the same transaction.

use super::{Item, Step};
use crate::collect;
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::project::Project;
use rusqlite::{Connection, OptionalExtension as _, params};
use saydo_task::Task;
use serde_json::Value;

/// The longest time that counts for one item: beyond a day nobody was at it.
const MOST_SECONDS: i64 = 86_400;

/// What an annotator sent.
pub(super) struct Answer {
    pub(super) value: Value,
    /// The kind of answer that its question asks for, if it is one.
    pub(super) kind: Option<&'static str>,
}

/// Keeps an answer; gives the step it belongs to.
pub(super) fn submit(db: &Connection, annotator: &Annotator, id: i64, answer: Answer, now: i64) -> Answered<Step> {
    let Answer { value, kind } = answer;
    let item = Item::load(db, annotator.project, id)?;
    let begun = may_answer(db, annotator.id, &item, now)?;
    let value = match item.step {
        Step::Judge => collect::judge::checked(value)?,
        Step::Code => collect::errors::checked(&item, value)?,
        Step::Survey => collect::survey::checked(&item, value)?,
        _ => collect::accept(db, &item, annotator, value, kind, now)?,
    };
    // Times of 0 are those that nobody measured.
    let seconds = (now - begun).clamp(1, MOST_SECONDS);
    let insert = "INSERT INTO answer (item, annotator, value, seconds, created) VALUES (?1, ?2, ?3, ?4, ?5)";
    db.prepare_cached(insert)?.execute(params![id, annotator.id, value.to_string(), seconds, now])?;
    db.prepare_cached("UPDATE item SET answers = answers + 1 WHERE id = ?1")?.execute([id])?;
    db.prepare_cached("DELETE FROM lease WHERE item = ?1 AND annotator = ?2")?.execute([id, annotator.id])?;
    Ok(item.step)
}

/// When the annotator was given the item; an error if it is not theirs to answer.
fn may_answer(db: &Connection, annotator: i64, item: &Item, now: i64) -> Answered<i64> {
    let query = "SELECT 1 FROM answer WHERE item = ?1 AND annotator = ?2";
    if db.prepare_cached(query)?.query_row([item.id, annotator], |_| Ok(())).optional()?.is_some() {
        return Err(Failure::Conflict("you have answered this item already".to_owned()));
    }
    let query = "SELECT begun, expires FROM lease WHERE item = ?1 AND annotator = ?2";
    let lease: Option<(i64, i64)> =
        db.prepare_cached(query)?.query_row([item.id, annotator], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((begun, expires)) = lease else {
        return Err(Failure::Conflict("this item was not given to you".to_owned()));
    };
    if expires <= now {
        // Too late, but welcome as long as nobody else was given the place.
        let query = "SELECT count(*) FROM lease WHERE item = ?1 AND annotator <> ?2 AND expires > ?3";
        let others: i64 = db.prepare_cached(query)?.query_row([item.id, annotator, now], |row| row.get(0))?;
        if item.answers + others >= item.wanted {
            return Err(Failure::Conflict("it took too long; somebody else was given this item".to_owned()));
        }
    }
    Ok(begun)
}

/// The task and passage of an item that the annotator holds, if the project shows suggestions.
pub(super) fn suggestible(db: &Connection, annotator: &Annotator, id: i64, now: i64) -> Answered<(Task, String)> {
    let item = Item::load(db, annotator.project, id)?;
    let project = Project::load(db, annotator.project)?;
    if !project.settings.suggestions || item.step != Step::Answer {
        return Err(Failure::Forbidden("this project shows no suggestions".to_owned()));
    }
    collect::asked(&held(db, annotator, id, now)?)
}

/// An item that the annotator holds.
pub(super) fn held(db: &Connection, annotator: &Annotator, id: i64, now: i64) -> Answered<Item> {
    let item = Item::load(db, annotator.project, id)?;
    let query = "SELECT 1 FROM lease WHERE item = ?1 AND annotator = ?2 AND expires > ?3";
    match db.prepare_cached(query)?.query_row([id, annotator.id, now], |_| Ok(())).optional()? {
        Some(()) => Ok(item),
        None => Err(Failure::missing("item in your hands")),
    }
}
