//! The people of a project, and the links that let them in. A link holds an unguessable token; the state keeps its hash, so
//! a lost link is replaced, not looked up.

use super::{Kind, Project};
use crate::failure::{Answered, Failure};
use crate::identity::{self, Visitor};
use crate::input::{Input, Path};
use crate::{Access, App, Route, page, schema, secret};
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use minijinja::context;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Deserialize;
use serde_json::{Value, json};

/// Annotators that are added at once.
const MOST_NAMES: usize = 200;

pub(super) fn routes() -> Vec<Route> {
    let list = json!({"type": "array", "minItems": 1, "maxItems": MOST_NAMES, "uniqueItems": true, "items": schema::text(100)});
    let names = schema::object(&["names"], json!({"names": list}));
    let join = schema::object(&["token"], json!({"token": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}));
    let owner = Access::Owner;
    vec![
        Route::page("/join/{token}", Access::Anyone, join_page),
        Route::api(Method::POST, "/v1/join", Access::Anyone, "Begins the session of a link's annotator", join_project)
            .takes(join),
        Route::api(Method::POST, "/v1/projects/{id}/annotators", owner, "Adds annotators and makes their links", add)
            .takes(names),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/annotators/{annotator}/link",
            owner,
            "Replaces an annotator's link",
            relink,
        ),
        Route::api(
            Method::DELETE,
            "/v1/projects/{id}/annotators/{annotator}",
            owner,
            "Lets an annotator in no more",
            remove,
        ),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    names: Vec<String>,
}

async fn add(State(app): State<App>, Path(id): Path<i64>, Input(names): Input<Names>) -> Answered<Json<Value>> {
    if !(1..=MOST_NAMES).contains(&names.names.len()) {
        return Err(Failure::bad(format!("{} names, expected 1 to {MOST_NAMES}", names.names.len())));
    }
    let now = app.now();
    let links = app.store().write(move |db| {
        let project = Project::load(db, id)?;
        names.names.iter().map(|name| insert(db, &project, name, now)).collect::<Answered<Vec<_>>>()
    });
    Ok(Json(json!({"annotators": links.await?})))
}

/// A new annotator of a project; the token of the link is in what is given back, and nowhere else.
fn insert(db: &Connection, project: &Project, name: &str, now: i64) -> Answered<Value> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(Failure::bad("expected names of 1 to 100 characters"));
    }
    let taken = "SELECT 1 FROM annotator WHERE project = ?1 AND name = ?2";
    if db.query_row(taken, params![project.id, name], |_| Ok(())).optional()?.is_some() {
        return Err(Failure::Conflict(format!("there is an annotator called {name} already")));
    }
    let seat =
        if project.kind == Kind::Judge && !project.settings.errors { Some(free_seat(db, project.id)?) } else { None };
    let token = secret::token()?;
    db.execute(
        "INSERT INTO annotator (project, name, hash, seat, created) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![project.id, name, secret::hash(&token), seat, now],
    )?;
    Ok(json!({"id": db.last_insert_rowid(), "name": name, "path": format!("/join/{token}")}))
}

/// The first sheet that nobody has, or whose judge left.
fn free_seat(db: &Connection, project: i64) -> Answered<i64> {
    let free = db.query_row(
        "SELECT min(i.seat) FROM item i WHERE i.project = ?1
         AND i.seat NOT IN (SELECT seat FROM annotator WHERE project = ?1 AND active AND seat IS NOT NULL)",
        [project],
        |row| row.get::<_, Option<i64>>(0),
    )?;
    free.ok_or_else(|| Failure::Conflict("every sheet has its judge; there is nothing left to hand out".to_owned()))
}

async fn relink(State(app): State<App>, Path((id, annotator)): Path<(i64, i64)>) -> Answered<Json<Value>> {
    let token = secret::token()?;
    let hash = secret::hash(&token);
    let changed = app.store().write(move |db| {
        let update = "UPDATE annotator SET hash = ?3, active = 1 WHERE id = ?2 AND project = ?1";
        let changed = db.execute(update, params![id, annotator, hash])?;
        // Whoever has the old link may also have a session from it.
        if changed > 0 {
            db.execute("DELETE FROM session WHERE annotator = ?1", [annotator])?;
        }
        Ok(changed)
    });
    match changed.await? {
        0 => Err(Failure::missing("annotator")),
        _ => Ok(Json(json!({"path": format!("/join/{token}")}))),
    }
}

async fn remove(State(app): State<App>, Path((id, annotator)): Path<(i64, i64)>) -> Answered<Json<Value>> {
    let changed = app.store().write(move |db| {
        let changed = db.execute("UPDATE annotator SET active = 0 WHERE id = ?2 AND project = ?1", [id, annotator])?;
        if changed > 0 {
            db.execute("DELETE FROM session WHERE annotator = ?1", [annotator])?;
            db.execute("DELETE FROM lease WHERE annotator = ?1", [annotator])?;
        }
        Ok(changed)
    });
    if changed.await? == 0 { Err(Failure::missing("annotator")) } else { Ok(Json(json!({"removed": annotator}))) }
}

/// Who a link lets in: number, name, project's name.
fn of_token(db: &Connection, token: &str) -> Answered<(i64, String, String)> {
    let query = "SELECT a.id, a.name, p.name FROM annotator a JOIN project p ON p.id = a.project WHERE a.hash = ?1 AND a.active";
    let found =
        db.prepare_cached(query)?.query_row([secret::hash(token)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    found.optional()?.ok_or_else(|| Failure::Missing("this link is not valid any more; ask for a new one".to_owned()))
}

/// The page only shows whom the link is for; going in is a click, so that programs which look at links change nothing.
async fn join_page(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(token): Path<String>,
) -> Answered<Response> {
    let shown = token.clone();
    let (_, name, project) = app.store().read(move |db| of_token(db, &token)).await?;
    // Whoever opens a link is about to be an annotator, and sees no more of the server than one.
    let is_owner = visitor.is_owner();
    let visitor = visitor.without_role();
    page::render(&app, &visitor, "join.html", context! { name, project, token => shown, is_owner })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    token: String,
}

async fn join_project(State(app): State<App>, Input(join): Input<Join>) -> Answered<Response> {
    let (now, https) = (app.now(), app.config().https);
    let cookie = app.store().write(move |db| {
        let (id, _, _) = of_token(db, &join.token)?;
        identity::sign_in(db, Some(id), now, https)
    });
    Ok(([(header::SET_COOKIE, cookie.await?)], Json(json!({"role": "annotator"}))).into_response())
}
