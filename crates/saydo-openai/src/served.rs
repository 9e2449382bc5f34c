//! What all requests to one served model share: its settings, the way to its servers, and what a user should know.

use crate::address::Address;
use crate::pool::{Clock, Pool};
use crate::server::{Server, Switch};
use crate::transport::{Sleep, Transport};
use crate::{Error, Settings, body};
use std::sync::{Arc, Mutex, PoisonError};

/// A model on one server or several.
pub(crate) struct Served {
    pub(crate) settings: Settings,
    pub(crate) transport: Transport,
    /// Some server counts no tokens; then all lengths are estimated, so that they do not depend on who is asked.
    pub(crate) without_tokenize: Switch,
    notes: Mutex<Vec<String>>,
}

impl Served {
    pub(crate) fn new(settings: Settings, sleep: Sleep, clock: Clock) -> Result<Self, Error> {
        check(&settings)?;
        let addresses = settings.urls().map(Address::parse).collect::<Result<Vec<_>, _>>()?;
        let secrets = addresses.iter().flat_map(Address::secrets).collect();
        let is_plain = addresses.iter().all(Address::is_plain);
        let overheard: Vec<String> =
            addresses.iter().filter(|address| address.is_overheard()).map(Address::shown).collect();
        let servers = addresses.into_iter().enumerate().map(|(index, address)| Server::new(index, address)).collect();
        let pool = Arc::new(Pool::new(servers, settings.max_connections, clock, settings.jitter_seed));
        let served = Self {
            transport: Transport::new(&settings, pool, secrets, is_plain, sleep)?,
            settings,
            without_tokenize: Switch::default(),
            notes: Mutex::default(),
        };
        if served.settings.api_key.is_some() {
            for url in overheard {
                served.note(format!("the key goes to {url} unencrypted; use https there"));
            }
        }
        Ok(served)
    }

    pub(crate) fn servers(&self) -> &[Server] {
        &self.transport.pool().servers
    }

    /// Says something once, however often it is noted.
    pub(crate) fn note(&self, note: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn check(settings: &Settings) -> Result<(), Error> {
    if settings.max_connections == 0 {
        return Err(Error::Zero { name: "max_connections" });
    }
    if settings.timeout_ms == 0 {
        return Err(Error::Zero { name: "timeout_ms" });
    }
    match settings.extra_body.keys().find(|name| body::OURS.contains(&name.as_str())) {
        Some(name) => Err(Error::ExtraBody { name: name.clone() }),
        None => Ok(()),
    }
}
