//! Asking a server: retries after transient errors, on another server if there is one, and never a secret in an error.

use crate::address::{self, shown};
use crate::excerpt::excerpt;
use crate::failure::Failure;
use crate::field::Unusable;
use crate::pool::Pool;
use crate::server::Server;
use crate::{Error, Settings, backoff};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Proxy, Response, StatusCode, Url, redirect};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The longest answer that is read: log-probabilities of a prompt of 100,000 tokens fit well.
const LONGEST_ANSWER: usize = 64 << 20;
/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Waits; an argument, so that tests need not.
pub(crate) type Sleep = Arc<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The way to a model's servers.
pub(crate) struct Transport {
    client: Client,
    pool: Arc<Pool>,
    secrets: Arc<Vec<String>>,
    key_given: bool,
    max_retries: u32,
    timeout_ms: u64,
    jitter_seed: u64,
    tickets: AtomicU64,
    sleep: Sleep,
}

/// Where on a server a request goes, and to which servers it does not go.
pub(crate) struct Target<'a> {
    path: &'a str,
    is_beside: bool,
    barred: Vec<usize>,
}

impl<'a> Target<'a> {
    /// A path below the base, such as `chat/completions`.
    pub(crate) fn below(path: &'a str) -> Self {
        Self { path, is_beside: false, barred: Vec::new() }
    }

    /// A path beside `/v1`.
    pub(crate) fn beside(path: &'a str) -> Self {
        Self { path, is_beside: true, barred: Vec::new() }
    }

    /// The same on one server of so many.
    pub(crate) fn only(self, server: &Server, of: usize) -> Self {
        Self { barred: (0..of).filter(|index| *index != server.index).collect(), ..self }
    }

    fn url(&self, server: &Server) -> Url {
        if self.is_beside { server.address.beside(self.path) } else { server.address.endpoint(self.path) }
    }
}

