//! Qwen 2 and 2.5: a llama with biases on queries, keys and values, and its pairs of dimensions half a head apart.

use super::llama;
use crate::Error;
use crate::kernel::ops::RopeOrder;
use crate::nn::Decoder;
use crate::weights::Weights;

/// Reads a qwen2 network. Sliding windows, which published checkpoints switch off, are refused.
pub(super) fn load(weights: &Weights) -> Result<Decoder, Error> {
    if weights.config().flag("use_sliding_window", false)? {
        return Err(Error::Setting { key: "use_sliding_window".into(), found: "true".into(), expected: "false" });
    }
    llama::load_with(weights, RopeOrder::HalfSplit)
}
