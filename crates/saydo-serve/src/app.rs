//! What every request has at hand.

use crate::failure::{Answered, Failure};
use crate::limit::Buckets;
use crate::metrics::Metrics;
use crate::page::Pages;
use crate::{Clock, Config, Engine, Error, Log, Store, password, secret};
use rusqlite::OptionalExtension as _;
use std::sync::Arc;

/// The name under which the password's hash is kept.
const PASSWORD: &str = "owner_password";

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
    password: Option<String>,
    local_csrf: String,
}

impl App {
    /// A server with its state opened. Fails if others could reach it and there is no owner's password.
    pub fn new(config: Config, engines: Vec<Engine>, clock: Clock, log: Log) -> Result<Self, Error> {
        let store = Store::open(&config.data)?;
        let state = |failure: Failure| Error::State(format!("{failure:?}"));
        let password = store.read_now(|db| {
            let query = "SELECT value FROM setting WHERE name = ?1";
            Ok(db.query_row(query, [PASSWORD], |row| row.get::<_, String>(0)).optional()?)
        });
        let password = password.map_err(state)?;
        if !config.is_local() && password.is_none() {
            return Err(Error::NoPassword { address: config.listen });
        }
        let limits = &config.limits;
        let inner = Inner {
            requests: Buckets::new(limits.rate, limits.burst),
            logins: Buckets::new(limits.logins_per_minute / 60.0, limits.logins_per_minute),
            local_csrf: secret::token().map_err(state)?,
            metrics: Metrics::default(),
            pages: Pages::new(),
            config,
            store,
            engines,
            clock,
            log,
            password,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Sets the owner's password in a folder's state and ends every session of the owner.
    pub fn set_password(store: &Store, password: &str) -> Result<(), Error> {
        let hash = password::hash(password)?;
        let set = store.write_now(move |db| {
            db.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)", [PASSWORD, &hash])?;
            db.execute("DELETE FROM session WHERE annotator IS NULL", [])?;
            Ok(())
        });
        set.map_err(|failure| Error::State(format!("{failure:?}")))
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

    pub(crate) fn logins(&self) -> &Buckets {
        &self.inner.logins
    }

    /// Whether one has to say who one is.
    pub(crate) fn needs_accounts(&self) -> bool {
        self.inner.password.is_some() || !self.inner.config.is_local()
    }

    /// Whether this is the owner's password; takes a while by design.
    pub(crate) fn is_password(&self, password: &str) -> bool {
        self.inner.password.as_deref().is_some_and(|hash| password::is_right(password, hash))
    }

    /// The token that pages of a server without accounts send.
    pub(crate) fn local_csrf(&self) -> &str {
        &self.inner.local_csrf
    }
}
