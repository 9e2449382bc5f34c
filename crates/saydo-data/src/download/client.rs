//! HTTP: one request at a time, redirects followed, the body in pieces. Async stays inside: a runtime of this thread runs
//! whenever something is waited for.

use super::{Resume, Start, shown};
use crate::error::Error;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_RANGE, LAST_MODIFIED, RANGE};
use reqwest::redirect::{self, Attempt};
use reqwest::{ClientBuilder, Response, StatusCode, Url};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const MOST_REDIRECTS: usize = 10;

/// Asks servers for files.
pub(crate) struct Client {
    runtime: Runtime,
    http: reqwest::Client,
}

/// A server's answer, whose body is still to be read.
pub(crate) struct Reply<'a> {
    client: &'a Client,
    response: Response,
    address: String,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
}

impl Client {
    /// A client that gives up on a server that is silent for so long. With `system_proxy`, requests go through the proxy
    /// that the environment names.
    pub(crate) fn new(silence: Duration, system_proxy: bool) -> Result<Self, Error> {
        let failed = |reason: String| Error::Client { reason };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(error.to_string()))?;
        // A system without certificates still reaches mirrors that do not encrypt.
        let http = builder(silence, system_proxy)
            .build()
            .or_else(|_| builder(silence, system_proxy).tls_certs_only([]).build())
            .map_err(|error| failed(innermost(&error)))?;
        Ok(Self { runtime, http })
    }

    /// Asks for a file, or for the rest of it.
    pub(crate) fn ask(&self, url: &Url, resume: Option<&Resume>) -> Result<Reply<'_>, Error> {
        // Compressed on the way, bytes could neither be counted nor gone on with.
        let mut request = self.http.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        if let Some(resume) = resume {
            request = request.header(RANGE, format!("bytes={}-", resume.from));
            if let Some(state) = &resume.unless_changed {
                request = request.header(IF_RANGE, state);
            }
        }
        let response = self.runtime.block_on(async { request.send().await }).map_err(|error| failure(&error, url))?;
        let is_answer = [StatusCode::OK, StatusCode::PARTIAL_CONTENT].contains(&response.status())
            || resume.is_some() && response.status() == StatusCode::RANGE_NOT_SATISFIABLE;
        if !is_answer {
            return Err(refusal(response.status(), url));
        }
        let (etag, last_modified) = (text(response.headers(), ETAG), text(response.headers(), LAST_MODIFIED));
        Ok(Reply { client: self, response, address: shown(url), etag, last_modified })
    }
}

impl Reply<'_> {
    /// What the body begins with.
    pub(crate) fn start(&self) -> Start {
        let range = text(self.response.headers(), CONTENT_RANGE).unwrap_or_default();
        match self.response.status() {
            StatusCode::PARTIAL_CONTENT => Start::Rest { from: first_byte(&range).unwrap_or(u64::MAX) },
            StatusCode::RANGE_NOT_SATISFIABLE => {
                Start::Nothing { total: range.rsplit_once('/').and_then(|(_, total)| total.parse().ok()) }
            }
            _ => Start::Whole,
        }
    }

    /// The length of the body, if the server says so.
    pub(crate) fn length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// The next piece of the body; nothing at its end.
    pub(crate) fn chunk(&mut self) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, Error> {
        let chunk = self.client.runtime.block_on(async { self.response.chunk().await });
        chunk.map_err(|error| Error::Broken { address: self.address.clone(), reason: innermost(&error) })
    }
}

fn builder(silence: Duration, system_proxy: bool) -> ClientBuilder {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("saydo/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::custom(follow))
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT.min(silence))
        .read_timeout(silence);
    if system_proxy { builder } else { builder.no_proxy() }
}

fn follow(attempt: Attempt<'_>) -> redirect::Action {
    let is_unsafe =
        attempt.previous().last().is_some_and(|from| from.scheme() == "https") && attempt.url().scheme() != "https";
    if is_unsafe {
        let to = shown(attempt.url());
        return attempt.error(format!("from an encrypted address to {to}, which is not"));
    }
    if attempt.previous().len() > MOST_REDIRECTS {
        return attempt.error(format!("more than {MOST_REDIRECTS} times"));
    }
    attempt.follow()
}

/// Why there is no answer.
fn failure(error: &reqwest::Error, url: &Url) -> Error {
    let (address, reason) = (shown(url), innermost(error));
    if error.is_redirect() {
        return Error::Redirect { address, reason };
    }
    // After a redirect, it may be another server that is out of reach.
    let asked = error.url().unwrap_or(url);
    let host = asked.host_str().unwrap_or_default();
    let host = asked.port().map_or(host.to_owned(), |port| format!("{host}:{port}"));
    match error.is_connect() || error.is_timeout() {
        true => Error::Unreachable { host, reason },
        false => Error::Broken { address, reason },
    }
}

fn refusal(status: StatusCode, url: &Url) -> Error {
    let is_passing =
        status.is_server_error() || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
    Error::Status { address: shown(url), status: status.to_string(), is_passing }
}

/// What the system said, below the layers that only repeat that something failed.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// The `12` of `bytes 12-99/100`.
fn first_byte(range: &str) -> Option<u64> {
    range.strip_prefix("bytes ")?.split_once('-')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_bad_ones_are_none() {
        assert_eq!(first_byte("bytes 12-99/100"), Some(12));
        assert_eq!(first_byte("bytes 0-0/*"), Some(0));
        for bad in ["", "bytes", "bytes */100", "12-99/100", "bytes -5"] {
            assert_eq!(first_byte(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let url = Url::parse("https://me:word@example.org:8443/a%20b?key=1#x").unwrap();
        assert_eq!(shown(&url), "https://example.org:8443/a%20b");
    }
}
