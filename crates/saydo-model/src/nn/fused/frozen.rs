//! Products with weights that stay, and with an addition of low rank beside them: in floats, or rounded on the matrix unit.

use super::super::RoundedMatrix;
use super::with;
use crate::kernel::dense::{View, Write, multiply};
use crate::kernel::tiles::{self, Left, Right};
use candle_core::{Result, Tensor};
use std::sync::Arc;

/// W, of shape (outputs, inputs), which does not change.
pub(in crate::nn) enum Frozen {
    Floats(Tensor),
    Rounded(Arc<RoundedMatrix>),
}

impl Frozen {
    pub(super) fn contiguous(self) -> Result<Self> {
        Ok(match self {
            Self::Floats(weight) => Self::Floats(weight.contiguous()?),
            Self::Rounded(matrix) => Self::Rounded(matrix),
        })
    }

    pub(super) fn outputs(&self) -> usize {
        match self {
            Self::Floats(weight) => weight.dims()[0],
            Self::Rounded(matrix) => matrix.outputs,
        }
    }

    /// x Wᵀ.
    pub(super) fn forward(&self, x: &[f32]) -> Result<Vec<f32>> {
        match self {
            Self::Floats(weight) => {
                let (outputs, inputs) = weight.dims2()?;
                let mut y = vec![0.0; x.len() / inputs * outputs];
                with(weight, |w| {
                    multiply((&mut y, outputs, Write::Over), View::new(x, inputs), View::new(w, inputs).t(), 1.0, true)
                })?;
                Ok(y)
            }
            Self::Rounded(matrix) => Ok(tiles::multiply(&[(&Left::round(x, matrix.inputs), &matrix.forward)])),
        }
    }

    /// x Wᵀ + scale × x Aᵀ Bᵀ, and x Aᵀ.
    pub(super) fn forward_with(&self, x: &[f32], addition: &Addition<'_>) -> Result<(Vec<f32>, Vec<f32>)> {
        let Addition { down, up, rank, scale } = *addition;
        let (inputs, outputs) = (down.len() / rank, up.len() / rank);
        match self {
            Self::Floats(_) => {
                let mut y = self.forward(x)?;
                let mut inner = vec![0.0; x.len() / inputs * rank];
                multiply((&mut inner, rank, Write::Over), View::new(x, inputs), View::new(down, inputs).t(), 1.0, true);
                let (inside, up) = (View::new(&inner, rank), View::new(up, rank).t());
                multiply((&mut y, outputs, Write::Add), inside, up, scale, true);
                Ok((y, inner))
            }
            Self::Rounded(matrix) => {
                let x = Left::round(x, inputs);
                let inner = tiles::multiply(&[(&x, &Right::round(View::new(down, inputs).t(), 1.0))]);
                let addition = (&Left::round(&inner, rank), &Right::round(View::new(up, rank).t(), scale));
                Ok((tiles::multiply(&[(&x, &matrix.forward), addition]), inner))
            }
        }
    }

    /// The gradient of x, from that of x Wᵀ.
    pub(super) fn backward(&self, gradient: &[f32]) -> Result<Vec<f32>> {
        match self {
            Self::Floats(weight) => {
                let (outputs, inputs) = weight.dims2()?;
                let mut to_x = vec![0.0; gradient.len() / outputs * inputs];
                let gradient = View::new(gradient, outputs);
                with(weight, |w| {
                    multiply((&mut to_x, inputs, Write::Over), gradient, View::new(w, inputs), 1.0, true)
                })?;
                Ok(to_x)
            }
            Self::Rounded(matrix) => Ok(tiles::multiply(&[(&Left::round(gradient, matrix.outputs), &matrix.backward)])),
        }
    }

    /// The gradient of x, if it is wanted, and that of x Aᵀ, from that of x Wᵀ + scale × x Aᵀ Bᵀ.
    pub(super) fn backward_with(
        &self,
        gradient: &[f32],
        addition: &Addition<'_>,
        is_wanted: bool,
    ) -> Result<(Option<Vec<f32>>, Vec<f32>)> {
        let Addition { down, up, rank, scale } = *addition;
        let (inputs, outputs) = (down.len() / rank, up.len() / rank);
        match self {
            Self::Floats(_) => {
                let mut to_inner = vec![0.0; gradient.len() / outputs * rank];
                let (g, up) = (View::new(gradient, outputs), View::new(up, rank));
                multiply((&mut to_inner, rank, Write::Over), g, up, scale, true);
                if !is_wanted {
                    return Ok((None, to_inner));
                }
                let mut to_x = self.backward(gradient)?;
                let (inside, down) = (View::new(&to_inner, rank), View::new(down, inputs));
                multiply((&mut to_x, inputs, Write::Add), inside, down, 1.0, true);
                Ok((Some(to_x), to_inner))
            }
            Self::Rounded(matrix) => {
                let g = Left::round(gradient, outputs);
                let to_inner = tiles::multiply(&[(&g, &Right::round(View::new(up, rank), scale))]);
                let to_x = is_wanted.then(|| {
                    let addition = (&Left::round(&to_inner, rank), &Right::round(View::new(down, inputs), 1.0));
                    tiles::multiply(&[(&g, &matrix.backward), addition])
                });
                Ok((to_x, to_inner))
            }
        }
    }
}

/// A, of shape (rank, inputs), and B, of shape (outputs, rank).
pub(super) struct Addition<'a> {
    pub down: &'a [f32],
    pub up: &'a [f32],
    pub rank: usize,
    pub scale: f32,
}
