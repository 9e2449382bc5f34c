//! The API for people to read, from the same list as the OpenAPI document.

use crate::failure::Answered;
use crate::identity::Visitor;
use crate::{App, page, routes};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use minijinja::context;
use serde_json::json;

/// Every route of the API.
pub(super) async fn page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let list: Vec<_> = routes()
        .iter()
        .filter_map(|route| {
            let body = route.body.as_ref().and_then(|body| serde_json::to_string_pretty(body).ok());
            Some(json!({
                "method": route.method.as_str(),
                "path": route.path,
                "access": route.access.name(),
                "summary": route.summary?,
                "body": body,
                "gives": route.gives,
            }))
        })
        .collect();
    page::render(
        &app,
        &visitor,
        "reference.html",
        context! { routes => minijinja::Value::from(minijinja::value::Serde(list)) },
    )
}
