//! The pages of projects.

use super::Project;
use crate::failure::Answered;
use crate::identity::Visitor;
use crate::input::Path;
use crate::{Access, App, Route, page, runs};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use minijinja::value::Serde;
use minijinja::{Value, context};
use saydo_protocol::Protocol;

pub(super) fn routes() -> Vec<Route> {
    vec![Route::page("/projects", Access::Owner, list), Route::page("/projects/{id}", Access::Owner, one)]
}

async fn list(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let projects = app.store().read(Project::all).await?;
    let turking = Protocol::Turking.to_string();
    let runs: Vec<String> =
        runs::list(&app).await?.into_iter().filter(|run| run.kind == turking).map(|run| run.name).collect();
    page::render(&app, &visitor, "projects.html", context! { projects => Value::from(Serde(projects)), runs })
}

async fn one(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<i64>,
) -> Answered<Response> {
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    page::render(&app, &visitor, "project.html", context! { project => Value::from(Serde(project)) })
}
