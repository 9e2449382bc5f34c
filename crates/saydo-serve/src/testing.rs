//! What tests of the server share: a server in a scratch folder, and requests without a socket.

use crate::{App, Clock, Config, Engine, Limits, LocalOwner, Log, router};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use saydo::Session;
use saydo_model::ScriptedModel;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tower::ServiceExt as _;

/// A server in a folder that goes with it.
pub(crate) struct Server {
    app: App,
    router: Router,
    time: Arc<AtomicI64>,
    runtime: tokio::runtime::Runtime,
    pub(crate) folder: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Got {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The session's cookie, as a browser sends it back.
    pub(crate) fn cookie(&self) -> String {
        self.headers[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned()
    }
}

/// A model that says yes, and finds "park" in texts.
pub(crate) fn engine(limit: usize) -> Engine {
    let model = ScriptedModel::new(|_| "park".to_owned())
        .with_log_prob(|_, text| if text.trim() == "Yes" { -0.1 } else { -3.0 });
    let session = Session::new(Arc::new(model), "scripted", "scripted");
    Engine::start(session, limit).unwrap()
}

impl Server {
    /// A server on this machine whose owner is whoever comes.
    pub(crate) fn local() -> Self {
        Self::with(None, Limits::default())
    }

    /// A server on this machine whose owner is whoever shows the token.
    pub(crate) fn with_token() -> Self {
        Self::start(None, LocalOwner::NewToken, Limits::default())
    }

    /// A server that needs accounts.
    pub(crate) fn with_password(password: &str) -> Self {
        Self::with(Some(password), Limits::default())
    }

    pub(crate) fn with(password: Option<&str>, limits: Limits) -> Self {
        Self::start(password, LocalOwner::Anyone, limits)
    }

    pub(crate) fn start(password: Option<&str>, owner: LocalOwner, limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config =
            Config { owner, limits, runs: vec![folder.path().join("runs")], ..Config::new(folder.path().join("data")) };
        if let Some(password) = password {
            App::set_password(&crate::Store::open(&config.data).unwrap(), password).unwrap();
        }
        let time = Arc::new(AtomicI64::new(1_000_000));
        let clock = Arc::clone(&time);
        let clock = Clock::new(move || clock.load(Ordering::Relaxed));
        let engine = engine(config.limits.queue);
        let app = App::new(config, vec![engine], clock, Log::new(|_| ())).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        Self { router: router(app.clone()), app, time, runtime, folder }
    }

    /// The server itself.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// What the server counted.
    pub(crate) fn metrics(&self) -> String {
        self.app.metrics().text(&[])
    }

    /// Lets time pass.
    pub(crate) fn wait(&self, seconds: i64) {
        self.time.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Status and body of a request.
    pub(crate) fn bytes(&self, request: Request<Body>) -> (u16, Vec<u8>) {
        let router = self.router.clone();
        self.runtime.block_on(async move {
            let response = router.oneshot(request).await.unwrap();
            let status = response.status().as_u16();
            (status, axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
        })
    }

    pub(crate) fn send(&self, request: Request<Body>) -> Got {
        let router = self.router.clone();
        self.runtime.block_on(async move {
            let response = router.oneshot(request).await.unwrap();
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            Got { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
        })
    }

    /// A request as a program sends it, with these headers.
    pub(crate) fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Got {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8008");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.send(request.body(body).unwrap())
    }

    pub(crate) fn get(&self, path: &str) -> Got {
        self.ask(Method::GET, path, &[], None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Got {
        self.ask(Method::POST, path, &[], Some(body))
    }
}
