//! From what a user writes for a model to a model that can be asked. Whatever needs a model opens it here.

mod adapter;
mod fingerprint;
mod scripted;
mod served;
mod settings;

pub use adapter::AdapterChoice;
pub use saydo_hub::adapter::Skill;
pub use served::Served;
pub use settings::{ModelSettings, Places};

use crate::Error;
use crate::environment::{self, Reach};
use adapter::Chosen;
use saydo_function::{Settings, Way, WindowSize};
use saydo_hub::{Catalog, Source, Store, resolve};
use saydo_model::adapter::Adapter;
use saydo_model::{BatchSize, Decoding, EngineSettings, LocalModel, Model, PromptLimit, Strategy};
use saydo_openai::OpenAiModel;
use saydo_task::seen::Seen;
use scripted::Scripted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tokens of prompt and reply that a served or scripted model is taken to hold, where nobody says.
const SERVED_CONTEXT: usize = 4096;

/// Tokens of a free-text reply at most, where nobody says.
const MAX_TOKENS: usize = 256;

/// The model of everybody who names no other: the smallest of the catalog that answers well.
pub const DEFAULT_MODEL: &str = "qwen2.5-coder-1.5b";

/// Which model, and how it is run or reached.
///
/// ```
/// use saydo::ModelSpec;
///
/// let spec = ModelSpec { temperature: 0.7, seed: 1, ..ModelSpec::of_environment("scripted")? };
/// assert_eq!(spec.open()?.name, "scripted");
/// # Ok::<(), saydo::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModelSpec {
    /// A name of the catalog, a path, `hf:owner/repo[/file]`, `openai:NAME`, or `scripted` for trying out.
    pub name: String,
    /// What is put on top of a model that runs here. Default: the adapter for functions that ships for it, if any.
    pub adapter: AdapterChoice,
    /// How the server of an `openai:` model is reached.
    pub server: ServerSpec,
    /// Sequences that run together. Default: as many as the cache budget holds.
    pub batch_size: BatchSize,
    /// Threads that compute; at least 1. Default: one for each core.
    pub threads: usize,
    /// Longest free-text reply, in tokens. Default: 256; under a protocol, the paper's.
    pub max_tokens: Option<usize>,
    /// Sampling temperature of free-text replies; 0 = greedy, which is the default.
    pub temperature: f64,
    /// Seed of everything random. Default: 0.
    pub seed: u64,
    /// Models that can be named. Default: the built-in catalog.
    pub catalog: Catalog,
    /// The folder of pulled models.
    pub store: Store,
    /// Where Hugging Face's tools keep what they fetched.
    pub hugging_face_cache: PathBuf,
}

/// How the servers of a model are reached and asked.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    /// Addresses of all servers that have the model. Default: none; then a key leads to OpenAI itself.
    pub base_urls: Vec<String>,
    /// Max concurrent requests to each server (adapts to the server). Default: 8.
    pub max_connections: usize,
    /// Max retries of a request after a transient error. Default: 5.
    pub max_retries: u32,
    /// Seconds that one request may take. Default: 120.
    pub timeout_seconds: f64,
    /// Key and proxies. Default: none.
    pub reach: Reach,
}

impl Default for ServerSpec {
    fn default() -> Self {
        Self {
            base_urls: Vec::new(),
            max_connections: 8,
            max_retries: 5,
            timeout_seconds: 120.0,
            reach: Reach::default(),
        }
    }
}

/// A model that is ready, with all that is known of it. Cloning it does not load it again.
///
/// ```
/// let session = saydo::open("scripted")?;
/// let (dogs, hikes) = (session.function("Are dogs allowed?")?, session.function("List the hikes.")?);
/// assert_eq!([dogs.spec().kind.name(), hikes.spec().kind.name()], ["yes-no", "spans"]);
/// # Ok::<(), saydo::Error>(())
/// ```
#[derive(Clone)]
pub struct Session {
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
    pub served: Option<Arc<Served>>,
}

impl ModelSpec {
    /// The model of this name with models in the folder that the environment names, all else by default.
    pub fn of_environment(name: &str) -> Result<Self, Error> {
        let (store, cache) = (Store::new(environment::home(None)?), environment::hugging_face()?.cache);
        let spec = Self::new(name, store, cache);
        Ok(Self { server: ServerSpec { reach: environment::reach(), ..ServerSpec::default() }, ..spec })
    }

    /// The model of this name with models in these folders, all else by default.
    pub fn new(name: &str, store: Store, hugging_face_cache: PathBuf) -> Self {
        let EngineSettings { threads, batch_size, .. } = EngineSettings::default();
        Self {
            name: name.to_owned(),
            adapter: AdapterChoice::Shipped(Skill::Functions),
            server: ServerSpec::default(),
            batch_size,
            threads,
            max_tokens: None,
            temperature: 0.0,
            seed: 0,
            catalog: Catalog::built_in(),
            store,
            hugging_face_cache,
        }
    }

    /// The weights of a model that runs here.
    pub fn path(&self) -> Result<PathBuf, Error> {
        match Source::parse(&self.name, &self.catalog)? {
            Source::OpenAi { name } => Err(Error::NotLocal { model: name }),
            source => Ok(resolve(&source, &self.store, &self.hugging_face_cache)?),
        }
    }

