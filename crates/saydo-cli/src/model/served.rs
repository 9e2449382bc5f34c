//! How a server is reached: the address, the key and the proxy come from flags and the environment.

use anyhow::{Context, Result, bail};
use saydo_openai::{Secret, Settings};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where models are served if a key is there and no address.
const OPENAI: &str = "https://api.openai.com/v1";

/// How much a server is asked at once, and how patiently.
pub(super) struct Limits {
    pub(super) max_connections: usize,
    pub(super) max_retries: u32,
    pub(super) timeout_seconds: f64,
}

/// The settings of the model of this name.
pub(super) fn settings(name: &str, base_urls: &[String], limits: &Limits) -> Result<Settings> {
    let api_key = variable("OPENAI_API_KEY");
    let mut urls: Vec<&str> = Vec::new();
    for url in base_urls.iter().map(|url| url.trim()).filter(|url| !url.is_empty()) {
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    let (base_url, others) = match urls.split_first() {
        Some((first, others)) => (*first, others),
        None if api_key.is_some() => (OPENAI, &[][..]),
        None => bail!(
            "openai:{name} needs the address of its server; give --base-url http://127.0.0.1:8080 or set \
             OPENAI_BASE_URL (or OPENAI_API_KEY for OpenAI itself)"
        ),
    };
    let proxy = proxy(base_url);
    if others.iter().any(|other| self::proxy(other) != proxy) {
        bail!(
            "the environment has different proxies for the addresses of {name}, expected one; NO_PROXY excepts hosts"
        );
    }
    let milliseconds = (limits.timeout_seconds * 1000.0).round();
    if !(1.0..=1e12).contains(&milliseconds) {
        bail!("the timeout is {} seconds, expected more than 0", limits.timeout_seconds);
    }
    Ok(Settings {
        api_key: api_key.map(Secret::new),
        proxy: proxy.map(Secret::new),
        other_urls: others.iter().map(|url| (*url).to_owned()).collect(),
        max_connections: limits.max_connections,
        max_retries: limits.max_retries,
        timeout_ms: milliseconds as u64,
        jitter_seed: jitter_seed()?,
        ..Settings::new(base_url, name)
    })
}

/// The model's name alone: servers come, go and move while a run is under way, and whoever has a model of this name may
/// answer.
pub(super) fn fingerprint(settings: &Settings) -> String {
    format!("openai:{}", settings.model)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The proxy that the environment names for this address, unless it excepts the host.
fn proxy(base_url: &str) -> Option<String> {
    let either = |name: &str| variable(&name.to_lowercase()).or_else(|| variable(name));
    let (scheme, rest) = base_url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if is_excepted(host, &either("NO_PROXY").unwrap_or_default()) {
        return None;
    }
    let own = if scheme.eq_ignore_ascii_case("https") { either("HTTPS_PROXY") } else { variable("http_proxy") };
    own.or_else(|| either("ALL_PROXY"))
}

/// Whether `NO_PROXY` names the host: by itself, by a domain it is in, or by `*`. This machine needs no naming.
fn is_excepted(host: &str, no_proxy: &str) -> bool {
    let bare = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let bare = bare.to_lowercase();
    let is_here = bare == "localhost" || bare == "::1" || bare.starts_with("127.");
    is_here
        || no_proxy.split(',').map(|entry| entry.trim().to_lowercase()).any(|entry| {
            let domain = entry.trim_start_matches("*.").trim_start_matches('.');
            entry == "*" || !domain.is_empty() && (bare == domain || bare.ends_with(&format!(".{domain}")))
        })
}

/// Another seed each time, so that many processes do not come back to a busy server in step.
fn jitter_seed() -> Result<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock stands before 1970")?;
    Ok(u64::from(now.subsec_nanos()) ^ u64::from(std::process::id()) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_number_nor_order_of_servers_changes_the_fingerprint() {
        let limits = Limits { max_connections: 8, max_retries: 5, timeout_seconds: 1.0 };
        let of = |urls: &[&str]| {
            let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
            settings("tiny", &urls, &limits).unwrap()
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

    #[test]
    fn hosts_are_excepted_by_name_domain_or_star() {
        for (host, no_proxy) in [("a.b.org:1", "b.org"), ("b.org", ".b.org"), ("x", "y, *"), ("[::1]:80", "")] {
            assert!(is_excepted(host, no_proxy), "{host} {no_proxy}");
        }
        for (host, no_proxy) in [("ab.org", "b.org"), ("b.org", ""), ("b.org", "a.b.org")] {
            assert!(!is_excepted(host, no_proxy), "{host} {no_proxy}");
        }
    }
}
