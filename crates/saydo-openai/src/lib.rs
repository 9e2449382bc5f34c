//! Any OpenAI-compatible server (vLLM, llama-server, Ollama, llama-cpp-python, OpenAI) as a [`saydo_model::Model`].
//!
//! Separate from `saydo-model` because it brings HTTP, TLS and an async runtime. All three stay inside: the methods
//! are synchronous, requests are pulled and answered on the caller's thread, and nothing here reads the environment.
//!
//! ```no_run
//! use saydo_model::{Decoding, Model, Prompt, Request};
//! use saydo_openai::{OpenAiModel, Settings};
//!
//! let model = OpenAiModel::new(Settings::new("http://127.0.0.1:8080", "smollm2"))?;
//! let replies = model.generate(vec![Request::new(Prompt::chat("Name a color."), Decoding::greedy(8))])?;
//! println!("{}", replies[0].as_ref().unwrap().text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod backoff;
pub mod batch;
mod beam;
mod body;
mod concurrency;
mod dispatch;
mod error;
mod excerpt;
mod failure;
mod field;
mod first_token;
mod generation;
mod length;
mod model;
mod pool;
mod reply;
mod scoring;
mod secret;
mod served;
mod server;
mod settings;
mod spelling;
mod transport;
mod wanted;

#[cfg(test)]
mod fake_server;
#[cfg(test)]
mod tests;

pub use error::Error;
pub use model::OpenAiModel;
pub use secret::Secret;
pub use server::Tally;
pub use settings::{Endpoint, Settings};
