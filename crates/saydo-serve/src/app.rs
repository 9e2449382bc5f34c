//! What every request has at hand.

use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::identity::Entry;
use crate::limit::Buckets;
use crate::metrics::Metrics;
use crate::middleware::Client;
use crate::page::Pages;
use crate::{Clock, Config, Engine, Error, LocalOwner, Log, Store, lock, password, secret};
use rusqlite::{Connection, OptionalExtension as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;

/// The name under which the password's hash is kept.
const PASSWORD: &str = "owner_password";

/// Passwords that are checked at once.
const CHECKS: usize = 2;
/// Characters that a token needs at least.
const LEAST_TOKEN: usize = 16;

/// A server without its socket. Clones are the same server.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    config: Config,
    store: Store,
    engines: Vec<Engine>,
    clock: Clock,
    log: Log,
    metrics: Metrics,
    pages: Pages,
    requests: Buckets,
    logins: Buckets,
    shared_logins: Buckets,
    /// Passwords that are checked at once; each takes tens of megabytes and milliseconds.
    checks: Semaphore,
    token: Option<String>,
    local_csrf: String,
    /// Held for as long as the server lives.
    _lock: std::fs::File,
}

impl App {
    /// A server with its state opened. Fails if others could reach it and there is no owner's password.
    pub fn new(config: Config, engines: Vec<Engine>, clock: Clock, log: Log) -> Result<Self, Error> {
        let store = Store::open(&config.data)?;
        let lock = lock::take(&config.data)?;
        let state = |failure: Failure| Error::State(failure.reason());
        if !config.is_local() && store.read_now(password_hash).map_err(state)?.is_none() {
            return Err(match config.https && config.listen.ip().is_loopback() {
                true => Error::NoPasswordBehindProxy,
                false => Error::NoPassword { address: config.listen },
            });
        }
        let token = match &config.owner {
            LocalOwner::NewToken => Some(secret::token().map_err(state)?),
            LocalOwner::Token(token) => Some(checked(token)?),
            LocalOwner::Anyone => None,
        };
        let limits = &config.limits;
        let inner = Inner {
            requests: Buckets::new(limits.rate, limits.burst),
            logins: Buckets::new(limits.logins_per_minute / 60.0, limits.logins_per_minute),
            shared_logins: Buckets::new(limits.shared_logins_per_minute / 60.0, limits.shared_logins_per_minute),
            checks: Semaphore::new(CHECKS),
            local_csrf: secret::token().map_err(state)?,
            metrics: Metrics::default(),
            pages: Pages::new(),
            config,
            store,
            engines,
            clock,
            log,
            token,
            _lock: lock,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Sets the owner's password in a folder's state and ends every session of the owner and every program's token, at once
    /// and also on a server that is running.
    pub fn set_password(store: &Store, password: &str) -> Result<(), Error> {
        let hash = password::hash(password)?;
        let set = store.write_now(move |db| {
            db.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)", [PASSWORD, &hash])?;
            db.execute("DELETE FROM session WHERE annotator IS NULL", [])?;
            db.execute("DELETE FROM api_token", [])?;
            Ok(())
        });
        set.map_err(|failure| Error::State(failure.reason()))
    }

    /// The token that makes its bearer the owner as long as there is no password; none if whoever comes is the owner.
    pub fn token(&self) -> Option<&str> {
        self.inner.token.as_deref()
    }

    /// The address that the owner opens when the server listens here: with the token, if one was made and there is no
    /// password.
    pub fn link(&self, address: SocketAddr) -> String {
        let has_password = self.store().read_now(password_hash).is_ok_and(|hash| hash.is_some());
        let is_made = self.inner.config.owner == LocalOwner::NewToken && self.entry(has_password) == Entry::Token;
        match self.token().filter(|_| is_made) {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}"),
        }
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.inner.config
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn engines(&self) -> &[Engine] {
        &self.inner.engines
    }

    /// The model of this name; the first one where none is named.
    pub(crate) fn engine(&self, name: Option<&str>) -> Answered<&Engine> {
        let engines = &self.inner.engines;
        let found = match name {
            None => engines.first(),
            Some(name) => engines.iter().find(|engine| engine.name() == name),
        };
        let names = || engines.iter().map(Engine::name).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| match name {
            Some(name) => Failure::Missing(format!("there is no model {name:?} here, expected one of: {}", names())),
            None => Failure::Missing("no model is loaded; start the server with --model".to_owned()),
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.inner.clock.now()
    }

    pub(crate) fn log(&self) -> &Log {
        &self.inner.log
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    pub(crate) fn pages(&self) -> &Pages {
        &self.inner.pages
    }

    pub(crate) fn requests(&self) -> &Buckets {
        &self.inner.requests
    }

    /// Counts an attempt to log in; if there were too many, how many seconds to wait.
    pub(crate) fn attempt(&self, client: Client, now: Instant) -> Result<(), u64> {
        match client {
            Client::Own(address) => self.inner.logins.take(address, now),
            Client::Shared(address) => self.inner.shared_logins.take(address, now),
        }
    }

    /// Whether this lets one in as the owner: the password, or without one the token. It is read anew each time, so that a
    /// new password counts at once.
    pub(crate) async fn is_owners(&self, secret: String) -> Answered<bool> {
        let hash = self.store().read(password_hash).await?;
        if let Some(hash) = hash {
            let _turn = self.inner.checks.acquire().await.map_err(Failure::internal)?;
            return compute(move || Ok(password::is_right(&secret, &hash))).await;
        }
        let is_token = self.token().is_some_and(|token| secret::same(token, &secret));
        Ok(is_token && self.inner.config.is_local())
    }

    /// How the owner gets in, if there is or is not a password.
    pub(crate) fn entry(&self, has_password: bool) -> Entry {
        match (has_password || !self.inner.config.is_local(), &self.inner.token) {
            (true, _) => Entry::Password,
            (false, Some(_)) => Entry::Token,
            (false, None) => Entry::Open,
        }
    }

    /// The token that pages of a server without accounts send.
    pub(crate) fn local_csrf(&self) -> &str {
        &self.inner.local_csrf
    }
}

/// The hash of the owner's password, if there is one.
pub(crate) fn password_hash(db: &Connection) -> Answered<Option<String>> {
    let mut statement = db.prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
    Ok(statement.query_row([PASSWORD], |row| row.get(0)).optional()?)
}

/// A token that somebody chose, if it can be one.
fn checked(token: &str) -> Result<String, Error> {
    let found = token.chars().count();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match found >= LEAST_TOKEN && token.chars().all(fits) {
        true => Ok(token.to_owned()),
        false => Err(Error::Token { found, expected: LEAST_TOKEN }),
    }
}
