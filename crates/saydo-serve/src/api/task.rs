//! Tasks that are kept here under a name, as task files.

use crate::compute::compute;
use crate::draft::{self, Draft};
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::{Access, App, Route, schema};
use axum::Json;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::IntoResponse;
use rusqlite::{OptionalExtension as _, params};
use saydo_task::Task;
use saydo_task::format::Format;
use saydo_task::source::Source;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) fn routes() -> Vec<Route> {
    let toml = json!({"type": "string", "minLength": 1, "pattern": "\\S", "description": "A task file"});
    let file = schema::object(&["toml"], json!({"toml": toml}));
    let owner = Access::Owner;
    vec![
        Route::api(Method::GET, "/v1/tasks", owner, "The tasks that are kept here", list),
        Route::api(Method::GET, "/v1/tasks/{name}", owner, "A task file", get).gives("application/toml"),
        Route::api(Method::PUT, "/v1/tasks/{name}", owner, "Keeps a task file", put).takes(file),
        Route::api(Method::DELETE, "/v1/tasks/{name}", owner, "Forgets a task", delete),
        Route::api(Method::POST, "/v1/task-file", owner, "The task file of a task's parts", write)
            .takes(schema::parts()),
    ]
}

async fn list(State(app): State<App>) -> Answered<Json<Value>> {
    let tasks = app.store().read(|db| {
        let mut statement = db.prepare_cached("SELECT name, changed FROM task ORDER BY name")?;
        let rows = statement
            .query_map([], |row| Ok(json!({"name": row.get::<_, String>(0)?, "changed": row.get::<_, i64>(1)?})))?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(json!({"tasks": tasks.await?})))
}

async fn get(State(app): State<App>, Path(name): Path<String>) -> Answered<impl IntoResponse> {
    Ok(([(header::CONTENT_TYPE, "application/toml")], text(&app, name).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    toml: String,
}

async fn put(State(app): State<App>, Path(name): Path<String>, Input(file): Input<File>) -> Answered<Json<Value>> {
    if name.chars().count() > 100 || name.contains(|c: char| c.is_control() || c == '/') {
        return Err(Failure::bad("a task's name has at most 100 characters, none of them a slash"));
    }
    let toml = compute(move || parse(&file.toml).map(|_| file.toml)).await?;
    let now = app.now();
    let kept = json!({"name": name});
    app.store()
        .write(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO task (name, toml, changed) VALUES (?1, ?2, ?3)",
                params![name, toml, now],
            )?;
            Ok(())
        })
        .await?;
    Ok(Json(kept))
}

async fn delete(State(app): State<App>, Path(name): Path<String>) -> Answered<Json<Value>> {
    let gone = app.store().write(move |db| Ok(db.execute("DELETE FROM task WHERE name = ?1", [name])?)).await?;
    if gone == 0 { Err(Failure::missing("task")) } else { Ok(Json(json!({"deleted": gone}))) }
}

async fn write(Input(draft): Input<Draft>) -> Answered<Json<Value>> {
    let mut task = draft.task()?;
    let written = compute(move || {
        let name = if task.id.is_empty() { "task".to_owned() } else { task.id.clone() };
        let inferred = draft::inferred(&task);
        if task.answer.is_none() {
            task.answer = Some(saydo_function::infer::infer_task(&task).spec);
        }
        Ok(json!({"name": name, "toml": Format::Toml.write(&task).text, "inferred": inferred}))
    });
    Ok(Json(written.await?))
}

/// The task kept under a name.
pub(crate) async fn load(app: &App, name: String) -> Answered<Task> {
    let toml = text(app, name).await?;
    compute(move || parse(&toml)).await
}

async fn text(app: &App, name: String) -> Answered<String> {
    let found = app.store().read(move |db| {
        let mut statement = db.prepare_cached("SELECT toml FROM task WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    });
    found.await?.ok_or_else(|| Failure::missing("task"))
}

fn parse(toml: &str) -> Answered<Task> {
    let bad = |error: saydo_task::Error| Failure::bad(format!("the task file does not read: {error}"));
    let source = Source::from_bytes(std::path::Path::new("task.toml"), toml.as_bytes().to_vec()).map_err(bad)?;
    let tasks = Format::Toml.read(&source).into_tasks().map_err(bad)?;
    tasks.into_iter().next().ok_or_else(|| Failure::bad("the file holds no task"))
}