impl Transport {
    pub(crate) fn new(
        settings: &Settings,
        pool: Arc<Pool>,
        secrets: Vec<String>,
        is_plain: bool,
        sleep: Sleep,
    ) -> Result<Self, Error> {
        let key = settings.api_key.as_ref().map(|key| key.expose().to_owned()).filter(|key| !key.is_empty());
        let proxy = settings.proxy.as_ref().map(|proxy| proxy.expose().to_owned());
        let of_proxy = proxy.as_deref().and_then(|proxy| Url::parse(proxy).ok()).map(|proxy| address::secrets(&proxy));
        Ok(Self {
            client: client(settings, is_plain, key.as_deref())?,
            pool,
            key_given: key.is_some(),
            secrets: Arc::new(
                key.into_iter().chain(proxy).chain(of_proxy.into_iter().flatten()).chain(secrets).collect(),
            ),
            max_retries: settings.max_retries,
            timeout_ms: settings.timeout_ms,
            jitter_seed: settings.jitter_seed,
            tickets: AtomicU64::new(0),
            sleep,
        })
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Posts the body for a server to it, or gets the path if there is none, and reads the answer with `read`.
    ///
    /// After a transient error, every other server that is up is tried before a pause. The place at a server
    /// is kept through the pause: a server in trouble gets fewer requests. Every failure is shown to `learn` first; if that
    /// finds a way to ask differently, the request is sent again at once.
    pub(crate) async fn ask<T>(
        &self,
        target: Target<'_>,
        body: impl Fn(&Server) -> Option<Value>,
        read: impl Fn(&Server, &Value) -> Result<T, Unusable>,
        learn: impl Fn(&Server, &Error) -> bool,
    ) -> Result<T, Error> {
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let (mut attempts, mut unusable, mut pauses) = (0, 0, 0);
        let mut tried = target.barred.clone();
        // What a server said tells more than that another could not be reached.
        let mut said = None;
        loop {
            let place = self.pool.place(&tried, &|index| self.probe(index)).await;
            let server = place.server;
            let url = target.url(server);
            let failure = match self.attempt(&url, body(server).as_ref(), |answer| read(server, answer)).await {
                Ok(answer) => {
                    place.succeeded();
                    return Ok(answer);
                }
                Err(failure) => failure,
            };
            match &failure {
                // The server did its part.
                Failure::Unusable { reason: Unusable::Final(_), .. } => place.succeeded(),
                failure => place.failed(failure.blame()),
            }
            attempts += 1;
            unusable += u32::from(matches!(failure, Failure::Unusable { .. }));
            let (is_passing, is_local, asked) = (failure.is_passing(), failure.is_local(), failure.asked());
            let is_connect = matches!(failure, Failure::Connect(_));
            let error = failure.into_error(shown(&url), attempts, self.timeout_ms, self.key_given);
            if learn(server, &error) {
                attempts -= 1;
                continue;
            }
            tried.push(server.index);
            if is_local && unusable <= 1 && self.pool.has_other(&tried) {
                said = if is_connect { said } else { Some(error) };
                continue;
            }
            if !is_passing || pauses == self.max_retries || unusable > 1 {
                return Err(if is_connect { said.unwrap_or(error) } else { error });
            }
            (self.sleep)(backoff::pause(self.jitter_seed, ticket, pauses, asked)).await;
            pauses += 1;
            tried.clone_from(&target.barred);
        }
    }

    /// Looks whether a server that was set aside is back: it is if it answers at all, and not with trouble of its own.
    fn probe(&self, index: usize) {
        let url = self.pool.servers[index].address.endpoint("models");
        let request = self.client.get(url).timeout(CONNECT_TIMEOUT.min(Duration::from_millis(self.timeout_ms)));
        let pool = Arc::clone(&self.pool);
        tokio::spawn(async move {
            let is_back = request.send().await.is_ok_and(|response| {
                let status = response.status();
                !status.is_server_error()
                    && status != StatusCode::UNAUTHORIZED
                    && status != StatusCode::TOO_MANY_REQUESTS
            });
            pool.probed(index, is_back);
        });
    }

    async fn attempt<T>(
        &self,
        url: &Url,
        body: Option<&Value>,
        read: impl Fn(&Value) -> Result<T, Unusable>,
    ) -> Result<T, Failure> {
        let request = match body {
            Some(body) => self.client.post(url.clone()).json(body),
            None => self.client.get(url.clone()),
        };
        let response = request.send().await?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refusal(response).await);
        }
        let answer = whole_body(response).await?;
        let unusable = |reason| Failure::Unusable { reason, message: excerpt(&answer, &self.secrets) };
        let value = serde_json::from_slice(&answer).map_err(|_| unusable(Unusable::Lacks("valid JSON")))?;
        read(&value).map_err(unusable)
    }

    /// What an answer with an error status says. A broken body does not hide the status.
    async fn refusal(&self, response: Response) -> Failure {
        let status = response.status();
        let asked = backoff::asked(response.headers(), SystemTime::now());
        let moved = response.headers().get(LOCATION).filter(|_| status.is_redirection());
        let moved = moved.map(|to| [b"redirects are not followed; this one leads to ", to.as_bytes()].concat());
        let answer = match moved {
            Some(moved) => moved,
            None => whole_body(response).await.unwrap_or_default(),
        };
        Failure::Status { status: status.as_u16(), message: excerpt(&answer, &self.secrets), asked }
    }
}

async fn whole_body(mut response: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > LONGEST_ANSWER {
            return Err(Failure::TooLong { limit: LONGEST_ANSWER });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A client that reads no proxy from the environment and follows no redirect, which would turn a POST into a GET.
fn client(settings: &Settings, is_plain: bool, key: Option<&str>) -> Result<Client, Error> {
    let timeout = Duration::from_millis(settings.timeout_ms);
    let mut builder = Client::builder()
        .default_headers(headers(key)?)
        .redirect(redirect::Policy::none())
        .timeout(timeout)
        .connect_timeout(timeout.min(CONNECT_TIMEOUT));
    builder = match &settings.proxy {
        Some(proxy) => builder.proxy(Proxy::all(proxy.expose()).map_err(|_| Error::Proxy)?),
        None => builder.no_proxy(),
    };
    if is_plain && settings.proxy.is_none() {
        // Nothing is encrypted, so a system without certificates will do.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| Error::Client(Arc::new(error.without_url())))
}

fn headers(key: Option<&str>) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| Error::Key)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}
