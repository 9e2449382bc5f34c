//! The cross entropy of a frozen head in bf16, a few rows at a time.
//!
//! A vocabulary has 150,000 tokens and more: logits of all rows, their gradients and what both are rounded to would take
//! gigabytes. Here they exist for a few rows only. The gradient of a row's input is computed at once, while its logits are
//! there, and the backward step only scales it.

use super::super::RoundedMatrix;
use super::{loss, values, with};
use crate::kernel::tiles::{self, Left};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Rows whose logits exist at a time.
const ROWS: usize = 96;

/// The loss of each row of x, shape (rows, width): minus the log-probability of its target under the head's logits, with
/// `smoothing` as [`cross_entropy`](super::cross_entropy) has it.
pub(in crate::nn) fn head_loss(
    x: &Tensor,
    head: &Arc<RoundedMatrix>,
    targets: &[u32],
    smoothing: f32,
) -> Result<Tensor> {
    let op = HeadLoss {
        head: Arc::clone(head),
        targets: Arc::from(targets),
        smoothing,
        is_wanted: x.track_op(),
        to_x: OnceLock::new(),
    };
    x.contiguous()?.apply_op1(op)
}

struct HeadLoss {
    head: Arc<RoundedMatrix>,
    targets: Arc<[u32]>,
    smoothing: f32,
    /// Whether anybody will ask for gradients.
    is_wanted: bool,
    /// The gradient of each row's loss.
    to_x: OnceLock<Vec<f32>>,
}

impl CustomOp1 for HeadLoss {
    fn name(&self) -> &'static str {
        "head-loss"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, width) = layout.shape().dims2()?;
        let (mut losses, mut to_x) = (Vec::with_capacity(rows), Vec::new());
        for (x, targets) in values(storage, layout)?.chunks(ROWS * width).zip(self.targets.chunks(ROWS)) {
            let mut logits = tiles::multiply(&[(&Left::round(x, width), self.head.forward())]);
            let rows = logits.par_chunks_exact_mut(self.head.outputs).zip(targets);
            let each = rows.map(|(row, target)| {
                let loss = loss::of_row(row, *target, self.smoothing);
                if self.is_wanted {
                    loss::gradient_of_row(row, *target, self.smoothing, 1.0);
                }
                loss
            });
            losses.extend(each.collect::<Vec<f32>>());
            if self.is_wanted {
                let gradient = Left::round(&logits, self.head.outputs);
                to_x.extend(tiles::multiply(&[(&gradient, self.head.backward())]));
            }
        }
        // Forward runs once for an operation; were it run again, the values would be the same.
        let _ = self.to_x.set(to_x);
        Ok((CpuStorage::F32(losses), Shape::from(rows)))
    }

    fn bwd(&self, x: &Tensor, _losses: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (_, width) = x.dims2()?;
        let mut to_x = self.to_x.get().expect("forward came before").clone();
        with(gradient, |gradient| {
            for (row, gradient) in to_x.chunks_exact_mut(width).zip(gradient) {
                row.iter_mut().for_each(|x| *x *= gradient);
            }
        })?;
        Ok(Some(Tensor::from_vec(to_x, x.shape(), x.device())?))
    }
}
