//! The part of a layer that works on each row alone.

use super::{Activation, Linear, Pass, fused};
use crate::Error;
use crate::kernel::Pool;
use candle_core::Tensor;

/// A widening linear layer, an activation function, and a narrowing one.
#[derive(Clone)]
pub enum FeedForward {
    /// down(f(up(x))).
    Plain {
        /// Widens.
        up: Linear,
        /// Narrows.
        down: Linear,
        /// f.
        activation: Activation,
    },
    /// down(f(gate(x)) × up(x)).
    Gated {
        /// Widens, into f.
        gate: Linear,
        /// Widens.
        up: Linear,
        /// Narrows.
        down: Linear,
        /// f.
        activation: Activation,
    },
}

impl FeedForward {
    /// Applies it to x of shape (rows, width).
    pub fn forward(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        match self {
            Self::Plain { up, down, activation } => down.forward(&activation.apply(&up.forward(x, pool)?, pool)?, pool),
            Self::Gated { gate, up, down, activation } => {
                if let [Some(gate), Some(up), Some(down)] = [gate, up, down].map(|layer| layer.rounded_layer(x))
                    && *activation == Activation::Silu
                {
                    return Ok(fused::gated_feed_forward(x, [gate, up, down])?);
                }
                let [gate, up] = Linear::forward_all([gate, up], x, pool)?;
                down.forward(&activation.gate(&gate, &up, pool)?, pool)
            }
        }
    }

    /// The same in a pass, which may drop a share of what is between the layers.
    pub fn forward_in(&self, x: &Tensor, share: f64, pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let pool = pass.pool;
        if pass.draws.is_none() {
            return self.forward(x, pool);
        }
        let (inner, down) = match self {
            Self::Plain { up, down, activation } => (activation.apply(&up.forward(x, pool)?, pool)?, down),
            Self::Gated { gate, up, down, activation } => {
                let [gate, up] = Linear::forward_all([gate, up], x, pool)?;
                (activation.gate(&gate, &up, pool)?, down)
            }
        };
        down.forward(&pass.dropped(inner, share)?, pool)
    }

    /// Its linear layers.
    pub fn linears_mut(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Plain { up, down, .. } => vec![up, down],
            Self::Gated { gate, up, down, .. } => vec![gate, up, down],
        }
    }
}
