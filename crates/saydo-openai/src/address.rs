//! Where a server's endpoints are, and how an address is shown without what it hides.

use crate::Error;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::percent_decode_str;
use reqwest::Url;
use std::net::IpAddr;

/// A server's base address, its path without a trailing slash.
#[derive(Clone)]
pub(crate) struct Address(Url);

impl Address {
    /// Reads a base URL as [`crate::Settings::base_url`] documents it.
    pub(crate) fn parse(base_url: &str) -> Result<Self, Error> {
        let wrong = |reason: String| Error::BaseUrl { url: without_secrets(base_url), reason };
        let mut url = Url::parse(base_url).map_err(|error| wrong(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(format!("its scheme is {:?}", url.scheme())));
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix("/completions").map_or(path, |path| path.strip_suffix("/chat").unwrap_or(path));
        let path = if path.is_empty() { "/v1".to_owned() } else { path.to_owned() };
        url.set_path(&path);
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address of a path below the base, such as `chat/completions`.
    pub(crate) fn endpoint(&self, path: &str) -> Url {
        self.with_path(&format!("{}/{path}", self.0.path()))
    }

    /// The address of a path beside `/v1`, where servers keep what OpenAI does not have.
    pub(crate) fn beside(&self, path: &str) -> Url {
        let root = self.0.path();
        self.with_path(&format!("{}/{path}", root.strip_suffix("/v1").unwrap_or(root)))
    }

    fn with_path(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(path);
        url
    }

    /// Whether a key sent there crosses a network unencrypted.
    pub(crate) fn is_overheard(&self) -> bool {
        self.0.scheme() == "http" && !self.is_loopback()
    }

    /// Whether encryption is never needed to reach it.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// The parts of the address that nobody should see.
    pub(crate) fn secrets(&self) -> Vec<String> {
        secrets(&self.0)
    }

    /// The address as it may be seen.
    pub(crate) fn shown(&self) -> String {
        shown(&self.0)
    }
}

/// The parts of a URL that nobody should see, in every form a server may repeat them: as they stand in the URL, without
/// its percent signs, and as the header that user name and password are sent in.
pub(crate) fn secrets(url: &Url) -> Vec<String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut secrets: Vec<String> = url.query_pairs().map(|(_, value)| value.into_owned()).collect();
    secrets.extend(url.query().into_iter().flat_map(|query| query.split('&')).filter_map(|pair| {
        let (_, value) = pair.split_once('=')?;
        Some(value.to_owned())
    }));
    if let Some(password) = url.password() {
        let pair = format!("{}:{}", decoded(url.username()), decoded(password));
        let encodings = [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD].map(|encoding| encoding.encode(&pair));
        secrets.extend([password.to_owned(), decoded(password)].into_iter().chain(encodings));
    } else if !url.username().is_empty() {
        // A user name alone is often a token, and is sent in the same header.
        let pair = format!("{}:", decoded(url.username()));
        secrets.extend([&STANDARD_NO_PAD, &URL_SAFE_NO_PAD].map(|encoding| encoding.encode(&pair)));
    }
    // The longest first, so that none is left in half by a shorter one within it.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// A URL without user name, password, query and fragment.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // A URL without host cannot hold a user name, so a refusal leaves nothing behind.
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

/// The same of a text that may not be a URL: what cannot be read is not shown at all if it might hold a secret.
pub(crate) fn without_secrets(text: &str) -> String {
    match Url::parse(text) {
        Ok(url) if !url.cannot_be_a_base() => shown(&url),
        _ if text.contains(['@', '?']) => "***".to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_completed_or_kept() {
        let chat = |base: &str| Address::parse(base).unwrap().endpoint("chat/completions").to_string();
        for base in ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"] {
            assert_eq!(chat(base), "http://h:1/v1/chat/completions");
        }
        assert_eq!(chat("http://h:1/v1/chat/completions"), "http://h:1/v1/chat/completions");
        assert_eq!(chat("http://h:1/v1/completions"), "http://h:1/v1/chat/completions");
        assert_eq!(chat("https://h/v1beta/openai/"), "https://h/v1beta/openai/chat/completions");
        assert_eq!(
            chat("https://h/deployments/m?api-version=1"),
            "https://h/deployments/m/chat/completions?api-version=1"
        );
    }

    #[test]
    fn tokenize_stands_beside_the_version() {
        let tokenize = |base: &str| Address::parse(base).unwrap().beside("tokenize").to_string();
        assert_eq!(tokenize("http://h:1"), "http://h:1/tokenize");
        assert_eq!(tokenize("http://h:1/sub/v1"), "http://h:1/sub/tokenize");
    }

    #[test]
    fn refuses_what_is_not_a_web_address() {
        let refusal = |base: &str| Address::parse(base).err().unwrap().to_string();
        insta::assert_snapshot!(refusal("localhost:8080"), @r#"cannot use "localhost:8080" as a base URL: its scheme is "localhost"; expected something like http://127.0.0.1:8080/v1"#);
        insta::assert_snapshot!(refusal("127.0.0.1"), @r#"cannot use "127.0.0.1" as a base URL: relative URL without a base; expected something like http://127.0.0.1:8080/v1"#);
        insta::assert_snapshot!(refusal("u:p@h?q"), @r#"cannot use "***" as a base URL: its scheme is "u"; expected something like http://127.0.0.1:8080/v1"#);
    }

    #[test]
    fn a_password_is_a_secret_in_every_form_it_travels_in() {
        let address = Address::parse("http://us%65r:p%40ss%2Fword@h/v1?token=a%2Bb").unwrap();
        let secrets = address.secrets();
        for form in ["p%40ss%2Fword", "p@ss/word", "dXNlcjpwQHNzL3dvcmQ", "a%2Bb", "a+b"] {
            assert!(secrets.iter().any(|secret| secret == form), "{form}");
        }
    }

    #[test]
    fn knows_who_can_listen() {
        let overheard = |base: &str| Address::parse(base).unwrap().is_overheard();
        assert!(!overheard("http://localhost:1") && !overheard("http://127.0.0.2") && !overheard("http://[::1]:1"));
        assert!(!overheard("https://h") && overheard("http://h"));
    }
}
