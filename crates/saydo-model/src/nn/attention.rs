//! Attention of a sequence to itself, and of a decoder to an encoded input.

use super::pass::Pass;
use super::values::with_values;
use super::{Linear, Matrix, PositionBias, RmsNorm, Turns};
use crate::Error;
use crate::kernel::{AttentionShape, KvSegment, Pool};
use candle_core::Tensor;

/// Which keys a row sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Those up to its own.
    Causal,
    /// All of its sequence.
    All,
}

/// Attention of a sequence to itself.
#[derive(Clone)]
pub struct SelfAttention {
    /// Makes queries.
    pub q: Linear,
    /// Makes keys.
    pub k: Linear,
    /// Makes values.
    pub v: Linear,
    /// Brings the heads together.
    pub o: Linear,
    /// Norms of each head of queries and keys, before they are turned.
    pub head_norms: Option<(RmsNorm, RmsNorm)>,
    /// Heads, scale and window.
    pub shape: AttentionShape,
    /// Which keys a row sees.
    pub sight: Sight,
    /// The share of the weights of keys that training drops.
    pub dropout: f64,
}

impl SelfAttention {
    /// Applies it to x of shape (rows, width), as layer number `layer` of the cache.
    pub fn forward(
        &self,
        x: &Tensor,
        layer: usize,
        turns: Option<&Turns>,
        bias: Option<&PositionBias>,
        pass: &mut Pass<'_>,
    ) -> Result<Tensor, Error> {
        let pool = pass.pool;
        let [mut q, mut k, v] = Linear::forward_all([&self.q, &self.k, &self.v], x, pool)?;
        if let Some((q_norm, k_norm)) = &self.head_norms {
            (q, k) = (q_norm.forward(&q, pool)?, k_norm.forward(&k, pool)?);
        }
        if let Some(turns) = turns {
            let head_dim = self.shape.head_dim;
            (q, k) = (turns.apply(&q, head_dim, pool)?, turns.apply(&k, head_dim, pool)?);
        }
        let is_rounded = matches!(self.q.matrix(), Matrix::Rounded(_));
        let qkv = ([&q, &k, &v], is_rounded);
        let out = pass.attend(layer, &self.shape, self.sight, qkv, bias, self.dropout)?;
        self.o.forward(&out, pool)
    }

    /// Its linear layers.
    pub fn linears_mut(&mut self) -> Vec<&mut Linear> {
        vec![&mut self.q, &mut self.k, &mut self.v, &mut self.o]
    }
}

/// Attention of a decoder to an encoded input.
#[derive(Clone)]
pub struct CrossAttention {
    /// Makes queries of the decoder's rows.
    pub q: Linear,
    /// Makes keys of the encoder's rows.
    pub k: Linear,
    /// Makes values of the encoder's rows.
    pub v: Linear,
    /// Brings the heads together.
    pub o: Linear,
    /// Heads and scale.
    pub shape: AttentionShape,
    /// The share of the weights of keys that training drops.
    pub dropout: f64,
}

impl CrossAttention {
    /// Adds keys and values of an encoded input, shape (rows, width), to a segment of a cache.
    pub fn remember(&self, encoded: &Tensor, segment: &mut KvSegment, pool: &Pool) -> Result<(), Error> {
        let [k, v] = self.project(encoded, pool)?;
        with_values(&k, |k| with_values(&v, |v| segment.append(k, v)))?
    }

    /// Keys and values of an encoded input, shape (rows, kv_heads × head_dim) each.
    fn project(&self, encoded: &Tensor, pool: &Pool) -> Result<[Tensor; 2], Error> {
        Linear::forward_all([&self.k, &self.v], encoded, pool)
    }

    /// Applies it to x of shape (rows, width), as layer number `layer` of the cached input.
    pub fn forward(&self, x: &Tensor, layer: usize, pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let pool = pass.pool;
        let q = self.q.forward(x, pool)?;
        let shape = (&self.shape, self.dropout);
        let out = pass.attend_source(layer, shape, &q, |encoded| self.project(encoded, pool))?;
        self.o.forward(&out, pool)
    }

    /// Its linear layers.
    pub fn linears_mut(&mut self) -> Vec<&mut Linear> {
        vec![&mut self.q, &mut self.k, &mut self.v, &mut self.o]
    }
}
