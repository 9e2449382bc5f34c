//! Normalization of rows.

use super::fused;
use super::values::{is_kernel, tensor, with_values};
use crate::Error;
use crate::kernel::{Pool, ops};
use candle_core::{D, Tensor};

/// Either kind of normalization.
#[derive(Clone)]
pub enum Norm {
    /// By root mean square.
    Rms(RmsNorm),
    /// By mean and deviation.
    Layer(LayerNorm),
}

impl Norm {
    /// Normalizes each row of x.
    pub fn forward(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        match self {
            Self::Rms(norm) => norm.forward(x, pool),
            Self::Layer(norm) => norm.forward(x, pool),
        }
    }
}

/// x / √(mean(x²) + eps) × weight.
#[derive(Clone)]
pub struct RmsNorm {
    weight: Tensor,
    eps: f32,
}

impl RmsNorm {
    /// With these weights, shape (width).
    pub fn new(weight: Tensor, eps: f32) -> Self {
        Self { weight, eps }
    }

    /// Normalizes runs of `width` values: the rows of x, or the heads of its rows.
    pub fn forward(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        if is_kernel(x) && is_kernel(&self.weight) {
            return with_values(&self.weight, |weight| {
                by_rows(x, weight.len(), pool, |x, out| ops::rms_norm(x, weight, self.eps, out))
            })?;
        }
        if fused::is_fused(x) && is_kernel(&self.weight) {
            return Ok(fused::rms_norm(x, with_values(&self.weight, <[f32]>::to_vec)?, self.eps)?);
        }
        let shape = x.shape();
        let x = x.reshape(((), self.weight.elem_count()))?;
        let scale = (x.sqr()?.mean_keepdim(D::Minus1)? + f64::from(self.eps))?.sqrt()?;
        Ok(x.broadcast_div(&scale)?.broadcast_mul(&self.weight)?.reshape(shape)?)
    }
}

/// (x − mean) / √(variance + eps) × weight + bias.
#[derive(Clone)]
pub struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    eps: f32,
}

impl LayerNorm {
    /// With these weights and biases, shape (width).
    pub fn new(weight: Tensor, bias: Tensor, eps: f32) -> Self {
        Self { weight, bias, eps }
    }

    /// Normalizes each row of x.
    pub fn forward(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        if is_kernel(x) && is_kernel(&self.weight) && is_kernel(&self.bias) {
            return with_values(&self.weight, |weight| {
                with_values(&self.bias, |bias| {
                    by_rows(x, weight.len(), pool, |x, out| ops::layer_norm(x, weight, bias, self.eps, out))
                })
            })??;
        }
        let x = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let scale = (x.sqr()?.mean_keepdim(D::Minus1)? + f64::from(self.eps))?.sqrt()?;
        Ok(x.broadcast_div(&scale)?.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)?)
    }
}

fn by_rows(x: &Tensor, width: usize, pool: &Pool, f: impl Fn(&[f32], &mut [f32]) + Sync) -> Result<Tensor, Error> {
    let mut out = vec![0.0; x.elem_count()];
    with_values(x, |x| {
        pool.fill_rows(&mut out, width, |first, out| f(&x[first * width..][..out.len()], out));
    })?;
    tensor(out, x.shape())
}
