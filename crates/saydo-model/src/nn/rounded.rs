//! Weights rounded to bf16, for training: they stay, and both ways through a layer multiply by them.

use super::values::with_values;
use crate::Error;
use crate::kernel::dense::View;
use crate::kernel::tiles::Right;
use candle_core::Tensor;

/// Weights of shape (outputs, inputs), once for each way.
pub struct RoundedMatrix {
    pub(super) outputs: usize,
    pub(super) inputs: usize,
    /// Wᵀ, which inputs are multiplied by.
    pub(super) forward: Right,
    /// W, which gradients of outputs are multiplied by.
    pub(super) backward: Right,
}

impl RoundedMatrix {
    /// Rounds floats of shape (outputs, inputs).
    pub fn new(weight: &Tensor) -> Result<Self, Error> {
        let (outputs, inputs) = weight.dims2()?;
        with_values(weight, |values| {
            let weight = View::new(values, inputs);
            let (forward, backward) = (Right::round(weight.t(), 1.0), Right::round(weight, 1.0));
            Self { outputs, inputs, forward, backward }
        })
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.forward.bytes() + self.backward.bytes()
    }
}
