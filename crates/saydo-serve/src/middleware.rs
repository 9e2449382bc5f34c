//! What happens around every request: limits, who asks, headers, the log.

use crate::failure::{Answered, Failure};
use crate::{Access, App, deadline, identity};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;

/// Nothing is loaded from elsewhere, nothing inline is run, no page elsewhere shows ours in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// How a route is guarded.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) app: App,
    pub(crate) access: Access,
    /// Whether failures are shown as pages.
    pub(crate) is_page: bool,
}

/// Lets in whoever may use the route, and tells it who that is.
pub(crate) async fn guard(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    if guard.is_page
        && let Some(response) = identity::enter_by_link(&guard.app, request.uri(), request.headers()).await
    {
        return response.unwrap_or_else(Failure::into_response);
    }
    let admitted = identity::admit(&guard.app, guard.access, request.method(), request.headers()).await;
    let path = request.uri().path().to_owned();
    let (response, visitor) = match admitted {
        Ok(visitor) => {
            request.extensions_mut().insert(visitor.clone());
            (next.run(request).await, visitor)
        }
        Err((failure, visitor)) => (failure.into_response(), visitor),
    };
    match response.extensions().get::<Failure>().filter(|_| guard.is_page) {
        Some(failure) => crate::page::failure(&guard.app, &visitor, failure, &path),
        None => response,
    }
}

/// Limits, headers and the log.
pub(crate) async fn around(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let address = client(&app, &request).address();
    // The route's pattern, never the path: paths may hold tokens.
    let pattern = request.extensions().get::<MatchedPath>().map_or("unknown", |path| path.as_str()).to_owned();
    let route = format!("{} {pattern}", method_name(request.method()));
    let mut response = run(&app, address, request, next).await.unwrap_or_else(Failure::into_response);
    secure(response.headers_mut());
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    app.metrics().request(&route, status, took);
    let mut facts = json!({"route": route, "status": status, "ms": took.as_secs_f64() * 1e3, "from": address});
    if let Some(Failure::Internal(reason) | Failure::Unwell(_, reason)) = response.extensions().get::<Failure>() {
        facts["error"] = json!(reason);
    }
    app.log().event(app.now(), "request", facts);
    response
}

/// What a method is called in the log and the metrics. Methods that no route has are one name: a client makes up as many
/// as it likes, each of any length, and whatever is counted by them would grow with it.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

async fn run(app: &App, address: IpAddr, request: Request, next: Next) -> Answered<Response> {
    app.requests().take(address, Instant::now()).map_err(Failure::Busy)?;
    let limits = &app.config().limits;
    let request = request.map(|body| deadline::within(limits.body_time, body));
    tokio::time::timeout(limits.request_time, next.run(request)).await.map_err(|_| Failure::Slow)
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    /// From a client at this address.
    Own(IpAddr),
    /// From this machine or a proxy at this address that does not say for whom it asks.
    Shared(IpAddr),
}

impl Client {
    fn address(self) -> IpAddr {
        match self {
            Client::Own(address) | Client::Shared(address) => address,
        }
    }
}

/// Where a request comes from: the other end of the connection or, if that is a proxy, whom the proxy names last. What
/// stands before that was sent by the client, who may write what they like.
pub(crate) fn client(app: &App, request: &Request) -> Client {
    let connection = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = connection.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip().to_canonical());
    if !peer.is_loopback() && !app.config().proxies.contains(&peer) {
        return Client::Own(peer);
    }
    let named = request.headers().get_all("x-forwarded-for").iter().next_back().and_then(|names| names.to_str().ok());
    let named = named.and_then(|names| names.rsplit(',').next()).and_then(|name| name.trim().parse().ok());
    named.map_or(Client::Shared(peer), Client::Own)
}

/// The headers of every response; a page with a policy of its own keeps it.
fn secure(headers: &mut HeaderMap) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
