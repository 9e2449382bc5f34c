//! Activation functions, alone and as gates.

use super::fused;
use super::values::{is_kernel, tensor, with_values};
use crate::Error;
use crate::kernel::{Pool, ops};
use candle_core::Tensor;

/// A function of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// x × sigmoid(x).
    Silu,
    /// GELU by a hyperbolic tangent.
    GeluTanh,
    /// GELU by the error function.
    GeluErf,
    /// max(x, 0).
    Relu,
}

impl Activation {
    /// The function that a `config.json` calls `name`.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name {
            "silu" | "swish" => Ok(Self::Silu),
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Ok(Self::GeluTanh),
            "gelu" => Ok(Self::GeluErf),
            "relu" => Ok(Self::Relu),
            other => Err(Error::Setting {
                key: "the activation function".into(),
                found: format!("{other:?}"),
                expected: "silu, gelu, gelu_new or relu",
            }),
        }
    }

    /// The function of every value.
    pub fn apply(self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        if !is_kernel(x) {
            return self.plain(x);
        }
        on_values(x, pool, |_, x| match self {
            Self::Silu => ops::silu(x),
            Self::GeluTanh => ops::gelu_tanh(x),
            Self::GeluErf => ops::gelu_erf(x),
            Self::Relu => x.iter_mut().for_each(|x| *x = x.max(0.0)),
        })
    }

    /// The function of `gate`, times `up`.
    pub fn gate(self, gate: &Tensor, up: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        if self == Self::Silu && (fused::is_fused(gate) || fused::is_fused(up)) {
            return Ok(fused::gate(gate, up)?);
        }
        if !(is_kernel(gate) && is_kernel(up)) || matches!(self, Self::GeluErf | Self::Relu) {
            return Ok((self.apply(gate, pool)? * up)?);
        }
        with_values(up, |up| {
            on_values(gate, pool, |first, gate| {
                let up = &up[first..][..gate.len()];
                if self == Self::Silu { ops::silu_mul(gate, up) } else { ops::gelu_tanh_mul(gate, up) }
            })
        })?
    }

    fn plain(self, x: &Tensor) -> Result<Tensor, Error> {
        Ok(match self {
            Self::Silu => x.silu()?,
            Self::GeluTanh => x.gelu()?,
            Self::GeluErf => x.gelu_erf()?,
            Self::Relu => x.relu()?,
        })
    }
}

/// A copy of x changed in place by runs; `change` is told where its run starts.
fn on_values(x: &Tensor, pool: &Pool, change: impl Fn(usize, &mut [f32]) + Sync) -> Result<Tensor, Error> {
    let mut out = vec![0.0; x.elem_count()];
    let width = x.dims().last().copied().unwrap_or(1).max(1);
    with_values(x, |x| {
        pool.fill_rows(&mut out, width, |first, out| {
            out.copy_from_slice(&x[first * width..][..out.len()]);
            change(first * width, out);
        });
    })?;
    tensor(out, x.shape())
}
