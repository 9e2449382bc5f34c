//! How a server is reached: the addresses and the key that the spec names, the proxy that stands before them.

use super::ServerSpec;
use crate::Error;
use saydo_openai::{OpenAiModel, Secret, Settings, Tally};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where models are served if a key is there and no address.
const OPENAI: &str = "https://api.openai.com/v1";

/// What is known of a served model beside the model.
#[derive(Debug)]
pub struct Served {
    pub(super) model: Arc<OpenAiModel>,
    /// How it is reached.
    pub settings: Settings,
}

impl Served {
    /// How each of its servers did.
    pub fn tallies(&self) -> Vec<Tally> {
        self.model.tallies()
    }

    /// What a user should know about how the servers were used; empty for most.
    pub fn notes(&self) -> Vec<String> {
        self.model.notes()
    }
}

/// The settings of the model of this name.
pub(super) fn settings(name: &str, server: &ServerSpec) -> Result<Settings, Error> {
    let mut urls: Vec<&str> = Vec::new();
    for url in server.base_urls.iter().map(|url| url.trim()).filter(|url| !url.is_empty()) {
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    let reach = &server.reach;
    let (base_url, others) = match urls.split_first() {
        Some((first, others)) => (*first, others),
        None if reach.api_key.is_some() => (OPENAI, &[][..]),
        None => return Err(Error::NoServer { model: name.to_owned() }),
    };
    let proxy = reach.proxies.of(base_url);
    if others.iter().any(|other| reach.proxies.of(other) != proxy) {
        return Err(Error::SeveralProxies { model: name.to_owned() });
    }
    let milliseconds = (server.timeout_seconds * 1000.0).round();
    if !(1.0..=1e12).contains(&milliseconds) {
        return Err(Error::Timeout { seconds: server.timeout_seconds });
    }
    Ok(Settings {
        api_key: reach.api_key.clone(),
        proxy: proxy.map(|proxy| Secret::new(proxy.to_owned())),
        other_urls: others.iter().map(|url| (*url).to_owned()).collect(),
        max_connections: server.max_connections,
        max_retries: server.max_retries,
        timeout_ms: milliseconds as u64,
        jitter_seed: jitter_seed(),
        ..Settings::new(base_url, name)
    })
}

/// The model's name alone: servers come, go and move while a run is under way, and whoever has a model of this name may
/// answer.
pub(super) fn fingerprint(settings: &Settings) -> String {
    format!("openai:{}", settings.model)
}

/// Another seed each time, so that many processes do not come back to a busy server in step.
fn jitter_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ u64::from(std::process::id()) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_number_nor_order_of_servers_changes_the_fingerprint() {
        let of = |urls: &[&str]| {
            let base_urls = urls.iter().map(|url| (*url).to_owned()).collect();
            settings("tiny", &ServerSpec { base_urls, ..ServerSpec::default() }).unwrap()
        };
        let both = of(&["http://127.0.0.1:1", "", "http://127.0.0.1:2", "http://127.0.0.1:1"]);
        assert_eq!(
            (both.base_url.as_str(), &both.other_urls[..]),
            ("http://127.0.0.1:1", &["http://127.0.0.1:2".to_owned()][..])
        );
        for settings in [both, of(&["http://127.0.0.1:2", "http://127.0.0.1:1"]), of(&["http://127.0.0.1:3"])] {
            assert_eq!(fingerprint(&settings), "openai:tiny");
        }
    }
}
