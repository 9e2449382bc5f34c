//! Decoder-only networks: an embedding, equal layers with norms before their parts, a norm and a head.

use super::{Embedding, FeedForward, Linear, Norm, Pass, Rope, SelfAttention, cross_entropy, fused};
use crate::Error;
use crate::cache::CacheShape;
use crate::kernel::{KvPrecision, Pool};
use candle_core::Tensor;
use std::ops::Range;

/// A whole network.
#[derive(Clone)]
pub struct Decoder {
    /// Token embedding.
    pub embedding: Embedding,
    /// Factor of the embedded tokens.
    pub embedding_scale: f64,
    /// Learned positions, added to the embedded tokens.
    pub positions: Option<Embedding>,
    /// Rotary embeddings that layers choose from.
    pub ropes: Vec<Rope>,
    /// The layers in order.
    pub layers: Vec<DecoderLayer>,
    /// The norm behind the last layer.
    pub norm: Norm,
    /// Makes logits.
    pub head: Linear,
    /// If given, logits are squashed to this limit by a hyperbolic tangent.
    pub logit_cap: Option<f64>,
    /// The greatest number of positions.
    pub context: usize,
}

/// One layer: x + attention(norm(x)), then x + feed_forward(norm(x)).
#[derive(Clone)]
pub struct DecoderLayer {
    /// Before attention.
    pub attention_norm: Norm,
    /// Attention.
    pub attention: SelfAttention,
    /// Behind attention, before it is added.
    pub attention_post_norm: Option<Norm>,
    /// Before the feed-forward part.
    pub feed_forward_norm: Norm,
    /// The feed-forward part.
    pub feed_forward: FeedForward,
    /// Behind the feed-forward part, before it is added.
    pub feed_forward_post_norm: Option<Norm>,
    /// Which rotary embedding it uses.
    pub rope: Option<usize>,
}

impl Decoder {
    /// Hidden states of the rows, shape (rows, width), before the head.
    pub fn hidden(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let embedded = self.embed(tokens, pass)?;
        self.through(0..self.layers.len(), embedded, pass)
    }

    /// What the first layer sees of the rows.
    pub fn embed(&self, tokens: &[u32], pass: &Pass<'_>) -> Result<Tensor, Error> {
        let pool = pass.pool;
        let mut x = self.embedding.forward(tokens, pool)?;
        if self.embedding_scale != 1.0 {
            x = (x * self.embedding_scale)?;
        }
        if let Some(positions) = &self.positions {
            let numbers: Vec<u32> = pass.positions.iter().map(|position| *position as u32).collect();
            x = (x + positions.forward(&numbers, pool)?)?;
        }
        Ok(x)
    }

    /// What some of the layers make of what comes before them.
    pub fn through(&self, layers: Range<usize>, mut x: Tensor, pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let pool = pass.pool;
        let turns: Vec<_> = self.ropes.iter().map(|rope| rope.turns(&pass.positions)).collect();
        for number in layers {
            let layer = &self.layers[number];
            let normed = layer.attention_norm.forward(&x, pool)?;
            let turns = layer.rope.map(|rope| &turns[rope]);
            let attended = layer.attention.forward(&normed, number, turns, None, pass)?;
            x = (x + post_norm(&layer.attention_post_norm, attended, pool)?)?;
            let normed = layer.feed_forward_norm.forward(&x, pool)?;
            let fed = layer.feed_forward.forward(&normed, pool)?;
            x = (x + post_norm(&layer.feed_forward_post_norm, fed, pool)?)?;
        }
        Ok(x)
    }

    /// Logits of some rows' hidden states, shape (rows, vocabulary).
    pub fn logits(&self, hidden: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        let logits = self.head.forward(&self.norm.forward(hidden, pool)?, pool)?;
        match self.logit_cap {
            Some(cap) => Ok(((logits / cap)?.tanh()? * cap)?),
            None => Ok(logits),
        }
    }

    /// The loss of each of some rows' hidden states, whose next token is to be its target. See [`cross_entropy`].
    pub fn losses(&self, hidden: &Tensor, targets: &[u32], smoothing: f32, pool: &Pool) -> Result<Tensor, Error> {
        match self.head.only_rounded().filter(|_| self.logit_cap.is_none()) {
            Some(head) => Ok(fused::head_loss(&self.norm.forward(hidden, pool)?, head, targets, smoothing)?),
            None => Ok(cross_entropy(&self.logits(hidden, pool)?, targets, smoothing)?),
        }
    }

    /// What its keys and values look like.
    pub fn cache_shape(&self, precision: KvPrecision) -> CacheShape {
        let shape = &self.layers[0].attention.shape;
        CacheShape { layers: self.layers.len(), kv_heads: shape.kv_heads, head_dim: shape.head_dim, precision }
    }

    /// Every linear layer, the head last.
    pub fn linears_mut(&mut self) -> Vec<&mut Linear> {
        let layers = self
            .layers
            .iter_mut()
            .flat_map(|layer| layer.attention.linears_mut().into_iter().chain(layer.feed_forward.linears_mut()));
        layers.chain([&mut self.head]).collect()
    }
}

fn post_norm(norm: &Option<Norm>, x: Tensor, pool: &Pool) -> Result<Tensor, Error> {
    norm.as_ref().map_or(Ok(x.clone()), |norm| norm.forward(&x, pool))
}
