//! The model itself: a served model with a thread that talks to its server.

use crate::dispatch::dispatch;
use crate::generation::generate;
use crate::scoring::score;
use crate::served::Served;
use crate::transport::Sleep;
use crate::{Error, Settings};
use saydo_model::{Model, Reply, Request, Score, ScoreRequest};
use std::fmt;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// A model on an OpenAI-compatible server.
///
/// It keeps [`Model`]'s contract with these differences:
/// - whether a greedy or seeded reply depends on what else is in flight is the server's business;
/// - a call fails as a whole if nothing listens at the address, or if the server wants another key;
/// - replies can be held to JSON of a schema ([`saydo_model::Constraint::Json`]) and to nothing else;
/// - continuations of plain prompts can be scored, those of chat prompts cannot. A token that holds the end of the
///   prompt and the start of a continuation counts to the continuation.
///
/// It may be called from several threads, also from those of an async runtime, which it then blocks.
pub struct OpenAiModel {
    served: Arc<Served>,
    /// Taken only when dropped.
    runtime: Option<Runtime>,
}

impl OpenAiModel {
    /// The model these settings describe. Nothing is sent until it is used.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        Self::with_sleep(settings, Arc::new(|duration| Box::pin(tokio::time::sleep(duration))))
    }

    /// The same, with another way to wait between attempts.
    pub(crate) fn with_sleep(settings: Settings, sleep: Sleep) -> Result<Self, Error> {
        let served = Arc::new(Served::new(settings, sleep)?);
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("saydo-openai").enable_all().build();
        Ok(Self { served, runtime: Some(runtime.map_err(|error| Error::Thread(Arc::new(error)))?) })
    }

    /// What a user should know about how this server was used, each once, in order of discovery: estimated lengths, log
    /// probabilities not given, a key sent unencrypted. Empty at first, for most servers forever.
    pub fn notes(&self) -> Vec<String> {
        self.served.notes()
    }

    fn run<R, T, F>(
        &self,
        requests: &mut dyn Iterator<Item = R>,
        done: &mut dyn FnMut(usize, Result<T, saydo_model::Error>),
        work: impl Fn(Arc<Served>, R) -> F,
    ) -> Result<(), saydo_model::Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let runtime = self.runtime.as_ref().expect("the runtime is there until the model is dropped");
        let width = self.served.settings.max_connections;
        dispatch(runtime.handle(), width, requests, done, |request| work(Arc::clone(&self.served), request))
    }
}

impl Model for OpenAiModel {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.run(requests, done, generate)
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.run(requests, done, score)
    }
}

impl fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiModel").field("settings", &self.served.settings).finish_non_exhaustive()
    }
}

impl Drop for OpenAiModel {
    /// Ends the thread without waiting for it, since waiting is not allowed where an async runtime drops the model.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
