//! Operations with a backward step of their own, for training on the CPU.
//!
//! Spelled out in tensor operations a layer leaves dozens of tensors behind for the backward pass, and a product with
//! frozen weights also computes the gradient of those weights, which nobody wants. Each operation here keeps no more
//! than its inputs and computes what is needed. Tests hold them against the spelled-out forms.

mod attention;
mod divergence;
mod feed_forward;
mod frozen;
mod gate;
mod head;
mod loss;
mod product;
mod rms_norm;
mod rounded;
mod turn;

pub(super) use attention::attend;
pub use divergence::divergence;
pub(super) use feed_forward::{Layer, gated_feed_forward};
pub(super) use frozen::Frozen;
pub(super) use gate::gate;
pub(super) use head::head_loss;
pub use loss::cross_entropy;
pub(super) use product::{frozen_product, low_rank_product};
pub(super) use rms_norm::rms_norm;
pub(super) use turn::turn;

use crate::kernel::ops;
use candle_core::{CpuStorage, DType, Error, Layout, Result, Storage, Tensor};

/// Whether these operations serve a tensor: floats on the CPU through which a gradient flows.
pub(super) fn is_fused(x: &Tensor) -> bool {
    is_float_on_cpu(x) && x.track_op()
}

/// Whether these operations can compute with a tensor, be there a gradient or not.
pub(super) fn is_float_on_cpu(x: &Tensor) -> bool {
    x.device().is_cpu() && x.dtype() == DType::F32
}

/// The values of an operation's input, which must lie end to end.
fn values<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let all = storage.as_slice::<f32>()?;
    let (start, end) = layout.contiguous_offsets().ok_or(Error::Msg("values that do not lie end to end".into()))?;
    Ok(&all[start..end])
}

/// Calls `f` with the values of a gradient, or of an input kept for the backward step.
fn with<T>(x: &Tensor, f: impl FnOnce(&[f32]) -> T) -> Result<T> {
    let x = x.contiguous()?;
    let (storage, layout) = x.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else { return Err(Error::Msg("values that are not on the CPU".into())) };
    Ok(f(values(storage, layout)?))
}

/// A copy of such values, to work in.
fn copied(x: &Tensor) -> Result<Vec<f32>> {
    with(x, ops::copy)
}

#[cfg(test)]
mod tests;
