//! The whole model against a scripted server.

mod fault;
mod generate;
mod score;
mod secret;
mod servers;

use crate::fake_server::FakeServer;
use crate::{OpenAiModel, Settings};
use saydo_model::{Decoding, Error, Model, Prompt, Reply, Request};
use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A model on `server` that does not wait between attempts but writes down how long it would have.
fn model_with(server: &FakeServer, change: impl FnOnce(&mut Settings)) -> (OpenAiModel, Arc<Mutex<Vec<Duration>>>) {
    let mut settings = Settings::new(server.url(), "tiny");
    change(&mut settings);
    impatient(settings)
}

fn impatient(settings: Settings) -> (OpenAiModel, Arc<Mutex<Vec<Duration>>>) {
    let pauses = Arc::new(Mutex::new(Vec::new()));
    let written = Arc::clone(&pauses);
    let sleep = move |duration| {
        written.lock().expect("no task panicked").push(duration);
        Box::pin(std::future::ready(())) as _
    };
    // The clock runs by a minute each time it is looked at, so that nobody is left alone for long.
    let looks = AtomicU64::new(0);
    let clock = move || Duration::from_secs(60 * looks.fetch_add(1, Ordering::SeqCst));
    let model = OpenAiModel::with_time(settings, Arc::new(sleep), Arc::new(clock));
    (model.expect("the settings are good"), pauses)
}

fn model(server: &FakeServer) -> OpenAiModel {
    model_with(server, |_| {}).0
}

fn chat(text: &str) -> Request {
    Request::new(Prompt::chat(text), Decoding::greedy(8))
}

fn plain(text: &str) -> Request {
    Request::new(Prompt::plain(text), Decoding::greedy(8))
}

/// The answer to a single request.
fn generate(model: &OpenAiModel, request: Request) -> Result<Reply, Error> {
    model.generate(vec![request]).expect("the call succeeds").remove(0)
}

/// An error with all that caused it, the server's port left out.
fn chain(error: &dyn std::error::Error, server: &FakeServer) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text.replace(&server.url(), "http://SERVER")
}

#[test]
fn an_error_of_the_server_shows_its_own_words_and_causes() {
    let error = Error::from(crate::Error::Thread(Arc::new(std::io::Error::other("no more threads"))));
    assert_eq!(error.to_string(), "cannot start the thread that talks to the server");
    assert_eq!(error.source().expect("it has a cause").to_string(), "no more threads");
}
