//! The flags that name a model. Every command that needs one has them.

use crate::home::Home;
use anyhow::Result;
use saydo::environment;
use saydo::session::{AdapterChoice, DEFAULT_MODEL, ServerSpec, Skill};
use saydo::{ModelSpec, Session};
use saydo_model::{BatchSize, EngineSettings};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::{Path, PathBuf};

/// Which model, and how it is run or reached.
#[derive(Clone, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelArgs {
    /// Model: a name from `saydo models list`, a path, hf:owner/repo[/file], openai:NAME, or scripted (a stand-in without
    /// weights)
    #[arg(long, short, default_value = DEFAULT_MODEL, env = "SAYDO_MODEL", help_heading = "Model options")]
    model: String,

    /// LoRA adapter for a local model: a folder in PEFT's layout, or none (default: the one that ships for this model and
    /// command)
    #[arg(long, value_name = "FOLDER|none", value_parser = adapter, help_heading = "Model options")]
    #[serde(deserialize_with = "adapter_of")]
    adapter: Option<AdapterChoice>,

    /// URL of the server for an openai: model; repeat it, or separate with commas, to use several servers
    #[arg(
        long,
        value_name = "URL",
        env = "OPENAI_BASE_URL",
        hide_env_values = true,
        value_delimiter = ',',
        hide_short_help = true,
        help_heading = "Server options"
    )]
    base_url: Vec<String>,

    /// Max concurrent requests to a server; adapts to how fast it answers
    #[arg(
        long,
        short = 'j',
        value_name = "N",
        default_value_t = 8,
        hide_short_help = true,
        help_heading = "Server options"
    )]
    max_connections: usize,

    /// Max retries of a request after a transient error
    #[arg(long, value_name = "N", default_value_t = 5, hide_short_help = true, help_heading = "Server options")]
    max_retries: u32,

    /// Timeout of a request to a server, in seconds
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 120.0,
        hide_short_help = true,
        help_heading = "Server options"
    )]
    timeout: f64,

    /// Sequences computed together: a number, or auto for as many as fit the cache
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = batch_size, hide_short_help = true, help_heading = "Model options")]
    #[serde(deserialize_with = "batch_size_of")]
    batch_size: BatchSize,

    /// Number of threads (default: one per core)
    #[arg(long, hide_short_help = true, help_heading = "Model options")]
    threads: Option<usize>,

    /// Max tokens of a free-text reply (default: 256; in an evaluation, the paper's)
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Model options")]
    max_tokens: Option<usize>,

    /// Sampling temperature of free-text replies (0 = greedy)
    #[arg(long, default_value_t = 0.0, hide_short_help = true, help_heading = "Model options")]
    temperature: f64,

    /// Random seed
    #[arg(long, default_value_t = 0, hide_short_help = true, help_heading = "Model options")]
    seed: u64,

    #[command(flatten)]
    #[serde(skip)]
    home: Home,
}

impl Default for ModelArgs {
    fn default() -> Self {
        Self {
            model: DEFAULT_MODEL.to_owned(),
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
            home: Home::default(),
        }
    }
}

fn adapter_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AdapterChoice>, D::Error> {
    adapter(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

fn batch_size_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BatchSize, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    batch_size(&value.as_str().map_or_else(|| value.to_string(), str::to_owned)).map_err(D::Error::custom)
}

impl ModelArgs {
    /// Where models and runs are kept.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The model as the user named it.
    pub fn name(&self) -> &str {
        &self.model
    }

    /// Another model, run or reached in the same way.
    pub fn with_model(&self, name: &str) -> Self {
        Self { model: name.to_owned(), ..self.clone() }
    }

    /// The same model with another adapter: a folder, or none.
    pub fn with_adapter(self, folder: Option<PathBuf>) -> Self {
        Self { adapter: Some(folder.map_or(AdapterChoice::None, AdapterChoice::Folder)), ..self }
    }

    /// Whether weights are used without any adapter.
    pub fn is_bare(&self) -> bool {
        self.adapter == Some(AdapterChoice::None)
    }

    /// Models that are kept elsewhere; servers at these addresses unless the settings name some.
    pub fn placed(self, home: Home, base_url: &[String]) -> Self {
        let base_url = if self.base_url.is_empty() { base_url.to_vec() } else { self.base_url };
        Self { home, base_url, ..self }
    }

    /// The longest reply, where the user says.
    pub fn max_tokens(&self) -> Option<usize> {
        self.max_tokens
    }

    /// The adapter's folder, if the user names one.
    pub fn adapter_folder(&self) -> Option<&Path> {
        match &self.adapter {
            Some(AdapterChoice::Folder(folder)) => Some(folder),
            _ => None,
        }
    }

    /// Threads that compute.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(|| EngineSettings::default().threads)
    }

    /// Opens the model for functions.
    pub fn open(&self) -> Result<Session> {
        Ok(self.spec(Some(Skill::Functions))?.open()?)
    }

    /// The model, with the adapter that ships for this, if any, unless the user names another.
    pub fn spec(&self, skill: Option<Skill>) -> Result<ModelSpec> {
        let shipped = skill.map_or(AdapterChoice::None, AdapterChoice::Shipped);
        Ok(ModelSpec {
            adapter: self.adapter.clone().unwrap_or(shipped),
            server: ServerSpec {
                base_urls: self.base_url.clone(),
                max_connections: self.max_connections,
                max_retries: self.max_retries,
                timeout_seconds: self.timeout,
                reach: environment::reach(),
            },
            batch_size: self.batch_size,
            threads: self.thread_count(),
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            seed: self.seed,
            catalog: self.home.catalog()?,
            ..ModelSpec::new(&self.model, self.home.store()?, environment::hugging_face()?.cache)
        })
    }
}

/// Reads `none`, or else a path; `./none` is a folder.
fn adapter(text: &str) -> Result<AdapterChoice, String> {
    match text {
        "" => Err("expected a folder, or none".to_owned()),
        "none" => Ok(AdapterChoice::None),
        folder => Ok(AdapterChoice::Folder(folder.into())),
    }
}

/// Reads `auto` or a number above 0.
pub fn batch_size(text: &str) -> Result<BatchSize, String> {
    match text {
        "auto" => Ok(BatchSize::Auto),
        _ => match text.parse() {
            Ok(count) if count > 0 => Ok(BatchSize::Count(count)),
            _ => Err("expected a number above 0, or auto".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_no_folder() {
        assert_eq!(adapter("none"), Ok(AdapterChoice::None));
        assert_eq!(adapter("./none"), Ok(AdapterChoice::Folder("./none".into())));
        assert!(adapter("").is_err());
    }
}
