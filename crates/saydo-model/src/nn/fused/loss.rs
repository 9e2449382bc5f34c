//! The cross entropy of logits and targets, without keeping probabilities.

use super::values;
use crate::kernel::ops;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// The loss of each row: minus the log-probability of its target under logits of shape (rows, vocabulary). With
/// `smoothing`, that share of the target is spread evenly over the whole vocabulary.
pub fn cross_entropy(logits: &Tensor, targets: &[u32], smoothing: f32) -> Result<Tensor> {
    logits.contiguous()?.apply_op1(CrossEntropy { targets: Arc::from(targets), smoothing })
}

struct CrossEntropy {
    targets: Arc<[u32]>,
    smoothing: f32,
}

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, width) = layout.shape().dims2()?;
        let rows_of = values(storage, layout)?.par_chunks_exact(width).zip(&*self.targets);
        let losses: Vec<f32> = rows_of.map(|(row, target)| of_row(row, *target, self.smoothing)).collect();
        Ok((CpuStorage::F32(losses), Shape::from(rows)))
    }

    fn bwd(&self, logits: &Tensor, _losses: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (_, width) = logits.dims2()?;
        let mut values = super::copied(logits)?;
        let gradients = super::copied(gradient)?;
        let rows = values.par_chunks_exact_mut(width).zip(&*self.targets).zip(&gradients);
        rows.for_each(|((row, target), gradient)| gradient_of_row(row, *target, self.smoothing, *gradient));
        Ok(Some(Tensor::from_vec(values, logits.shape(), logits.device())?))
    }
}

/// The loss of one row of logits.
pub(super) fn of_row(row: &[f32], target: u32, smoothing: f32) -> f32 {
    let log_sum = ops::log_sum_exp(row);
    let right = log_sum - row[target as usize];
    if smoothing == 0.0 {
        return right;
    }
    let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / row.len() as f64;
    (1.0 - smoothing) * right + smoothing * (log_sum - mean as f32)
}

/// Puts the gradient of a row's loss, times `scale`, in the place of its logits.
pub(super) fn gradient_of_row(row: &mut [f32], target: u32, smoothing: f32, scale: f32) {
    let spread = smoothing / row.len() as f32;
    let log_sum = ops::log_sum_exp(row);
    ops::exp_minus(row, log_sum);
    row.iter_mut().for_each(|x| *x = (*x - spread) * scale);
    row[target as usize] -= (1.0 - smoothing) * scale;
}
