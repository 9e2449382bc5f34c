//! The pool: the workers who are given work. The owner narrows it by measured quality; answers that were given stay.

use super::Project;
use crate::collect::{self, AnsweredItem};
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::schema::object;
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn routes() -> Vec<Route> {
    let narrow = object(
        &["least"],
        json!({
            "least": {"type": "number", "minimum": 0, "maximum": 1, "description": "The least share of answers that are the combined one"},
            "answers": {"type": "integer", "minimum": 1, "maximum": 10000, "description": "Judged by at least so many answers"},
        }),
    );
    let one = object(&["pooled"], json!({"pooled": {"type": "boolean"}}));
    vec![
        Route::api(
            Method::POST,
            "/v1/projects/{id}/pool",
            Access::Owner,
            "Takes workers of too low a quality out of the pool",
            narrow_pool,
        )
        .takes(narrow),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/pool/{annotator}",
            Access::Owner,
            "Takes a worker out of the pool or back in",
            set_pooled,
        )
        .takes(one),
    ]
}

/// How often somebody's answers are the combined ones, by name: how many are, of how many.
pub(super) fn quality(items: &[AnsweredItem]) -> BTreeMap<&str, (usize, usize)> {
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for item in items.iter().filter(|item| item.is_complete() && item.answers.len() > 1) {
        let Some(combined) = item.answer() else { continue };
        for (name, given) in &item.answers {
            let (right, all) = found.entry(name).or_default();
            *right += usize::from(collect::agrees(given, &combined));
            *all += 1;
        }
    }
    found
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Narrow {
    least: f64,
    #[serde(default = "ten")]
    answers: usize,
}

fn ten() -> usize {
    10
}

async fn narrow_pool(
    State(app): State<App>,
    Path(id): Path<i64>,
    Input(narrow): Input<Narrow>,
) -> Answered<Json<Value>> {
    if !(0.0..=1.0).contains(&narrow.least) || narrow.answers == 0 {
        return Err(Failure::bad("expected a share of 0 to 1 and at least one answer"));
    }
    let removed = app.store().write(move |db| {
        Project::load(db, id)?;
        let items = collect::answered_items(db, id)?;
        let mut removed = Vec::new();
        for (name, (right, all)) in quality(&items) {
            let is_low = all >= narrow.answers && (right as f64) < narrow.least * all as f64;
            if is_low && put(db, id, "name = ?2", name, false)? {
                removed.push(name.to_owned());
            }
        }
        Ok(removed)
    });
    Ok(Json(json!({"removed": removed.await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pooled {
    pooled: bool,
}

async fn set_pooled(
    State(app): State<App>,
    Path((id, annotator)): Path<(i64, i64)>,
    Input(Pooled { pooled }): Input<Pooled>,
) -> Answered<Json<Value>> {
    let known = app.store().write(move |db| {
        put(db, id, "id = ?2", annotator, pooled)?;
        let query = "SELECT 1 FROM annotator WHERE project = ?1 AND id = ?2";
        Ok(db.prepare_cached(query)?.exists([id, annotator])?)
    });
    if known.await? { Ok(Json(json!({"pooled": pooled}))) } else { Err(Failure::missing("annotator")) }
}

/// Puts an annotator into the pool or out of it; whoever is out holds no item. False if nothing changed.
fn put(db: &Connection, project: i64, whose: &str, which: impl rusqlite::ToSql, pooled: bool) -> Answered<bool> {
    let update = format!("UPDATE annotator SET pooled = ?3 WHERE project = ?1 AND {whose} AND pooled <> ?3");
    let changed = db.execute(&update, params![project, which, pooled])?;
    if changed > 0 && !pooled {
        let release =
            format!("DELETE FROM lease WHERE annotator IN (SELECT id FROM annotator WHERE project = ?1 AND {whose})");
        db.execute(&release, params![project, which])?;
    }
    Ok(changed > 0)
}
