//! How far the probabilities of one network are from another's, without keeping either.

use super::{copied, values, with};
use crate::kernel::ops;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

/// The divergence of each row (Kullback and Leibler): what the probabilities of `logits` lose against those of `wanted`,
/// both of shape (rows, vocabulary). Nothing where both are the same. No gradient flows into `wanted`.
pub fn divergence(logits: &Tensor, wanted: &Tensor) -> Result<Tensor> {
    logits.contiguous()?.apply_op1(Divergence { wanted: wanted.detach().contiguous()? })
}

struct Divergence {
    wanted: Tensor,
}

impl CustomOp1 for Divergence {
    fn name(&self) -> &'static str {
        "divergence"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, width) = layout.shape().dims2()?;
        let logits = values(storage, layout)?;
        let loss = |(row, wanted): (&[f32], &[f32])| {
            let (log_sum, wanted_log_sum) = (ops::log_sum_exp(row), ops::log_sum_exp(wanted));
            let mut shares = wanted.to_vec();
            ops::exp_minus(&mut shares, wanted_log_sum);
            let terms =
                row.iter().zip(wanted).zip(shares).map(|((x, wanted), share)| {
                    f64::from(share) * f64::from((wanted - wanted_log_sum) - (x - log_sum))
                });
            terms.sum::<f64>() as f32
        };
        let losses: Vec<f32> = with(&self.wanted, |wanted| {
            logits.par_chunks_exact(width).zip(wanted.par_chunks_exact(width)).map(loss).collect()
        })?;
        Ok((CpuStorage::F32(losses), Shape::from(rows)))
    }

    fn bwd(&self, logits: &Tensor, _losses: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (_, width) = logits.dims2()?;
        let (mut values, gradients) = (copied(logits)?, copied(gradient)?);
        with(&self.wanted, |wanted| {
            let rows = values.par_chunks_exact_mut(width).zip(wanted.par_chunks_exact(width)).zip(&gradients);
            rows.for_each(|((row, wanted), gradient)| {
                let (log_sum, wanted_log_sum) = (ops::log_sum_exp(row), ops::log_sum_exp(wanted));
                let mut shares = wanted.to_vec();
                ops::exp_minus(row, log_sum);
                ops::exp_minus(&mut shares, wanted_log_sum);
                row.iter_mut().zip(shares).for_each(|(x, share)| *x = (*x - share) * gradient);
            });
        })?;
        Ok(Some(Tensor::from_vec(values, logits.shape(), logits.device())?))
    }
}
