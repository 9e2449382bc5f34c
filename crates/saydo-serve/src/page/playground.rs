//! The playground: a description tried on a text.

use crate::failure::Answered;
use crate::identity::Visitor;
use crate::{App, page};
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use minijinja::context;

/// The page; annotators have work instead.
pub(super) async fn page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    if !visitor.is_owner() {
        return Ok(Redirect::to("/work").into_response());
    }
    let models: Vec<String> = app.engines().iter().map(|engine| engine.name().to_owned()).collect();
    page::render(&app, &visitor, "playground.html", context! { models, texts => app.config().limits.texts })
}
