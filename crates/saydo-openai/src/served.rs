//! What all requests to one served model share: its settings, the way to it, and what it turned out to be unable to do.

use crate::address::Address;
use crate::transport::{Sleep, Transport};
use crate::{Error, Settings, body};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::sync::OnceCell;

/// A model on a server.
pub(crate) struct Served {
    pub(crate) settings: Settings,
    pub(crate) address: Address,
    pub(crate) transport: Transport,
    /// The server refuses `logprobs` when it generates.
    pub(crate) without_log_probs: Switch,
    /// The server wants `max_completion_tokens` in place of `max_tokens`.
    pub(crate) renamed_max_tokens: Switch,
    /// The server takes a schema as part of `json_object`, an older way, and not as `json_schema`.
    pub(crate) schema_in_json_object: Switch,
    /// The server counts no tokens.
    pub(crate) without_tokenize: Switch,
    /// Whether the server is vLLM; found out when it matters.
    pub(crate) is_vllm: OnceCell<bool>,
    notes: Mutex<Vec<String>>,
}

impl Served {
    pub(crate) fn new(settings: Settings, sleep: Sleep) -> Result<Self, Error> {
        check(&settings)?;
        let address = Address::parse(&settings.base_url)?;
        let served = Self {
            transport: Transport::new(&settings, &address, sleep)?,
            address,
            settings,
            without_log_probs: Switch::default(),
            renamed_max_tokens: Switch::default(),
            schema_in_json_object: Switch::default(),
            without_tokenize: Switch::default(),
            is_vllm: OnceCell::new(),
            notes: Mutex::default(),
        };
        if served.settings.api_key.is_some() && served.address.is_overheard() {
            served.note(format!("the key goes to {} unencrypted; use https there", served.address.shown()));
        }
        Ok(served)
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

/// Something learned about a server, for good.
#[derive(Default)]
pub(crate) struct Switch(AtomicBool);

impl Switch {
    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn turn_on(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
