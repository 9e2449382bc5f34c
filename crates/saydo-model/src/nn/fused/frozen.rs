//! Products with weights that stay, and with an addition of low rank beside them: in floats, or rounded to bf16.

use super::super::RoundedMatrix;
use super::rounded::RoundedSum;
use super::with;
use crate::kernel::dense::{View, Write, multiply};
use crate::kernel::tiles::{self, Left};
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
            Self::Rounded(matrix) => Ok(tiles::multiply(&[(&Left::round(x, matrix.inputs), matrix.forward())])),
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
            Self::Rounded(matrix) => Ok(RoundedSum::new(matrix, addition).forward(&Left::round(x, inputs))),
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
            Self::Rounded(matrix) => {
                Ok(tiles::multiply(&[(&Left::round(gradient, matrix.outputs), matrix.backward())]))
            }
        }
    }

    /// The gradients of x, if it is wanted, and of A and B, from that of x Wᵀ + scale × x Aᵀ Bᵀ; `inner` is x Aᵀ.
    pub(super) fn backward_with(
        &self,
        (gradient, x, inner): (&[f32], &[f32], &[f32]),
        addition: &Addition<'_>,
        is_wanted: bool,
    ) -> Result<Gradients> {
        let Addition { down, up, rank, scale } = *addition;
        let (inputs, outputs) = (down.len() / rank, up.len() / rank);
        match self {
            Self::Floats(_) => {
                let g = View::new(gradient, outputs);
                let (mut to_down, mut to_up) = (vec![0.0; down.len()], vec![0.0; up.len()]);
                multiply((&mut to_up, rank, Write::Over), g.t(), View::new(inner, rank), scale, true);
                let mut to_inner = vec![0.0; inner.len()];
                multiply((&mut to_inner, rank, Write::Over), g, View::new(up, rank), scale, true);
                let inside = View::new(&to_inner, rank);
                multiply((&mut to_down, inputs, Write::Over), inside.t(), View::new(x, inputs), 1.0, true);
                let mut to_x = None;
                if is_wanted {
                    let to_x = to_x.insert(self.backward(gradient)?);
                    multiply((to_x, inputs, Write::Add), inside, View::new(down, inputs), 1.0, true);
                }
                Ok(Gradients { to_x, to_down, to_up })
            }
            Self::Rounded(matrix) => {
                let (g, x) = (Left::round(gradient, outputs), Left::round(x, inputs));
                let sum = RoundedSum::new(matrix, addition);
                let to_inner = sum.to_inner(&g);
                let to_x = is_wanted.then(|| tiles::multiply(&sum.terms(&g, &to_inner)));
                let [to_down, to_up] = sum.learned((&g, &x), inner, &to_inner);
                Ok(Gradients { to_x, to_down, to_up })
            }
        }
    }
}

/// Gradients of x, A and B.
pub(super) struct Gradients {
    pub to_x: Option<Vec<f32>>,
    pub to_down: Vec<f32>,
    pub to_up: Vec<f32>,
}

/// A, of shape (rank, inputs), and B, of shape (outputs, rank).
pub(super) struct Addition<'a> {
    pub down: &'a [f32],
    pub up: &'a [f32],
    pub rank: usize,
    pub scale: f32,
}
