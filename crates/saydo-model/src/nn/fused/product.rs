//! x Wᵀ with frozen W, alone or with an addition of low rank that learns.
//!
//! Backward multiplies by W once and leaves W's own gradient alone. The addition is made in place: neither its result
//! nor the gradient through it is ever a tensor of its own.

use super::frozen::{Addition, Frozen, Gradients};
use super::{copied, values, with};
use crate::kernel::ops;
use candle_core::{CpuStorage, CustomOp1, CustomOp3, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Rows one thread adds a bias to at a time.
const ROWS: usize = 16;

/// x Wᵀ for x of shape (rows, inputs).
pub(in crate::nn) fn frozen_product(x: &Tensor, weight: Frozen) -> Result<Tensor> {
    x.contiguous()?.apply_op1(FrozenProduct { weight: weight.contiguous()? })
}

/// x Wᵀ + scale × x Aᵀ Bᵀ + b for A of shape (rank, inputs), B of shape (outputs, rank) and a frozen b, if there is one.
pub(in crate::nn) fn low_rank_product(
    x: &Tensor,
    (weight, bias): (Frozen, Option<&Tensor>),
    [down, up]: [&Tensor; 2],
    scale: f32,
) -> Result<Tensor> {
    let bias = bias.map(copied).transpose()?;
    let op = LowRankProduct { weight: weight.contiguous()?, bias, scale, inner: OnceLock::new() };
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
    bias: Option<Vec<f32>>,
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
        let (mut y, inner) = self.weight.forward_with(values(x, x_layout)?, &addition)?;
        if let Some(bias) = &self.bias {
            y.par_chunks_mut(ROWS * outputs).for_each(|rows| ops::add_to_rows(rows, bias));
        }
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
        let (_, rank) = up.dims2()?;
        let inner = self.inner.get().expect("forward came before");
        let Gradients { to_x, to_down, to_up } = with(gradient, |gradient| {
            with(x, |values| {
                with(down, |down| {
                    with(up, |up| {
                        let addition = Addition { down, up, rank, scale: self.scale };
                        self.weight.backward_with((gradient, values, inner), &addition, x.track_op())
                    })
                })
            })
        })?????;
        let tensor = |values: Vec<f32>, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device());
        Ok((to_x.map(|to_x| tensor(to_x, x)).transpose()?, Some(tensor(to_down, down)?), Some(tensor(to_up, up)?)))
    }
}
