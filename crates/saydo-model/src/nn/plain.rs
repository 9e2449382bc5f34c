//! Attention spelled out in tensor operations: slow, differentiable, on any device.

use super::attention::Sight;
use super::dropout::Draws;
use crate::Error;
use crate::kernel::AttentionShape;
use candle_core::{D, Tensor};

/// Attention of q, shape (rows, heads × head_dim), over k and v, shape (keys, kv_heads × head_dim). Row i stands at
/// position `first` + i among the keys. `bias` has the shape (heads, rows, keys). With draws, a share of the weights is
/// dropped.
pub(super) fn attention(
    shape: &AttentionShape,
    (sight, first): (Sight, usize),
    [q, k, v]: [&Tensor; 3],
    bias: Option<&Tensor>,
    draws: &mut Option<(&mut Draws, f64)>,
) -> Result<Tensor, Error> {
    let (rows, width) = q.dims2()?;
    let q = by_head(q, shape.heads, shape.head_dim)?;
    let k = repeat(&by_head(k, shape.kv_heads, shape.head_dim)?, shape.heads)?;
    let v = repeat(&by_head(v, shape.kv_heads, shape.head_dim)?, shape.heads)?;
    let mut scores = (q.matmul(&k.t()?)? * f64::from(shape.scale))?;
    if let Some(cap) = shape.soft_cap.map(f64::from) {
        scores = ((scores / cap)?.tanh()? * cap)?;
    }
    if let Some(bias) = bias {
        scores = (scores + bias)?;
    }
    if sight == Sight::Causal {
        scores = scores.broadcast_add(&mask(rows, k.dim(1)?, first, shape.window, q.device())?)?;
    }
    let mut weights = softmax(&scores)?;
    if let Some((draws, share)) = draws {
        weights = draws.apply(&weights, *share)?;
    }
    let out = weights.matmul(&v)?;
    Ok(out.transpose(0, 1)?.reshape((rows, width))?)
}

/// From (rows, heads × head_dim) to (heads, rows, head_dim).
fn by_head(x: &Tensor, heads: usize, head_dim: usize) -> Result<Tensor, Error> {
    Ok(x.reshape(((), heads, head_dim))?.transpose(0, 1)?.contiguous()?)
}

/// Repeats each of the key heads for the query heads that read it.
fn repeat(x: &Tensor, heads: usize) -> Result<Tensor, Error> {
    let (kv_heads, rows, head_dim) = x.dims3()?;
    let repeated = x.unsqueeze(1)?.expand((kv_heads, heads / kv_heads, rows, head_dim))?;
    Ok(repeated.reshape((heads, rows, head_dim))?)
}

/// 0 where a row sees a key, minus infinity where not; shape (rows, keys).
fn mask(
    rows: usize,
    keys: usize,
    first: usize,
    window: Option<usize>,
    device: &candle_core::Device,
) -> Result<Tensor, Error> {
    let sees = |row: usize, key: usize| {
        let end = first + row + 1;
        key < end && key >= end.saturating_sub(window.unwrap_or(usize::MAX))
    };
    let value = |row, key| if sees(row, key) { 0.0 } else { f32::NEG_INFINITY };
    let values = (0..rows).flat_map(|row| (0..keys).map(move |key| value(row, key)));
    Ok(Tensor::from_vec(values.collect::<Vec<f32>>(), (rows, keys), device)?)
}

fn softmax(x: &Tensor) -> Result<Tensor, Error> {
    let largest = x.max_keepdim(D::Minus1)?.detach();
    let exponentials = x.broadcast_sub(&largest)?.exp()?;
    Ok(exponentials.broadcast_div(&exponentials.sum_keepdim(D::Minus1)?)?)
}
