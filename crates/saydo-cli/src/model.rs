//! From what a user writes for a model to a model that can be asked. Every command that needs one opens it here.

mod adapter;
mod fingerprint;
mod scripted;
mod served;

use crate::home::{Home, hugging_face};
use adapter::AdapterArg;
use anyhow::{Context, Result, bail};
use saydo_adapter::Skill;
use saydo_function::{Settings, Way, WindowSize};
use saydo_hub::{Source, resolve};
use saydo_model::adapter::Adapter;
use saydo_model::{BatchSize, Decoding, EngineSettings, LocalModel, Model, PromptLimit, Strategy};
use saydo_openai::{OpenAiModel, Tally};
use saydo_task::seen::Seen;
use scripted::Scripted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tokens of prompt and reply that a served or scripted model is taken to hold, where nobody says.
const SERVED_CONTEXT: usize = 4096;

/// Tokens of a free-text reply at most, where nobody says.
const MAX_TOKENS: usize = 256;

/// The model of every command that is not told another: the smallest of the catalog that answers well.
pub const DEFAULT: &str = "qwen2.5-coder-1.5b";

/// Which model, and how it is run or reached.
#[derive(Clone, clap::Args)]
pub struct ModelArgs {
    /// Model: a name of the catalog, a path, hf:owner/repo[/file], openai:NAME, or scripted for trying out
    #[arg(long, short, default_value = DEFAULT, env = "SAYDO_MODEL")]
    model: String,

    /// Folder of a low-rank adapter (PEFT's layout) to put on top of a model that runs here, or none (default: the one that
    /// ships with Saydo for the model and the command, if there is one)
    #[arg(long, value_name = "FOLDER|none", value_parser = AdapterArg::parse)]
    adapter: Option<AdapterArg>,

    /// Address of the server of an openai: model; given several times or with commas, of all servers that have it
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", hide_env_values = true, value_delimiter = ',')]
    base_url: Vec<String>,

    /// Requests to a server at once, at most: there are more while it stays as fast, fewer when it is overloaded
    #[arg(long, short = 'j', value_name = "N", default_value_t = 8)]
    max_connections: usize,

    /// How often a request that failed in passing is sent again
    #[arg(long, value_name = "N", default_value_t = 5)]
    max_retries: u32,

    /// Seconds that one request to a server may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    timeout: f64,

    /// Sequences that run together: a number, or auto for as many as the cache budget holds
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = batch_size)]
    batch_size: BatchSize,

    /// Threads that compute (default: one for each core)
    #[arg(long)]
    threads: Option<usize>,

    /// Longest free-text reply, in tokens (default: 256; under a protocol, the paper's)
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,

    /// How free free-text replies are; 0 for always the likeliest
    #[arg(long, default_value_t = 0.0)]
    temperature: f64,

    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    home: Home,
}

/// A model that is ready.
pub struct Opened {
    /// The model.
    pub model: Arc<dyn Model>,
    /// As the user named it.
    pub name: String,
    /// What tells it from others: equal fingerprints mean equal replies.
    pub fingerprint: String,
    /// How functions ask it.
    pub settings: Settings,
    /// What it has learned, as far as it carries a record.
    pub seen: Seen,
    /// How much it reads; not known of a served model.
    pub max_prompt: Option<PromptLimit>,
    /// The server's own settings and state, if it is served.
    pub served: Option<Served>,
}

/// What is known of a served model beside the model.
pub struct Served {
    model: Arc<OpenAiModel>,
    /// How it is reached.
    pub settings: saydo_openai::Settings,
}

impl Served {
    /// How each of its servers did.
    pub fn tallies(&self) -> Vec<Tally> {
        self.model.tallies()
    }
}

impl Opened {
    /// What a user should know about how the model was used; empty for most.
    pub fn notes(&self) -> Vec<String> {
        self.served.as_ref().map(|served| served.model.notes()).unwrap_or_default()
    }
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

    /// The longest reply, where the user says.
    pub fn max_tokens(&self) -> Option<usize> {
        self.max_tokens
    }

    /// Opens the model for functions: loads it, or gets ready to talk to its server.
    pub fn open(&self) -> Result<Opened> {
        self.open_for(Some(Skill::Functions))
    }

    /// Opens the model with the adapter that ships for this, if any, unless the user names another.
    pub fn open_for(&self, skill: Option<Skill>) -> Result<Opened> {
        if self.threads == Some(0) {
            bail!("0 threads, expected at least 1");
        }
        if !(self.temperature >= 0.0 && self.temperature.is_finite()) {
            bail!("the temperature is {}, expected 0 or more", self.temperature);
        }
        let runs_here = !self.model.starts_with("openai:") && !self.model.starts_with("scripted");
        if matches!(self.adapter, Some(AdapterArg::Folder(_))) && !runs_here {
            bail!("--adapter with {}, expected a model that runs here", self.model);
        }
        if let Some(scripted) = Scripted::parse(&self.model)? {
            let fingerprint = scripted.fingerprint();
            return Ok(self.opened(Arc::new(scripted), fingerprint, self.function_settings(Way::Held)));
        }
        match Source::parse(&self.model, &self.home.catalog()?)? {
            Source::OpenAi { name } => self.serve(&name),
            source => self.load(&source, skill),
        }
    }

