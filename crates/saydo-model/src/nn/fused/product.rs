//! x Wᵀ with frozen W, alone or with an addition of low rank that learns.
//!
//! Backward multiplies by W once and leaves W's own gradient alone. The addition is made in place: neither its result
//! nor the gradient through it is ever a tensor of its own.

use super::{values, with};
use crate::kernel::dense::{View, Write, multiply};
use candle_core::{CpuStorage, CustomOp1, CustomOp3, Layout, Result, Shape, Tensor};
use std::sync::OnceLock;

/// x Wᵀ for x of shape (rows, inputs) and W of shape (outputs, inputs).
pub(in crate::nn) fn frozen_product(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    x.contiguous()?.apply_op1(FrozenProduct { weight: weight.contiguous()? })
}

/// x Wᵀ + scale × x Aᵀ Bᵀ for A of shape (rank, inputs) and B of shape (outputs, rank).
pub(in crate::nn) fn low_rank_product(
    x: &Tensor,
    weight: &Tensor,
    [down, up]: [&Tensor; 2],
    scale: f32,
) -> Result<Tensor> {
    let op = LowRankProduct { weight: weight.contiguous()?, scale, inner: OnceLock::new() };
    x.contiguous()?.apply_op3(&down.contiguous()?, &up.contiguous()?, op)
}

/// x Wᵀ.
fn forward(x: &[f32], weight: &Tensor) -> Result<Vec<f32>> {
    let (outputs, inputs) = weight.dims2()?;
    let mut y = vec![0.0; x.len() / inputs * outputs];
    with(weight, |w| {
        multiply((&mut y, outputs, Write::Over), View::new(x, inputs), View::new(w, inputs).t(), 1.0, true)
    })?;
    Ok(y)
}

/// The gradient of x, from that of x Wᵀ.
fn backward(gradient: &[f32], weight: &Tensor) -> Result<Vec<f32>> {
    let (outputs, inputs) = weight.dims2()?;
    let mut to_x = vec![0.0; gradient.len() / outputs * inputs];
    let gradient = View::new(gradient, outputs);
    with(weight, |w| multiply((&mut to_x, inputs, Write::Over), gradient, View::new(w, inputs), 1.0, true))?;
    Ok(to_x)
}

struct FrozenProduct {
    weight: Tensor,
}

impl CustomOp1 for FrozenProduct {
    fn name(&self) -> &'static str {
        "frozen-product"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, _) = layout.shape().dims2()?;
        let y = forward(values(x, layout)?, &self.weight)?;
        Ok((CpuStorage::F32(y), Shape::from((rows, self.weight.dims()[0]))))
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let to_x = with(gradient, |gradient| backward(gradient, &self.weight))??;
        Ok(Some(Tensor::from_vec(to_x, x.shape(), x.device())?))
    }
}

struct LowRankProduct {
    weight: Tensor,
    scale: f32,
    /// x Aᵀ, kept for the gradient of B.
    inner: OnceLock<Vec<f32>>,
}

impl CustomOp3 for LowRankProduct {
    fn name(&self) -> &'static str {
        "low-rank-product"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        down: &CpuStorage,
        down_layout: &Layout,
        up: &CpuStorage,
        up_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, inputs) = x_layout.shape().dims2()?;
        let (outputs, rank) = up_layout.shape().dims2()?;
        let (x, down, up) = (values(x, x_layout)?, values(down, down_layout)?, values(up, up_layout)?);
        let mut y = forward(x, &self.weight)?;
        let mut inner = vec![0.0; rows * rank];
        multiply((&mut inner, rank, Write::Over), View::new(x, inputs), View::new(down, inputs).t(), 1.0, true);
        let addition = (View::new(&inner, rank), View::new(up, rank).t());
        multiply((&mut y, outputs, Write::Add), addition.0, addition.1, self.scale, true);
        // Forward runs once for an operation; were it run again, the values would be the same.
        let _ = self.inner.set(inner);
        Ok((CpuStorage::F32(y), Shape::from((rows, outputs))))
    }

    fn bwd(
        &self,
        x: &Tensor,
        down: &Tensor,
        up: &Tensor,
        _y: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let ((rows, inputs), (outputs, rank)) = (x.dims2()?, up.dims2()?);
        let inner = self.inner.get().expect("forward came before");
        let (mut to_inner, mut to_down, mut to_up) =
            (vec![0.0; rows * rank], vec![0.0; rank * inputs], vec![0.0; outputs * rank]);
        let to_x = with(gradient, |gradient| {
            let g = View::new(gradient, outputs);
            multiply((&mut to_up, rank, Write::Over), g.t(), View::new(inner, rank), self.scale, true);
            with(up, |up| multiply((&mut to_inner, rank, Write::Over), g, View::new(up, rank), self.scale, true))?;
            let inner = View::new(&to_inner, rank);
            with(x, |x| multiply((&mut to_down, inputs, Write::Over), inner.t(), View::new(x, inputs), 1.0, true))?;
            if !x.track_op() {
                return Ok(None);
            }
            let mut to_x = backward(gradient, &self.weight)?;
            with(down, |down| multiply((&mut to_x, inputs, Write::Add), inner, View::new(down, inputs), 1.0, true))?;
            Ok::<_, candle_core::Error>(Some(to_x))
        })??;
        let tensor = |values: Vec<f32>, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device());
        Ok((to_x.map(|to_x| tensor(to_x, x)).transpose()?, Some(tensor(to_down, down)?), Some(tensor(to_up, up)?)))
    }
}
