//! HTTP: one request at a time, redirects followed, the body in pieces. Async stays inside: a runtime of this thread runs
//! whenever something is waited for.

use super::{Resume, Start, Transfer, shown};
use crate::error::Error;
use crate::hugging_face::Token;
use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_RANGE, LAST_MODIFIED, LINK, RANGE,
};
use reqwest::redirect::{self, Attempt};
use reqwest::{ClientBuilder, Response, StatusCode, Url};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_REDIRECTS: usize = 10;

/// Asks servers for files.
pub(crate) struct Client {
    runtime: Runtime,
    http: reqwest::Client,
    transfer: Transfer,
    token: Option<Token>,
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
    /// A client that shows a token to the servers it asks, but not to those they send it on to.
    pub(crate) fn new(transfer: &Transfer, token: Option<&Token>) -> Result<Self, Error> {
        let failed = |reason: String| Error::Client { reason };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(error.to_string()))?;
        // A system without certificates still reaches mirrors that do not encrypt.
        let http = builder(transfer)
            .build()
            .or_else(|_| builder(transfer).tls_certs_only([]).build())
            .map_err(|error| failed(innermost(&error)))?;
        Ok(Self { runtime, http, transfer: transfer.clone(), token: token.cloned() })
    }

    /// Retries transient errors until success, a permanent error or the limit.
    pub(crate) fn patiently<T>(&self, mut attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            match attempt() {
                Err(error) if error.is_passing() && failures < self.transfer.max_retries => {
                    std::thread::sleep(self.transfer.first_pause * 2_u32.saturating_pow(failures.min(6)));
                    failures += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Asks for a text of limited size; also the address of its next page, if the server names one.
    pub(crate) fn text(&self, url: &Url, max_bytes: usize) -> Result<(Vec<u8>, Option<Url>), Error> {
        self.patiently(|| {
            let mut reply = self.ask(url, None)?;
            let mut text = Vec::new();
            while let Some(chunk) = reply.chunk()? {
                text.extend_from_slice(&chunk);
                if text.len() > max_bytes {
                    let (name, what) = (reply.address, "the answer".to_owned());
                    return Err(Error::TooLarge { name, what, limit: max_bytes as u64 });
                }
            }
            let link = header(reply.response.headers(), LINK).unwrap_or_default();
            Ok((text, next_page(&link).and_then(|next| url.join(next).ok())))
        })
    }

    /// Asks for a file, or for the rest of it.
    pub(crate) fn ask(&self, url: &Url, resume: Option<&Resume>) -> Result<Reply<'_>, Error> {
        // Compressed on the way, bytes could be neither counted nor resumed.
        let mut request = self.http.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        if let Some(Token(token)) = &self.token {
            request = request.bearer_auth(token);
        }
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
        let (etag, last_modified) = (header(response.headers(), ETAG), header(response.headers(), LAST_MODIFIED));
        Ok(Reply { client: self, response, address: shown(url), etag, last_modified })
    }
}

impl Reply<'_> {
    /// What the body begins with.
    pub(crate) fn start(&self) -> Start {
        let range = header(self.response.headers(), CONTENT_RANGE).unwrap_or_default();
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

/// The address of a path below another address; each part is escaped as it needs to be.
pub(crate) fn url_below(base: &str, path: &str) -> Result<Url, Error> {
    let mut url = crate::catalog::url(base)?;
    let mut parts = url.path_segments_mut().expect("an address with a host has a path");
    parts.pop_if_empty().extend(path.split('/'));
    drop(parts);
    Ok(url)
}

fn builder(transfer: &Transfer) -> ClientBuilder {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("saydo/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::custom(follow))
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT.min(transfer.timeout))
        .read_timeout(transfer.timeout);
    if transfer.system_proxy { builder } else { builder.no_proxy() }
}

fn follow(attempt: Attempt<'_>) -> redirect::Action {
    let is_unsafe =
        attempt.previous().last().is_some_and(|from| from.scheme() == "https") && attempt.url().scheme() != "https";
    if is_unsafe {
        let to = shown(attempt.url());
        return attempt.error(format!("from an encrypted address to {to}, which is not"));
    }
    if attempt.previous().len() > MAX_REDIRECTS {
        return attempt.error(format!("more than {MAX_REDIRECTS} times"));
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
    if error.is_connect() || error.is_timeout() {
        Error::Unreachable { host, reason }
    } else {
        Error::Broken { address, reason }
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

fn header(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// The `12` of `bytes 12-99/100`.
fn first_byte(range: &str) -> Option<u64> {
    range.strip_prefix("bytes ")?.split_once('-')?.0.trim().parse().ok()
}

/// The `A` of `<A>; rel="next"`, among other links.
fn next_page(links: &str) -> Option<&str> {
    let next = links.split(',').find(|link| link.contains("rel=\"next\""))?;
    Some(next.split_once('<')?.1.split_once('>')?.0)
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
    fn the_next_page_is_found_among_links() {
        assert_eq!(next_page("<https://a/b?c=d>; rel=\"next\""), Some("https://a/b?c=d"));
        assert_eq!(next_page("</x>; rel=\"prev\", </y>; rel=\"next\""), Some("/y"));
        assert_eq!(next_page("<https://a>; rel=\"last\""), None);
        assert_eq!(next_page(""), None);
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let url = Url::parse("https://me:word@example.org:8443/a%20b?key=1#x").unwrap();
        assert_eq!(shown(&url), "https://example.org:8443/a%20b");
    }
}