    /// The adapter's folder, if the user names one.
    pub fn adapter_folder(&self) -> Option<&Path> {
        match &self.adapter {
            Some(AdapterArg::Folder(folder)) => Some(folder),
            Some(AdapterArg::None) | None => None,
        }
    }

    /// The weights of a model that runs here.
    pub fn path(&self) -> Result<PathBuf> {
        match Source::parse(&self.model, &self.home.catalog()?)? {
            Source::OpenAi { name } => bail!("openai:{name} runs on a server, expected a model that runs here"),
            source => Ok(resolve(&source, &self.home.store()?, &hugging_face()?.cache)?),
        }
    }

    /// The adapter that the user named, none that only ships with the model; and what it and the weights have learned.
    pub fn starting_point(&self) -> Result<(Option<Adapter>, Seen)> {
        let mut seen = of_weights(&self.path()?)?;
        let chosen = self.adapter.as_ref().map(AdapterArg::load).transpose()?.flatten();
        if let Some(chosen) = &chosen {
            seen.inherit(chosen.seen.as_ref());
        }
        Ok((chosen.map(|chosen| chosen.adapter), seen))
    }

    /// Threads that compute.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(|| EngineSettings::default().threads)
    }

    fn load(&self, source: &Source, skill: Option<Skill>) -> Result<Opened> {
        let path = resolve(source, &self.home.store()?, &hugging_face()?.cache)?;
        let mut fingerprint = fingerprint::of(source, &path)?;
        let adapter = match &self.adapter {
            Some(adapter) => adapter.load()?,
            None => skill.map(|skill| adapter::shipped(source, skill)).transpose()?.flatten(),
        };
        if let Some(adapter) = &adapter {
            fingerprint += &format!("+{}", adapter.fingerprint);
        }
        let mut seen = of_weights(&path)?;
        if let Some(adapter) = &adapter {
            seen.inherit(adapter.seen.as_ref());
        }
        let trained = adapter.as_ref().and_then(|adapter| adapter.trained.clone());
        let settings =
            EngineSettings { threads: self.thread_count(), batch_size: self.batch_size, ..EngineSettings::default() };
        let model =
            LocalModel::load(&path, settings).with_context(|| format!("cannot load the model {}", self.model))?;
        let model = match adapter {
            Some(adapter) => model.with_adapter(&adapter.adapter)?,
            None => model,
        };
        let model = Arc::new(model);
        let counting = Arc::clone(&model);
        // A text that cannot be encoded fails when it is asked about; until then a token for each byte is the most.
        let count = move |text: &str| counting.tokenizer().count(text);
        let window = WindowSize { context_tokens: model.context(), count: Arc::new(count) };
        let settings = Settings {
            is_trained: trained.is_some(),
            confidence: trained.map(|trained| trained.confidence).unwrap_or_default(),
            chat: model.has_chat(),
            window,
            ..self.function_settings(Way::Held)
        };
        let max_prompt = Some(model.prompt_limit()?);
        Ok(Opened { seen, max_prompt, ..self.opened(model, fingerprint, settings) })
    }

    fn serve(&self, name: &str) -> Result<Opened> {
        let limits = served::Limits {
            max_connections: self.max_connections,
            max_retries: self.max_retries,
            timeout_seconds: self.timeout,
        };
        let settings = served::settings(name, &self.base_url, &limits)?;
        let fingerprint = served::fingerprint(&settings);
        let model = Arc::new(OpenAiModel::new(settings.clone())?);
        let mut opened = self.opened(Arc::clone(&model) as _, fingerprint, self.function_settings(Way::Free));
        opened.served = Some(Served { model, settings });
        Ok(opened)
    }

    fn opened(&self, model: Arc<dyn Model>, fingerprint: String, settings: Settings) -> Opened {
        Opened {
            model,
            name: self.model.clone(),
            fingerprint,
            settings,
            seen: Seen::default(),
            max_prompt: None,
            served: None,
        }
    }

    fn function_settings(&self, way: Way) -> Settings {
        let mut decoding = Decoding::greedy(self.max_tokens.unwrap_or(MAX_TOKENS));
        if self.temperature > 0.0 {
            decoding.strategy = Strategy::Sample { temperature: self.temperature, top_p: 1.0, seed: self.seed };
        }
        Settings { way, decoding, window: WindowSize::estimated(SERVED_CONTEXT), ..Settings::default() }
    }
}

/// What weights have learned since they were published. Those of others carry no record, and pass for ones that learned
/// none of our tasks: what they saw before is not known.
pub fn of_weights(path: &Path) -> Result<Seen> {
    let seen = if path.is_dir() { Seen::load(path)? } else { None };
    Ok(seen.unwrap_or_default())
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
