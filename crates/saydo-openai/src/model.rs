//! The model itself: a served model with a thread that talks to its servers.

use crate::dispatch::dispatch;
use crate::generation::generate;
use crate::pool::Clock;
use crate::scoring::score;
use crate::served::Served;
use crate::transport::Sleep;
use crate::wanted::while_wanted;
use crate::{Error, Settings, Tally};
use saydo_model::{AnyReply, AnyRequest, Model, Reply, Request, Score, ScoreRequest};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

/// A model on an OpenAI-compatible server.
///
/// It keeps [`Model`]'s contract with these differences:
/// - whether a greedy or seeded reply depends on what else is in flight is the server's business;
/// - a call fails as a whole if nothing listens at any of the addresses, or if the servers want another key;
/// - a request that nobody waits for any more is given up within a tenth of a second, and its connection closed;
/// - replies can be constrained to JSON of a schema ([`saydo_model::Constraint::Json`]) and to nothing else;
/// - continuations of plain prompts are scored whole. A token that holds the end of the prompt and the start of a
///   continuation counts to the continuation;
/// - those of chat prompts are scored by their first token alone, among the likeliest ones that a server lists. That
///   tells labels apart; where it does not, the request is answered with [`saydo_model::Error::Unsupported`].
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
        let start = Instant::now();
        Self::with_time(
            settings,
            Arc::new(|duration| Box::pin(tokio::time::sleep(duration))),
            Arc::new(move || start.elapsed()),
        )
    }

    /// The same, with another way to wait between attempts and to tell the time.
    pub(crate) fn with_time(settings: Settings, sleep: Sleep, clock: Clock) -> Result<Self, Error> {
        let served = Arc::new(Served::new(settings, sleep, clock)?);
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("saydo-openai").enable_all().build();
        Ok(Self { served, runtime: Some(runtime.map_err(|error| Error::Thread(Arc::new(error)))?) })
    }

    /// What a user should know about how this server was used, each once, in order of discovery: estimated lengths, log
    /// probabilities not given, a key sent unencrypted. Empty at first, for most servers forever.
    pub fn notes(&self) -> Vec<String> {
        self.served.notes()
    }

    /// How each server did so far, in the order of the settings.
    pub fn tallies(&self) -> Vec<Tally> {
        self.served.transport.pool().tallies()
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
        let width = self.served.settings.max_connections.saturating_mul(self.served.servers().len());
        dispatch(runtime.handle(), width, requests, done, |request| work(Arc::clone(&self.served), request))
    }
}

impl Model for OpenAiModel {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.run(requests, done, |served, request| while_wanted(request.wanted.clone(), generate(served, request)))
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.run(requests, done, |served, request| while_wanted(request.wanted.clone(), score(served, request)))
    }

    fn answer_each(
        &self,
        requests: &mut dyn Iterator<Item = AnyRequest>,
        done: &mut dyn FnMut(usize, Result<AnyReply, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.run(requests, done, |served, request| async {
            match request {
                AnyRequest::Generate(request) => {
                    while_wanted(request.wanted.clone(), generate(served, request)).await.map(AnyReply::Reply)
                }
                AnyRequest::Score(request) => {
                    while_wanted(request.wanted.clone(), score(served, request)).await.map(AnyReply::Scores)
                }
            }
        })
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
