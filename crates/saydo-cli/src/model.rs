//! The flags that name a model. Every command that needs one has them.

use crate::home::Home;
use crate::progress::Waiting;
use anyhow::Result;
use saydo::Session;
use saydo::session::{AdapterChoice, DEFAULT_MODEL, ModelSettings};
use saydo_model::BatchSize;

/// Which model, and how it is run or reached.
#[derive(Clone, clap::Args)]
pub struct ModelArgs {
    /// Model: a name from `saydo models list`, a path, hf:owner/repo[/file], openai:NAME, or scripted (a stand-in without
    /// weights)
    #[arg(long, short, default_value = DEFAULT_MODEL, env = "SAYDO_MODEL", help_heading = "Model options")]
    model: String,

    /// LoRA adapter for a local model: a folder in PEFT's layout, or none (default: the one that ships for this model and
    /// command)
    #[arg(long, value_name = "FOLDER|none", value_parser = str::parse::<AdapterChoice>, help_heading = "Model options")]
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
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = str::parse::<BatchSize>, hide_short_help = true, help_heading = "Model options")]
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
    home: Home,
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

    /// Another model, run or reached in the same way.
    pub fn with_model(&self, name: &str) -> Self {
        Self { model: name.to_owned(), ..self.clone() }
    }

    /// The library's settings.
    pub fn settings(&self) -> ModelSettings {
        ModelSettings {
            name: self.model.clone(),
            adapter: self.adapter.clone(),
            base_url: self.base_url.clone(),
            max_connections: self.max_connections,
            max_retries: self.max_retries,
            timeout: self.timeout,
            batch_size: self.batch_size,
            threads: self.threads,
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            seed: self.seed,
        }
    }

    /// Opens the model for functions.
    pub fn open(&self) -> Result<Session> {
        let _waiting = Waiting::new(&format!("opening {}", self.model));
        Ok(self.settings().open(&self.home.places()?)?)
    }
}
