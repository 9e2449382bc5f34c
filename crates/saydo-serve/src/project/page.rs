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
    let found = runs::list(&app).await?;
    let of = |is_it: &dyn Fn(&str) -> bool| -> Vec<String> {
        found.iter().filter(|run| is_it(&run.kind)).map(|run| run.name.clone()).collect()
    };
    let runs = of(&|kind| kind == Protocol::Turking.name());
    let all_runs = of(&|kind| Protocol::parse(kind).is_some());
    page::render(&app, &visitor, "projects.html", context! { projects => Value::from(Serde(projects)), runs, all_runs })
}

async fn one(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<i64>,
) -> Answered<Response> {
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    page::render(&app, &visitor, "project.html", context! { project => Value::from(Serde(project)) })
}
