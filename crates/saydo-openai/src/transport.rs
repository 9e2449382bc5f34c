//! Asking the server: so many at once, again if it fails in passing, and never a secret in what comes back.

use crate::address::{Address, shown};
use crate::excerpt::excerpt;
use crate::failure::Failure;
use crate::field::Unusable;
use crate::{Error, Settings, backoff};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Proxy, Response, Url, redirect};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;

/// The longest answer that is read: log-probabilities of a prompt of 100,000 tokens fit well.
const LONGEST_ANSWER: usize = 64 << 20;
/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Waits; an argument, so that tests need not.
pub(crate) type Sleep = Arc<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The way to one server.
pub(crate) struct Transport {
    client: Client,
    connections: Semaphore,
    secrets: Vec<String>,
    key_given: bool,
    max_retries: u32,
    timeout_ms: u64,
    jitter_seed: u64,
    tickets: AtomicU64,
    sleep: Sleep,
}

impl Transport {
    pub(crate) fn new(settings: &Settings, address: &Address, sleep: Sleep) -> Result<Self, Error> {
        let key = settings.api_key.as_ref().map(|key| key.expose().to_owned()).filter(|key| !key.is_empty());
        let proxy = settings.proxy.as_ref().map(|proxy| proxy.expose().to_owned());
        Ok(Self {
            client: client(settings, address, key.as_deref())?,
            connections: Semaphore::new(settings.max_connections.min(Semaphore::MAX_PERMITS)),
            key_given: key.is_some(),
            secrets: key.into_iter().chain(proxy).chain(address.secrets()).collect(),
            max_retries: settings.max_retries,
            timeout_ms: settings.timeout_ms,
            jitter_seed: settings.jitter_seed,
            tickets: AtomicU64::new(0),
            sleep,
        })
    }

    /// Posts `body` to `url`, or gets `url` if there is none, and reads the answer with `read`.
    ///
    /// The connection's place is kept through the pauses between attempts: a server in trouble is asked less.
    pub(crate) async fn ask<T>(
        &self,
        url: &Url,
        body: Option<&Value>,
        read: impl Fn(&Value) -> Result<T, Unusable>,
    ) -> Result<T, Error> {
        let _place = self.connections.acquire().await.expect("the semaphore is never closed");
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let (mut attempts, mut unusable) = (0, 0);
        loop {
            let failure = match self.attempt(url, body, &read).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            attempts += 1;
            unusable += u32::from(matches!(failure, Failure::Unusable { .. }));
            if !failure.is_passing() || attempts > self.max_retries || unusable > 1 {
                return Err(failure.into_error(shown(url), attempts, self.timeout_ms, self.key_given));
            }
            (self.sleep)(backoff::pause(self.jitter_seed, ticket, attempts - 1, failure.asked())).await;
        }
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
fn client(settings: &Settings, address: &Address, key: Option<&str>) -> Result<Client, Error> {
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
    if address.is_plain() && settings.proxy.is_none() {
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
