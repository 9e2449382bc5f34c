//! Models that run here: many prompts at once, whose common beginnings are computed once.
//!
//! A request becomes a job: one or more sequences that want logits. The scheduler takes jobs in as memory allows, puts
//! the rows of all their sequences into one pass, and hands each job its logits; a job that is done leaves and makes
//! room. A row's result does not depend on the rows beside it, so who happens to share a pass changes nothing.
//!
//! | Module | Holds |
//! | --- | --- |
//! | `prompt` | from a [`Prompt`] to tokens, by the model's template |
//! | `prefix` | prefixes computed before, least recently used out first |
//! | `sequence` | tokens to compute and the cache behind them |
//! | `schedule` | the loop |
//! | `reply`, `beam`, `score` | the three kinds of job; `any` is either |
//! | `choice`, `forced` | greedy choice and sampling; tokens that some models put at a reply's ends |
//! | `text` | the reply's text as it grows, and its stop strings |

mod any;
mod beam;
mod choice;
mod forced;
mod prefix;
mod prompt;
mod reply;
mod schedule;
mod score;
mod sequence;
mod settings;
mod text;

pub use prompt::PromptEncoder;
pub use settings::{BatchSize, EngineSettings};

use crate::adapter::Adapter;
use crate::arch::Network;
use crate::cache::CacheShape;
use crate::chat::ChatTemplate;
use crate::kernel::{KvPrecision, Pool};
use crate::model::{AnyReply, AnyRequest, Form, Model, Prompt, Reply, Request, Score, ScoreRequest};
use crate::tokenizer::Tokenizer;
use crate::weights::{Purpose, Weights};
use crate::{Error, PromptLimit};
use any::AnyJob;
use forced::Forced;
use prefix::PrefixCache;
use reply::ReplyJob;
use saydo_guide::Vocabulary;
use schedule::Scheduler;
use score::ScoreJob;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// A model whose weights are on this machine.
///
/// Calls from several threads wait for each other: one call already uses all the threads the model was given.
pub struct LocalModel {
    network: Network,
    tokenizer: Tokenizer,
    template: Option<ChatTemplate>,
    pool: Pool,
    shape: CacheShape,
    forced: Forced,
    settings: EngineSettings,
    weight_bytes: usize,
    limit: PromptLimit,
    prefixes: Mutex<PrefixCache>,
    vocabulary: OnceLock<Vocabulary>,
}

/// Memory a model uses, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUse {
    /// Weights.
    pub weights: usize,
    /// Keys and values of cached prefixes.
    pub prefixes: usize,
    /// The most that keys and values ever took, those of prefixes and running sequences together.
    pub cache_peak: usize,
    /// The most that they may take.
    pub cache_budget: usize,
}

impl LocalModel {
    /// Loads a GGUF file, or a folder with `config.json`, `tokenizer.json` and safetensors files.
    pub fn load(path: &Path, settings: EngineSettings) -> Result<Self, Error> {
        Self::from_weights(&Weights::open(path, Purpose::Inference)?, path, settings)
    }

    /// The model of weights that were opened from `path` for [`Purpose::Inference`], some of which may be replaced.
    pub fn from_weights(weights: &Weights, path: &Path, settings: EngineSettings) -> Result<Self, Error> {
        let tokenizer = Tokenizer::of_weights(weights, path)?;
        let template = ChatTemplate::of_weights(weights, path, &tokenizer)?;
        let mut network = Network::load(weights).map_err(|error| error.in_file(path))?;
        if tokenizer.vocab_size() > network.vocab_size() {
            let (tokens, rows) = (tokenizer.vocab_size(), network.vocab_size());
            return Err(Error::Vocabulary { tokens, rows }.in_file(path));
        }
        let precision = if weights.is_quantized() { KvPrecision::Half } else { KvPrecision::Full };
        Ok(Self {
            shape: network.cache_shape(precision),
            weight_bytes: network.weight_bytes(),
            limit: PromptLimit::of_weights(weights)?,
            network,
            forced: Forced::of_weights(weights, path)?,
            tokenizer,
            template,
            pool: Pool::new(settings.threads),
            prefixes: Mutex::new(PrefixCache::default()),
            vocabulary: OnceLock::new(),
            settings,
        })
    }

    /// This model with a low-rank adapter on top.
    pub fn with_adapter(mut self, adapter: &Adapter) -> Result<Self, Error> {
        adapter.attach(&mut self.network)?;
        Ok(self)
    }

    /// Its tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The tokens that a prompt becomes, those around its text included.
    pub fn encode_prompt(&self, prompt: &Prompt) -> Result<Vec<u32>, Error> {
        Ok(self.prompt_tokens(prompt)?.tokens)
    }

    /// Whether it has a chat template.
    pub fn has_chat(&self) -> bool {
        self.template.is_some()
    }

    /// How long the text of a prompt may be, in whatever form it is put.
    pub fn prompt_limit(&self) -> Result<PromptLimit, Error> {
        // A text of some content: many models have no tokens at all for an empty prompt.
        let around = |form: &Form| -> Result<usize, Error> {
            let text = self.tokenizer.encode("a", false)?.len();
            Ok(self.prompt_encoder().encode(form, "a")?.len().saturating_sub(text))
        };
        let plain = around(&Form::Plain)?;
        let chat = if self.has_chat() { around(&Form::Chat { system: None })? } else { 0 };
        Ok(self.limit.less(plain.max(chat)))
    }

    /// The greatest number of tokens of a prompt and its reply.
    pub fn context(&self) -> usize {
        self.network.context()
    }

    /// What it uses.
    pub fn memory(&self) -> MemoryUse {
        let prefixes = self.lock_prefixes();
        MemoryUse {
            weights: self.weight_bytes,
            prefixes: prefixes.bytes(),
            cache_peak: prefixes.peak,
            cache_budget: self.settings.cache_bytes,
        }
    }

    /// Forgets all cached prefixes.
    pub fn clear_prefixes(&self) {
        self.lock_prefixes().clear();
    }

    fn lock_prefixes(&self) -> std::sync::MutexGuard<'_, PrefixCache> {
        // A panic while it was held can at worst have lost an entry.
        self.prefixes.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The vocabulary as constraints want it, made when the first one comes.
    fn vocabulary(&self) -> Result<&Vocabulary, Error> {
        if let Some(vocabulary) = self.vocabulary.get() {
            return Ok(vocabulary);
        }
        let vocabulary = self.tokenizer.guide_vocabulary()?;
        Ok(self.vocabulary.get_or_init(|| vocabulary))
    }
}

impl Model for LocalModel {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        Scheduler::new(self).run(requests, |request, scheduler| ReplyJob::start(request, scheduler), done)
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        Scheduler::new(self).run(requests, |request, scheduler| ScoreJob::start(request, scheduler), done)
    }

    fn answer_each(
        &self,
        requests: &mut dyn Iterator<Item = AnyRequest>,
        done: &mut dyn FnMut(usize, Result<AnyReply, Error>),
    ) -> Result<(), Error> {
        Scheduler::new(self).run(requests, |request, scheduler| AnyJob::start(request, scheduler), done)
    }
}
