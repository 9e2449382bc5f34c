//! Rotary positions: a turn, whose backward step turns back.

use super::{copied, values};
use crate::kernel::ops::{self, RopeOrder, RopeTable};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// Rows one thread works on at a time.
const ROWS: usize = 16;

/// Turns x of shape (rows, heads × head_dim).
pub(in crate::nn) fn turn(x: &Tensor, table: &Arc<RopeTable>, order: RopeOrder, head_dim: usize) -> Result<Tensor> {
    x.contiguous()?.apply_op1(Turn { table: Arc::clone(table), order, head_dim })
}

struct Turn {
    table: Arc<RopeTable>,
    order: RopeOrder,
    head_dim: usize,
}

impl Turn {
    fn turn(&self, table: &RopeTable, rows: &mut [f32], width: usize) {
        rows.par_chunks_mut(ROWS * width).enumerate().for_each(|(run, rows)| {
            table.apply_from(run * ROWS, self.order, rows, width / self.head_dim, self.head_dim);
        });
    }
}

impl CustomOp1 for Turn {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut out = ops::copy(values(storage, layout)?);
        let (_, width) = layout.shape().dims2()?;
        self.turn(&self.table, &mut out, width);
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let mut gradients = copied(gradient)?;
        let (_, width) = x.dims2()?;
        self.turn(&self.table.back(), &mut gradients, width);
        Ok(Some(Tensor::from_vec(gradients, x.shape(), x.device())?))
    }
}
