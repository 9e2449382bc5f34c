//! Language models: files, tokenizers, kernels, architectures, generation. Knows text and tokens, never tasks.

pub mod chat;
mod error;
pub mod gguf;
pub mod kernel;
pub mod mapping;
pub mod quant;
pub mod tokenizer;

pub use error::Error;
