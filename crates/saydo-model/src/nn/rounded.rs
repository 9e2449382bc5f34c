//! Weights rounded to bf16, for training: they stay, and both ways through a layer multiply by them.

use super::values::with_values;
use crate::Error;
use crate::kernel::dense::View;
use crate::kernel::tiles::{Factor, Right};
use candle_core::Tensor;
use std::ops::Range;

/// Weights of shape (outputs, inputs).
pub struct RoundedMatrix {
    pub(super) outputs: usize,
    pub(super) inputs: usize,
    /// Wᵀ, of shape (inputs, outputs).
    tiles: Right,
}

impl RoundedMatrix {
    /// Rounds floats of shape (outputs, inputs).
    pub fn new(weight: &Tensor) -> Result<Self, Error> {
        let (outputs, inputs) = weight.dims2()?;
        with_values(weight, |values| {
            let tiles = Right::round(View::new(values, inputs).t(), 1.0);
            Self { outputs, inputs, tiles }
        })
    }

    /// Rounds weights whose rows are read a few at a time, so that they are never in memory as floats: `read` is told which
    /// rows, and fills them end to end.
    pub fn read(
        (outputs, inputs): (usize, usize),
        read: impl Fn(Range<usize>, &mut [f32]) -> Result<(), Error> + Sync,
    ) -> Result<Self, Error> {
        Ok(Self { outputs, inputs, tiles: Right::of_rows((outputs, inputs), read)? })
    }

    /// The weights of one output.
    pub(super) fn row(&self, output: usize, out: &mut [f32]) {
        self.tiles.column(output, out);
    }

    /// Wᵀ, which inputs are multiplied by.
    pub(super) fn forward(&self) -> Factor<'_> {
        Factor::Tiles(&self.tiles)
    }

    /// W, which gradients of outputs are multiplied by.
    pub(super) fn backward(&self) -> Factor<'_> {
        Factor::Turned(&self.tiles)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.tiles.bytes()
    }
}
