//! Whether the server is well, what it counts, and what it offers.

use crate::failure::Answered;
use crate::{Access, App, Engine, Route, openapi, runs};
use axum::Json;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::IntoResponse;
use serde_json::{Value, json};

pub(super) fn routes() -> Vec<Route> {
    let get = Method::GET;
    vec![
        Route::api(get.clone(), "/healthz", Access::Anyone, "Whether the server and its state are well", health),
        Route::api(get.clone(), "/metrics", Access::Owner, "Counters for Prometheus", metrics).gives("text/plain"),
        Route::api(get.clone(), "/openapi.json", Access::Anyone, "This document", openapi::serve),
        Route::api(get.clone(), "/v1/models", Access::Owner, "The models that are loaded", models),
        Route::api(get, "/v1/runs", Access::Owner, "The runs of this machine", list_runs),
    ]
}

async fn health(State(app): State<App>) -> Answered<Json<Value>> {
    let status = app.store().health(app.now()).await?;
    Ok(Json(json!({"status": status, "version": env!("CARGO_PKG_VERSION")})))
}

async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let waiting: Vec<(String, usize)> =
        app.engines().iter().map(|engine| (engine.name().to_owned(), engine.waiting())).collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics().text(&waiting))
}

async fn models(State(app): State<App>) -> Json<Value> {
    let model = |engine: &Engine| json!({"id": engine.name(), "object": "model", "owned_by": "saydo"});
    Json(json!({"object": "list", "data": app.engines().iter().map(model).collect::<Value>()}))
}

async fn list_runs(State(app): State<App>) -> Answered<Json<Value>> {
    Ok(Json(json!({"runs": runs::list(&app).await?})))
}
