//! The model behind a bounded queue, on a thread of its own: requests wait, and those for the same task are answered
//! together.

mod queue;
mod worker;

use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::secret;
use queue::{Job, Queue};
use saydo::Session;
use saydo_corpus::Cell;
use saydo_function::infer::infer_task;
use saydo_function::{Function, Settings};
use saydo_model::{Reply, Request, Wanted};
use saydo_task::{AnswerSpec, Task};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};

/// A model at work.
pub struct Engine {
    name: String,
    settings: Settings,
    queue: Arc<Queue>,
}

/// What comes of the texts of one request.
#[derive(Debug)]
pub(crate) enum Event {
    /// The text of this number has an answer, or a reason why there is none.
    Cell(usize, Cell),
    /// There will be no more answers.
    Failed(Failure),
}

impl Engine {
    /// Puts a model to work; a bounded number of requests wait for it.
    pub fn start(session: Session, most_waiting: usize) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::new(most_waiting));
        let (name, settings) = (session.name.clone(), session.settings.clone());
        let waiting = Arc::clone(&queue);
        std::thread::Builder::new().name("saydo-model".to_owned()).spawn(move || worker::run(&session, &waiting))?;
        Ok(Self { name, settings, queue })
    }

    /// The model, as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether prompts are put to it as a conversation.
    pub(crate) fn is_chat(&self) -> bool {
        self.settings.chat
    }

    /// Has texts answered: what answers look like, and the answers, in any order. If the receiver is dropped, the model
    /// stops, and texts not begun are left out.
    pub(crate) async fn apply(
        &self,
        task: Task,
        texts: Vec<Arc<str>>,
    ) -> Answered<(AnswerSpec, mpsc::UnboundedReceiver<Event>)> {
        let settings = self.settings.clone();
        let (task, spec, key) = compute(move || {
            let key = secret::hash(&Function::identity_of(&task, &settings).to_string());
            let spec = infer_task(&task).spec;
            Ok((task, spec, key))
        })
        .await?;
        let (out, receiver) = mpsc::unbounded_channel();
        self.queue.push(Job::Apply { key, task: Box::new(task), texts, out })?;
        Ok((spec, receiver))
    }

    /// Has a prompt continued. If whoever asked goes away, so that this is dropped, the model stops.
    pub(crate) async fn generate(&self, request: Request) -> Answered<Reply> {
        let (out, receiver) = oneshot::channel();
        // Dropped with this future, which is how the model learns that nobody waits.
        let (waits, waiting) = watch::channel(());
        let request = Request { wanted: Some(Wanted::new(move || waiting.has_changed().is_ok())), ..request };
        self.queue.push(Job::Generate { request: Box::new(request), out })?;
        let reply = receiver.await;
        drop(waits);
        reply.unwrap_or_else(|_| Err(Failure::internal("the model's thread dropped a request")))
    }

    /// How many requests wait.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.queue.close();
    }
}
