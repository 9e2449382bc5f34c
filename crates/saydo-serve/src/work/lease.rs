//! Who has which item. An item wants some number of people; whoever is given it holds it for a while, and it goes to
//! somebody else if they do not answer. Nobody gets an item twice, nor one that starts from a question of their own.

use super::Step;
use crate::collect::is_qualified;
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::project::Project;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde_json::Value;

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Item {
    pub(crate) id: i64,
    #[serde(skip)]
    pub(crate) project: i64,
    pub(crate) step: Step,
    /// The question it is about; for the server only.
    #[serde(skip)]
    pub(crate) question: Option<i64>,
    /// What is shown.
    pub(crate) payload: Value,
    #[serde(skip)]
    pub(crate) wanted: i64,
    #[serde(skip)]
    pub(crate) answers: i64,
}

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// This.
    Item(Item),
    /// Others hold what is left; some of it may come back.
    Waiting,
    /// Nothing.
    Done,
    /// Nothing, for too few qualification items were right or the owner took them out of the pool.
    Unqualified,
}

impl Item {
    /// An item of the annotator's own project.
    pub(crate) fn load(db: &Connection, project: i64, id: i64) -> Answered<Self> {
        let query = "SELECT step, question, payload, wanted, answers FROM item WHERE id = ?1 AND project = ?2";
        let found = db.prepare_cached(query)?.query_row([id, project], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get(3)?, row.get(4)?))
        });
        let found = found.optional()?.ok_or_else(|| Failure::missing("item"))?;
        let (step, question, payload, wanted, answers) = found;
        let payload = serde_json::from_str(&payload).map_err(Failure::internal)?;
        Ok(Self { id, project, step: Step::named(&step)?, question, payload, wanted, answers })
    }
}

/// Gives the annotator an item until `until`: the one they hold, or the next that nobody else is needed for.
pub(super) fn next(db: &Connection, annotator: &Annotator, now: i64, until: i64) -> Answered<Next> {
    let held = "SELECT l.item FROM lease l WHERE l.annotator = ?1 AND l.expires > ?2 ORDER BY l.begun, l.item LIMIT 1";
    let held: Option<i64> = db.prepare_cached(held)?.query_row([annotator.id, now], |row| row.get(0)).optional()?;
    if let Some(item) = held {
        return Ok(Next::Item(Item::load(db, annotator.project, item)?));
    }
    let pooled = "SELECT pooled FROM annotator WHERE id = ?1";
    if !db.prepare_cached(pooled)?.query_row([annotator.id], |row| row.get::<_, bool>(0))? {
        return Ok(Next::Unqualified);
    }
    if let Some(item) = qualification(db, annotator)? {
        hold(db, annotator.id, item, now, until)?;
        return Ok(Next::Item(Item::load(db, annotator.project, item)?));
    }
    let project = Project::load(db, annotator.project)?;
    if !is_qualified(db, &project, annotator.id)? {
        return Ok(Next::Unqualified);
    }
    match free(db, annotator, now)? {
        Some(item) => {
            hold(db, annotator.id, item, now, until)?;
            Ok(Next::Item(Item::load(db, annotator.project, item)?))
        }
        None if open(db, annotator)? => Ok(Next::Waiting),
        None => Ok(Next::Done),
    }
}

/// A qualification item that the annotator has not answered.
fn qualification(db: &Connection, annotator: &Annotator) -> Answered<Option<i64>> {
    let query = "SELECT i.id FROM item i WHERE i.project = ?1 AND i.gold IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM answer a WHERE a.item = i.id AND a.annotator = ?2) ORDER BY i.id LIMIT 1";
    let found = db.prepare_cached(query)?.query_row([annotator.project, annotator.id], |row| row.get(0));
    Ok(found.optional()?)
}

/// An item that lacks answers even when everyone who holds it gives one.
fn free(db: &Connection, annotator: &Annotator, now: i64) -> Answered<Option<i64>> {
    let query = "SELECT i.id FROM item i WHERE i.project = ?1 AND i.answers < i.wanted AND i.gold IS NULL
        AND (i.seat IS NULL OR i.seat = (SELECT seat FROM annotator WHERE id = ?2))
        AND NOT EXISTS (SELECT 1 FROM answer a WHERE a.item = i.id AND a.annotator = ?2)
        AND NOT EXISTS (SELECT 1 FROM item_author w WHERE w.item = i.id AND w.annotator = ?2)
        AND i.answers + (SELECT count(*) FROM lease l WHERE l.item = i.id AND l.annotator <> ?2 AND l.expires > ?3) < i.wanted
        ORDER BY i.id LIMIT 1";
    let found = db.prepare_cached(query)?.query_row([annotator.project, annotator.id, now], |row| row.get(0));
    Ok(found.optional()?)
}

/// Whether there are items that lack answers and that the annotator could give.
fn open(db: &Connection, annotator: &Annotator) -> Answered<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM item i WHERE i.project = ?1 AND i.answers < i.wanted AND i.gold IS NULL
        AND (i.seat IS NULL OR i.seat = (SELECT seat FROM annotator WHERE id = ?2))
        AND NOT EXISTS (SELECT 1 FROM answer a WHERE a.item = i.id AND a.annotator = ?2)
        AND NOT EXISTS (SELECT 1 FROM item_author w WHERE w.item = i.id AND w.annotator = ?2))";
    Ok(db.prepare_cached(query)?.query_row([annotator.project, annotator.id], |row| row.get(0))?)
}

fn hold(db: &Connection, annotator: i64, item: i64, now: i64, until: i64) -> Answered<()> {
    let insert = "INSERT INTO lease (item, annotator, begun, expires) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (item, annotator) DO UPDATE SET begun = excluded.begun, expires = excluded.expires";
    db.prepare_cached(insert)?.execute(params![item, annotator, now, until])?;
    Ok(())
}

/// Gives an item back, to be the last in turn for whoever did not want it. False if it was not held.
pub(super) fn give_back(db: &Connection, annotator: i64, item: i64, now: i64) -> Answered<bool> {
    let delete = "DELETE FROM lease WHERE item = ?1 AND annotator = ?2 AND expires > ?3";
    Ok(db.execute(delete, [item, annotator, now])? > 0)
}

/// How many answers an annotator has given.
pub(super) fn answered(db: &Connection, annotator: i64) -> Answered<i64> {
    let query = "SELECT count(*) FROM answer WHERE annotator = ?1";
    Ok(db.prepare_cached(query)?.query_row([annotator], |row| row.get(0))?)
}
