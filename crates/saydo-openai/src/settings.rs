//! What a caller decides about a served model.

use crate::Secret;
use crate::address::without_secrets;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// Where the model is served and how it is asked.
///
/// Unknown fields are refused. Writing or printing settings leaves out the key, the proxy, and the user name, password
/// and query of the URL, so that they can be kept with a run.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The server's address. A bare host (`http://127.0.0.1:8080`) gets `/v1` behind it; a path is kept as it is, with
    /// a trailing slash, `/chat/completions` or `/completions` cut off. A query is sent with every request.
    #[serde(serialize_with = "write_url")]
    pub base_url: String,
    /// Other servers of the same model, in the same form. Which of them answers is nobody's business: requests go where
    /// room is. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "write_urls")]
    pub other_urls: Vec<String>,
    /// The model's name on the server.
    pub model: String,
    /// Sent as a bearer token if present. Servers on this machine usually need none. Default: none.
    #[serde(default, skip_serializing)]
    pub api_key: Option<Secret>,
    /// URL of a proxy that all requests go through. The environment's proxies are not used. Default: none.
    #[serde(default, skip_serializing)]
    pub proxy: Option<Secret>,
    /// How many requests may be in flight at each server, over all threads that use the model; at least 1. There are
    /// fewer at first, and whenever a server is overloaded. Default: 8.
    #[serde(default = "default_max_connections")]
    pub max_connections: usize,
    /// Max retries of a request after a transient error. Default: 5.
    #[serde(default = "default_max_retries")]
    pub max_retries: u32,
    /// How long one attempt may take, from connecting to the last byte, in milliseconds; at least 1. Default: 120,000.
    #[serde(default = "default_timeout_ms")]
    pub timeout_ms: u64,
    /// Which of the server's two ways of generating is used. Default: [`Endpoint::Auto`].
    #[serde(default)]
    pub endpoint: Endpoint,
    /// Seed of the random part of the pauses between attempts. It changes no reply. Default: 0.
    #[serde(default)]
    pub jitter_seed: u64,
    /// Fields added to the body of every request that generates or scores, such as `{"top_k": 0}`. Those that are set
    /// here already are refused. Default: none.
    #[serde(default)]
    pub extra_body: Map<String, Value>,
}

/// Which of a server's ways of generating is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Endpoint {
    /// Chat prompts go to `/chat/completions`, plain ones to `/completions`.
    #[default]
    Auto,
    /// All go to `/chat/completions`, plain ones as a user's turn.
    Chat,
    /// All go to `/completions`, chat prompts bare: the system message, a blank line, the text.
    Completions,
}

impl Settings {
    /// The model of this name at this address, all else by default.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            other_urls: Vec::new(),
            model: model.into(),
            api_key: None,
            proxy: None,
            max_connections: default_max_connections(),
            max_retries: default_max_retries(),
            timeout_ms: default_timeout_ms(),
            endpoint: Endpoint::default(),
            jitter_seed: 0,
            extra_body: Map::new(),
        }
    }

    /// The addresses of all servers.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.base_url.as_str()).chain(self.other_urls.iter().map(String::as_str))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("base_url", &without_secrets(&self.base_url))
            .field("other_urls", &self.other_urls.iter().map(|url| without_secrets(url)).collect::<Vec<_>>())
            .field("model", &self.model)
            .field("api_key", &self.api_key)
            .field("proxy", &self.proxy)
            .field("max_connections", &self.max_connections)
            .field("max_retries", &self.max_retries)
            .field("timeout_ms", &self.timeout_ms)
            .field("endpoint", &self.endpoint)
            .field("jitter_seed", &self.jitter_seed)
            .field("extra_body", &self.extra_body)
            .finish()
    }
}

fn write_url<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&without_secrets(url))
}

fn write_urls<S: Serializer>(urls: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(urls.iter().map(|url| without_secrets(url)))
}

fn default_max_connections() -> usize {
    8
}

fn default_max_retries() -> u32 {
    5
}

fn default_timeout_ms() -> u64 {
    120_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_but_address_and_name_has_a_default() {
        let read: Settings = serde_json::from_str(r#"{"base_url": "http://h", "model": "m"}"#).unwrap();
        assert_eq!(read, Settings::new("http://h", "m"));
    }

    #[test]
    fn one_server_is_written_as_it_always_was() {
        let written = serde_json::to_value(Settings::new("http://h/v1", "m")).unwrap();
        assert!(written.get("other_urls").is_none());
        assert_eq!(serde_json::from_value::<Settings>(written).unwrap(), Settings::new("http://h/v1", "m"));
        let two = Settings { other_urls: vec!["http://g/v1".into()], ..Settings::new("http://h/v1", "m") };
        assert_eq!(serde_json::from_value::<Settings>(serde_json::to_value(&two).unwrap()).unwrap(), two);
    }

    #[test]
    fn refuses_an_unknown_field() {
        let read = serde_json::from_str::<Settings>(r#"{"base_url": "http://h", "model": "m", "retries": 1}"#);
        assert!(read.unwrap_err().to_string().starts_with("unknown field `retries`"));
    }

    #[test]
    fn written_and_printed_settings_hold_no_secrets() {
        let text = r#"{"base_url": "http://u:pass-1@h/v1?key=query-1", "model": "m", "api_key": "key-1",
                       "proxy": "http://x:proxy-1@p", "other_urls": ["http://u:pass-2@g/v1?key=query-2"]}"#;
        let settings: Settings = serde_json::from_str(text).unwrap();
        let seen = format!("{settings:?} {settings:#?} {}", serde_json::to_string(&settings).unwrap());
        for secret in ["pass-1", "query-1", "pass-2", "query-2", "key-1", "proxy-1"] {
            assert!(!seen.contains(secret), "{secret} in {seen}");
        }
        assert!(seen.contains("http://h/v1") && seen.contains("http://g/v1"));
    }
}
