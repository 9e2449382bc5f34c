//! Language models: files, tokenizers, kernels, architectures, generation. Knows text and tokens, never tasks.

pub mod chat;
mod error;
pub mod gguf;
pub mod kernel;
pub mod mapping;
mod model;
pub mod quant;
pub mod tokenizer;

pub use error::Error;
pub use model::{
    Constraint, Decoding, Escape, Finish, Form, MaxTokens, Model, Prompt, Reply, Request, Score, ScoreRequest,
    ScriptedModel, Strategy, Usage,
};
