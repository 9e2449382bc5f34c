//! Which model and how it is run or reached, as flags and files say it; and the places that a model is looked for in.

use super::{AdapterChoice, DEFAULT_MODEL, ModelSpec, ServerSpec, Session, Skill};
use crate::Error;
use crate::environment::{self, Home, Reach};
use saydo_hub::{Catalog, Store};
use saydo_model::{BatchSize, EngineSettings};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::{Path, PathBuf};

/// Which model, and how it is run or reached. Keys in files are the names of flags.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelSettings {
    /// A name of the catalog, a path, `hf:owner/repo[/file]`, `openai:NAME`, or `scripted`. Default: [`DEFAULT_MODEL`].
    #[serde(rename = "model")]
    pub name: String,
    /// A folder in PEFT's layout, or `none`. Default: the adapter that ships for this model and job, if any.
    #[serde(deserialize_with = "adapter_of")]
    pub adapter: Option<AdapterChoice>,
    /// Addresses of the servers of an `openai:` model. Default: none.
    pub base_url: Vec<String>,
    /// Max concurrent requests to each server. Default: 8.
    pub max_connections: usize,
    /// Max retries of a request after a transient error. Default: 5.
    pub max_retries: u32,
    /// Seconds that a request may take. Default: 120.
    pub timeout: f64,
    /// Sequences that run together. Default: as many as fit the cache.
    #[serde(deserialize_with = "batch_size_of")]
    pub batch_size: BatchSize,
    /// Threads that compute. Default: one for each core.
    pub threads: Option<usize>,
    /// Max tokens of a free-text reply. Default: 256; under a protocol, the paper's.
    pub max_tokens: Option<usize>,
    /// Sampling temperature of free-text replies; 0 = greedy. Default: 0.
    pub temperature: f64,
    /// The seed of everything random. Default: 0.
    pub seed: u64,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            name: DEFAULT_MODEL.to_owned(),
            adapter: None,
            base_url: Vec::new(),
            max_connections: 8,
            max_retries: 5,
            timeout: 120.0,
            batch_size: BatchSize::Auto,
            threads: None,
            max_tokens: None,
            temperature: 0.0,
            seed: 0,
        }
    }
}

/// Where models are looked for, and how servers are reached from here.
#[derive(Debug, Clone)]
pub struct Places {
    /// Everything of ours on this machine.
    pub home: Home,
    /// Models that can be named.
    pub catalog: Catalog,
    /// Where Hugging Face's tools keep what they fetched.
    pub hugging_face_cache: PathBuf,
    /// Key and proxies.
    pub reach: Reach,
}

impl Places {
    /// The places that the environment names, with the built-in catalog.
    pub fn of_environment() -> Result<Self, Error> {
        Ok(Self {
            home: Home::of_environment(None)?,
            catalog: Catalog::built_in(),
            hugging_face_cache: environment::hugging_face()?.cache,
            reach: environment::reach(),
        })
    }

    /// The folder of pulled models and datasets.
    pub fn store(&self) -> Store {
        Store::new(self.home.folder().to_owned())
    }
}

impl ModelSettings {
    /// The defaults, for a model of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The model at these places, with the adapter that ships for a skill, if any, unless the settings name another.
    pub fn spec(&self, places: &Places, skill: Option<Skill>) -> ModelSpec {
        let shipped = skill.map_or(AdapterChoice::None, AdapterChoice::Shipped);
        ModelSpec {
            adapter: self.adapter.clone().unwrap_or(shipped),
            server: ServerSpec {
                base_urls: self.base_url.clone(),
                max_connections: self.max_connections,
                max_retries: self.max_retries,
                timeout_seconds: self.timeout,
                reach: places.reach.clone(),
            },
            batch_size: self.batch_size,
            threads: self.thread_count(),
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            seed: self.seed,
            catalog: places.catalog.clone(),
            ..ModelSpec::new(&self.name, places.store(), places.hugging_face_cache.clone())
        }
    }

    /// Opens the model for functions.
    pub fn open(&self, places: &Places) -> Result<Session, Error> {
        self.spec(places, Some(Skill::Functions)).open()
    }

    /// Threads that compute.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(|| EngineSettings::default().threads)
    }

    /// Whether weights are used without any adapter.
    pub fn is_bare(&self) -> bool {
        self.adapter == Some(AdapterChoice::None)
    }

    /// The adapter's folder, if the settings name one.
    pub fn adapter_folder(&self) -> Option<&Path> {
        match &self.adapter {
            Some(AdapterChoice::Folder(folder)) => Some(folder),
            _ => None,
        }
    }

    /// The same model with another adapter: a folder, or none.
    #[must_use]
    pub fn with_adapter(self, folder: Option<PathBuf>) -> Self {
        Self { adapter: Some(folder.map_or(AdapterChoice::None, AdapterChoice::Folder)), ..self }
    }

    /// Another model, run or reached in the same way.
    #[must_use]
    pub fn with_model(&self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self.clone() }
    }
}

fn adapter_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AdapterChoice>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

fn batch_size_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BatchSize, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().map_err(D::Error::custom)
}
