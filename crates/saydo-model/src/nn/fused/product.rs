//! x Wᵀ with frozen W, alone or with an addition of low rank that learns.
//!
//! Backward multiplies by W once and leaves W's own gradient alone. The addition is made in place: neither its result
//! nor the gradient through it is ever a tensor of its own.

use super::frozen::{Addition, Frozen};
use super::{values, with};
use crate::kernel::dense::{View, Write, multiply};
use candle_core::{CpuStorage, CustomOp1, CustomOp3, Layout, Result, Shape, Tensor};
use std::sync::OnceLock;

/// x Wᵀ for x of shape (rows, inputs).
pub(in crate::nn) fn frozen_product(x: &Tensor, weight: Frozen) -> Result<Tensor> {
    x.contiguous()?.apply_op1(FrozenProduct { weight: weight.contiguous()? })
}

/// x Wᵀ + scale × x Aᵀ Bᵀ for A of shape (rank, inputs) and B of shape (outputs, rank).
pub(in crate::nn) fn low_rank_product(
    x: &Tensor,
    weight: Frozen,
    [down, up]: [&Tensor; 2],
    scale: f32,
) -> Result<Tensor> {
    let op = LowRankProduct { weight: weight.contiguous()?, scale, inner: OnceLock::new() };
    x.contiguous()?.apply_op3(&down.contiguous()?, &up.contiguous()?, op)
}

struct FrozenProduct {
    weight: Frozen,
}

impl CustomOp1 for FrozenProduct {
    fn name(&self) -> &'static str {
        "frozen-product"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, _) = layout.shape().dims2()?;
        let y = self.weight.forward(values(x, layout)?)?;
        Ok((CpuStorage::F32(y), Shape::from((rows, self.weight.outputs()))))
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let to_x = with(gradient, |gradient| self.weight.backward(gradient))??;
        Ok(Some(Tensor::from_vec(to_x, x.shape(), x.device())?))
    }
}

struct LowRankProduct {
    weight: Frozen,
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
        let (rows, _) = x_layout.shape().dims2()?;
        let (outputs, rank) = up_layout.shape().dims2()?;
        let addition =
            Addition { down: values(down, down_layout)?, up: values(up, up_layout)?, rank, scale: self.scale };
        let (y, inner) = self.weight.forward_with(values(x, x_layout)?, &addition)?;
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
        let ((_, inputs), (outputs, rank)) = (x.dims2()?, up.dims2()?);
        let inner = self.inner.get().expect("forward came before");
        let (mut to_down, mut to_up) = (vec![0.0; rank * inputs], vec![0.0; outputs * rank]);
        let to_x = with(gradient, |gradient| {
            let g = View::new(gradient, outputs);
            multiply((&mut to_up, rank, Write::Over), g.t(), View::new(inner, rank), self.scale, true);
            let (to_x, to_inner) = with(down, |down| {
                with(up, |up| {
                    let addition = Addition { down, up, rank, scale: self.scale };
                    self.weight.backward_with(gradient, &addition, x.track_op())
                })
            })???;
            let to_inner = View::new(&to_inner, rank);
            with(x, |x| multiply((&mut to_down, inputs, Write::Over), to_inner.t(), View::new(x, inputs), 1.0, true))?;
            Ok::<_, candle_core::Error>(to_x)
        })??;
        let tensor = |values: Vec<f32>, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device());
        Ok((to_x.map(|to_x| tensor(to_x, x)).transpose()?, Some(tensor(to_down, down)?), Some(tensor(to_up, up)?)))
    }
}
