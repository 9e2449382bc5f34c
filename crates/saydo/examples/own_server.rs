//! Functions inside an axum app of one's own: the model works off the async threads.
//!
//! cargo run -p saydo --example own_server

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::routing::post;
use saydo::Function;
use std::sync::Arc;
use tower::ServiceExt as _;

async fn answer(State(dogs): State<Arc<Function>>, text: String) -> Result<String, StatusCode> {
    let answered = tokio::task::spawn_blocking(move || dogs.answer(&text)).await;
    let outcome = answered.ok().and_then(Result::ok).ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(saydo::answer_text(&outcome.answer))
}

/// Asks the app in this process, as `axum::serve` would have it asked.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dogs = saydo::open("scripted")?.function("Are dogs allowed?")?;
    let app: Router = Router::new().route("/dogs", post(answer)).with_state(Arc::new(dogs));
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let reply = runtime.block_on(async {
        let response = app.oneshot(Request::post("/dogs").body(Body::from("Dogs are welcome."))?).await?;
        Ok::<_, Box<dyn std::error::Error>>(to_bytes(response.into_body(), 1024).await?)
    })?;
    println!("{}", String::from_utf8_lossy(&reply));
    assert!([&b"yes"[..], b"no", b"n/a"].contains(&&*reply));
    Ok(())
}
