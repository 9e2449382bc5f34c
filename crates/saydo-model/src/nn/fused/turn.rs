//! Rotary positions: a turn, whose backward step turns back.

use super::{copied, values};
use crate::kernel::ops::{RopeOrder, RopeTable};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use std::sync::Arc;

/// Turns x of shape (rows, heads × head_dim).
pub(in crate::nn) fn turn(x: &Tensor, table: &Arc<RopeTable>, order: RopeOrder, head_dim: usize) -> Result<Tensor> {
    x.contiguous()?.apply_op1(Turn { table: Arc::clone(table), order, head_dim })
}

struct Turn {
    table: Arc<RopeTable>,
    order: RopeOrder,
    head_dim: usize,
}

impl CustomOp1 for Turn {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut out = values(storage, layout)?.to_vec();
        let (_, width) = layout.shape().dims2()?;
        self.table.apply(self.order, &mut out, width / self.head_dim, self.head_dim);
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let mut gradients = copied(gradient)?;
        let (_, width) = x.dims2()?;
        self.table.back().apply(self.order, &mut gradients, width / self.head_dim, self.head_dim);
        Ok(Some(Tensor::from_vec(gradients, x.shape(), x.device())?))
    }
}
