//! The blocks that architectures are made of, written once: linear layers, norms, attention, feed-forward parts.
//!
//! Every block works on rows: a batch is the tokens of all its sequences one after the other, shape (rows, width), with
//! no padding, and a [`Pass`] says which rows belong together. Each operation has two forms. On CPU tensors without
//! gradients it calls our kernels; otherwise it is spelled out in the tensor library's own operations, which carry
//! gradients and run on other devices; the costly ones have a backward step of their own on the CPU. Tests hold them all
//! against each other.

mod activation;
mod attention;
mod decoder;
mod dropout;
mod embedding;
mod feed_forward;
mod fused;
mod linear;
mod norm;
mod pass;
mod plain;
mod position_bias;
mod rope;
mod rounded;
mod values;

pub use activation::Activation;
pub use attention::{CrossAttention, SelfAttention, Sight};
pub use decoder::{Decoder, DecoderLayer};
pub use dropout::{Draws, Dropout, Moment};
pub use embedding::Embedding;
pub use feed_forward::FeedForward;
pub use fused::{cross_entropy, divergence};
pub use linear::{Linear, LowRank, Matrix};
pub use norm::{LayerNorm, Norm, RmsNorm};
pub use pass::{CachedRows, Memory, Pass, Span};
pub use position_bias::{PositionBias, RelativePositions};
pub use rope::{Rope, Turns};
pub use rounded::RoundedMatrix;
pub(crate) use values::with_values;
