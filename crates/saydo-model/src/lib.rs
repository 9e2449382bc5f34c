//! Language models: files, tokenizers, kernels, architectures, generation. Knows text and tokens, never tasks.

pub mod adapter;
pub mod arch;
pub mod cache;
pub mod chat;
mod engine;
mod error;
pub mod gguf;
pub mod kernel;
pub mod mapping;
mod model;
pub mod nn;
mod prompt_limit;
pub mod quant;
pub mod tokenizer;
pub mod weights;

pub use engine::{BatchSize, EngineSettings, LocalModel, MemoryUse, PromptEncoder};
pub use error::Error;
pub use model::{
    AnyReply, AnyRequest, Constraint, Decoding, Escape, Finish, Form, MaxTokens, Model, Opening, Prompt, Reply,
    Request, Score, ScoreRequest, ScriptedModel, Strategy, Usage, Wanted, log_odds,
};
pub use prompt_limit::PromptLimit;
