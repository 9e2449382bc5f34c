//! What the environment says about this machine: where models are kept, keys, proxies. The only place of the library that
//! asks it; everything below is told.

use crate::Error;
use etcetera::BaseStrategy;
use saydo_hub::Transfer;
use saydo_hub::hugging_face::{Access, Token};
use std::path::{Path, PathBuf};

/// Where a server is reached from here: the key, and the proxies by their variables.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// The key of OpenAI-compatible servers: `OPENAI_API_KEY`.
    pub api_key: Option<saydo_openai::Secret>,
    /// Proxies of outgoing connections.
    pub proxies: Proxies,
}

/// Proxies of outgoing connections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For `https:` addresses.
    pub https: Option<String>,
    /// For `http:` addresses. Only the lower-case variable counts: a client can set the upper-case one of a CGI program.
    pub http: Option<String>,
    /// For all others.
    pub all: Option<String>,
    /// Hosts that are reached directly, with commas between.
    pub except: String,
}

/// The key and the proxies that the environment names.
pub fn reach() -> Reach {
    let either = |name: &str| variable(&name.to_lowercase()).or_else(|| variable(name));
    let proxies = Proxies {
        https: either("HTTPS_PROXY"),
        http: variable("http_proxy"),
        all: either("ALL_PROXY"),
        except: either("NO_PROXY").unwrap_or_default(),
    };
    Reach { api_key: variable("OPENAI_API_KEY").map(saydo_openai::Secret::new), proxies }
}

/// Where models, datasets and runs are kept on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(PathBuf);

impl Home {
    /// The folder that is named, or else the one that the environment names.
    pub fn of_environment(named: Option<&Path>) -> Result<Self, Error> {
        home(named).map(Self)
    }

    /// The folder that everything is kept below.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The folder of runs that were given no folder of their own.
    pub fn runs(&self) -> PathBuf {
        self.0.join("runs")
    }

    /// The folder of answers that queries over tables have been given.
    pub fn answers(&self) -> PathBuf {
        self.0.join("answers")
    }

    /// The folder of answers to labelled rows.
    pub fn checks(&self) -> PathBuf {
        self.0.join("checks")
    }

    /// The file of how fast models were on this machine.
    pub fn speeds(&self) -> PathBuf {
        self.0.join("speeds.json")
    }

    /// The folder of pulled datasets.
    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// The folder of what a server keeps.
    pub fn server(&self) -> PathBuf {
        self.0.join("serve")
    }
}

impl From<PathBuf> for Home {
    fn from(folder: PathBuf) -> Self {
        Self(folder)
    }
}

/// The folder that everything is kept below, if none is named: `SAYDO_HOME`, or `saydo` in the platform's cache folder.
pub fn home(named: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(home) = named.map(Path::to_owned).or_else(|| folder("SAYDO_HOME")) {
        return Ok(home);
    }
    let base = etcetera::base_strategy::choose_native_strategy();
    Ok(base.map_err(|_| Error::NoHome)?.cache_dir().join("saydo"))
}

/// Hugging Face as its own tools are set up: `HF_HUB_CACHE`, `HF_HOME`, `HF_ENDPOINT`, `HF_HUB_OFFLINE`, and the token in
/// `HF_TOKEN`, or in the file that `HF_TOKEN_PATH` names or logging in writes.
pub fn hugging_face() -> Result<Access, Error> {
    let text = |name| variable(name).map(|value| value.trim().to_owned());
    let is_set = |name| text(name).is_some_and(|value| is_true(&value));
    let usual = || {
        let caches = folder("XDG_CACHE_HOME").or_else(|| Some(etcetera::home_dir().ok()?.join(".cache")));
        Some(caches?.join("huggingface"))
    };
    let home = folder("HF_HOME").or_else(usual);
    let cache = folder("HF_HUB_CACHE").or_else(|| Some(home.as_ref()?.join("hub")));
    let saved = || {
        let path = folder("HF_TOKEN_PATH").or_else(|| Some(home.as_ref()?.join("token")))?;
        let token = std::fs::read_to_string(path).ok()?.trim().to_owned();
        Some(token).filter(|token| !token.is_empty())
    };
    let token = if is_set("HF_HUB_DISABLE_IMPLICIT_TOKEN") { None } else { text("HF_TOKEN").or_else(saved) };
    Ok(Access {
        cache: cache.ok_or(Error::NoHuggingFaceHome)?,
        endpoint: text("HF_ENDPOINT"),
        token: token.map(Token),
        offline: is_set("HF_HUB_OFFLINE"),
        transfer: Transfer::default(),
    })
}

fn folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// As Hugging Face's tools read switches.
fn is_true(value: &str) -> bool {
    ["1", "on", "yes", "true"].contains(&value.to_lowercase().as_str())
}

impl Proxies {
    /// The proxy for this address, unless its host is excepted.
    pub(crate) fn of(&self, base_url: &str) -> Option<&str> {
        let (scheme, rest) = base_url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if is_excepted(host, &self.except) {
            return None;
        }
        let own = if scheme.eq_ignore_ascii_case("https") { &self.https } else { &self.http };
        own.as_deref().or(self.all.as_deref())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