    /// The adapter in the folder that is named, none that only ships with the model; and what it and the weights have learned.
    pub fn starting_point(&self) -> Result<(Option<Adapter>, Seen), Error> {
        let path = self.path()?;
        let chosen = match &self.adapter {
            AdapterChoice::Folder(_) => self.adapter.load(&Source::Path(path.clone()))?,
            AdapterChoice::None | AdapterChoice::Shipped(_) => None,
        };
        let seen = seen_by(&path, chosen.as_ref())?;
        Ok((chosen.map(|chosen| chosen.adapter), seen))
    }

    /// Loads the model, or gets ready to talk to its server.
    pub fn open(&self) -> Result<Session, Error> {
        if self.threads == 0 {
            return Err(Error::NoThreads);
        }
        if !(self.temperature >= 0.0 && self.temperature.is_finite()) {
            return Err(Error::Temperature { found: self.temperature });
        }
        let runs_here = !self.name.starts_with("openai:") && !self.name.starts_with("scripted");
        if matches!(self.adapter, AdapterChoice::Folder(_)) && !runs_here {
            return Err(Error::AdapterElsewhere { model: self.name.clone() });
        }
        if let Some(scripted) = Scripted::parse(&self.name)? {
            let fingerprint = scripted.fingerprint();
            return Ok(self.session(Arc::new(scripted), fingerprint, self.function_settings(Way::Constrained)));
        }
        match Source::parse(&self.name, &self.catalog)? {
            Source::OpenAi { name } => self.serve(&name),
            source => self.load(&source),
        }
    }

    fn load(&self, source: &Source) -> Result<Session, Error> {
        let path = resolve(source, &self.store, &self.hugging_face_cache)?;
        let mut fingerprint = fingerprint::of(source, &path)?;
        let adapter = self.adapter.load(source)?;
        if let Some(adapter) = &adapter {
            fingerprint += &format!("+{}", adapter.fingerprint);
        }
        let seen = seen_by(&path, adapter.as_ref())?;
        let trained = adapter.as_ref().and_then(|adapter| adapter.trained.clone());
        let settings =
            EngineSettings { threads: self.threads, batch_size: self.batch_size, ..EngineSettings::default() };
        let model = LocalModel::load(&path, settings)
            .map_err(|source| Error::LoadModel { model: self.name.clone(), source })?;
        let model = Arc::new(match adapter {
            Some(adapter) => model.with_adapter(&adapter.adapter)?,
            None => model,
        });
        let counting = Arc::clone(&model);
        // A text that cannot be encoded fails when it is asked about; until then a token for each byte is the most.
        let count = move |text: &str| counting.tokenizer().count(text);
        let window = WindowSize { context_tokens: model.context(), count: Arc::new(count) };
        let settings = Settings {
            is_trained: trained.is_some(),
            confidence: trained.map(|trained| trained.confidence).unwrap_or_default(),
            chat: model.has_chat(),
            window,
            ..self.function_settings(Way::Constrained)
        };
        let max_prompt = Some(model.prompt_limit()?);
        Ok(Session { seen, max_prompt, ..self.session(model, fingerprint, settings) })
    }

    fn serve(&self, name: &str) -> Result<Session, Error> {
        let settings = served::settings(name, &self.server)?;
        let fingerprint = served::fingerprint(&settings);
        let model = Arc::new(OpenAiModel::new(settings.clone())?);
        let session = self.session(Arc::clone(&model) as _, fingerprint, self.function_settings(Way::Free));
        Ok(Session { served: Some(Arc::new(Served { model, settings })), ..session })
    }

    fn session(&self, model: Arc<dyn Model>, fingerprint: String, settings: Settings) -> Session {
        Session { settings, ..Session::new(model, &self.name, &fingerprint) }
    }

    fn function_settings(&self, way: Way) -> Settings {
        let mut decoding = Decoding::greedy(self.max_tokens.unwrap_or(MAX_TOKENS));
        if self.temperature > 0.0 {
            decoding.strategy = Strategy::Sample { temperature: self.temperature, top_p: 1.0, seed: self.seed };
        }
        Settings { way, decoding, window: WindowSize::estimated(SERVED_CONTEXT), ..Settings::default() }
    }
}

impl Session {
    /// A session on a model from anywhere, asked as functions ask by default. Equal fingerprints must mean equal replies:
    /// recorded answers are found again by it.
    pub fn new(model: Arc<dyn Model>, name: &str, fingerprint: &str) -> Self {
        Self {
            model,
            name: name.to_owned(),
            fingerprint: fingerprint.to_owned(),
            settings: Settings::default(),
            seen: Seen::default(),
            max_prompt: None,
            served: None,
        }
    }

    /// What a user should know about how the model was used; empty for most.
    pub fn notes(&self) -> Vec<String> {
        self.served.as_ref().map(|served| served.notes()).unwrap_or_default()
    }
}

fn seen_by(weights: &Path, adapter: Option<&Chosen>) -> Result<Seen, Error> {
    let mut seen = seen_by_weights(weights)?;
    if let Some(adapter) = adapter {
        seen.inherit(adapter.seen.as_ref());
    }
    Ok(seen)
}

/// What weights have learned since they were published. Those of others carry no record, and pass for ones that learned
/// none of our tasks: what they saw before is not known.
pub fn seen_by_weights(path: &Path) -> Result<Seen, Error> {
    let seen = if path.is_dir() { Seen::load(path)? } else { None };
    Ok(seen.unwrap_or_default())
}
