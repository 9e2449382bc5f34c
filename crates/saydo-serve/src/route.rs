//! Every route, with who may use it and what it is for. The router, the OpenAPI document and the tests of roles are made
//! from this one list, so none of them can say something else than the others.

use crate::failure::Failure;
use crate::middleware::{Guard, around, guard};
use crate::{Access, App, api, collect, page, project, work};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::Value;
use std::future::Future as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

/// A route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with parameters in braces.
    pub path: &'static str,
    /// Who may use it.
    pub access: Access,
    /// What it does, in a line; none for pages, which are not part of the API.
    pub summary: Option<&'static str>,
    /// The schema of the body, if it takes one.
    pub(crate) body: Option<Value>,
    /// What it gives: a media type.
    pub(crate) gives: &'static str,
    /// The media type of what it gives bit by bit on request, if it does.
    pub(crate) streams: Option<&'static str>,
    handler: MethodRouter<App>,
}

impl Route {
    /// A page.
    pub(crate) fn page<H: Handler<T, App>, T: 'static>(path: &'static str, access: Access, handler: H) -> Self {
        let handler = on(MethodFilter::GET, handler);
        Self {
            method: Method::GET,
            path,
            access,
            summary: None,
            body: None,
            gives: "text/html",
            streams: None,
            handler,
        }
    }

    /// Part of the API; gives JSON.
    pub(crate) fn api<H: Handler<T, App>, T: 'static>(
        method: Method,
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: H,
    ) -> Self {
        let filter = MethodFilter::try_from(method.clone()).expect("routes use methods that have filters");
        let (summary, gives) = (Some(summary), "application/json");
        Self { method, path, access, summary, body: None, gives, streams: None, handler: on(filter, handler) }
    }

    /// This route with a body of this schema.
    pub(crate) fn takes(self, schema: Value) -> Self {
        Self { body: Some(schema), ..self }
    }

    /// This route with another media type.
    pub(crate) fn gives(self, gives: &'static str) -> Self {
        Self { gives, ..self }
    }

    /// This route with another media type for whoever asks for a stream.
    pub(crate) fn streams(self, streams: &'static str) -> Self {
        Self { streams: Some(streams), ..self }
    }
}

/// Bytes of a body where anyone may send one: passwords and tokens.
const STRANGERS_BYTES: usize = 64 << 10;

/// All routes.
pub fn routes() -> Vec<Route> {
    [page::routes(), api::routes(), project::routes(), collect::routes(), work::routes()]
        .into_iter()
        .flatten()
        .collect()
}

/// The whole server as a function from requests to responses.
pub fn router(app: App) -> Router {
    let limit = app.config().limits.body_bytes;
    let mut router: Router<App> = Router::new();
    for route in routes() {
        let state = Guard { app: app.clone(), access: route.access, is_page: route.summary.is_none() };
        let limit = if route.access == Access::Anyone { limit.min(STRANGERS_BYTES) } else { limit };
        let handler = route.handler.layer(DefaultBodyLimit::max(limit)).route_layer(from_fn_with_state(state, guard));
        router = router.route(route.path, handler);
    }
    router
        .fallback(page::not_found)
        .method_not_allowed_fallback(page::wrong_method)
        .layer(DefaultBodyLimit::max(limit))
        .layer(from_fn(caught))
        .layer(from_fn_with_state(app.clone(), around))
        .with_state(app)
}

/// A handler that panics fails its own request and no other. It runs in place: when its client leaves, it ends, and with it
/// whatever it waits for.
async fn caught(request: Request, next: Next) -> Response {
    let mut running = Box::pin(next.run(request));
    std::future::poll_fn(move |context| {
        // A handler that panicked is not polled again.
        let polled = catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Failure::internal("a handler panicked").into_response()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_route_stands_twice() {
        let mut seen = HashSet::new();
        for route in routes() {
            assert!(seen.insert((route.method.clone(), route.path)), "{} {}", route.method, route.path);
        }
    }
}
