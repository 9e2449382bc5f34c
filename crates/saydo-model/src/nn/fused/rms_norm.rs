//! x / √(mean(x²) + eps) × weight, with frozen weights.

use super::{copied, values, with};
use crate::kernel::ops;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// Rows one thread works on at a time.
const ROWS: usize = 16;

/// Normalizes runs of as many values as there are weights.
pub(in crate::nn) fn rms_norm(x: &Tensor, weight: Vec<f32>, eps: f32) -> Result<Tensor> {
    x.contiguous()?.apply_op1(RmsNorm { weight: Arc::from(weight), eps })
}

struct RmsNorm {
    weight: Arc<[f32]>,
    eps: f32,
}

impl CustomOp1 for RmsNorm {
    fn name(&self) -> &'static str {
        "rms-norm"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = values(storage, layout)?;
        let run = ROWS * self.weight.len();
        let mut out = vec![0.0; x.len()];
        out.par_chunks_mut(run).zip(x.par_chunks(run)).for_each(|(out, x)| {
            ops::rms_norm(x, &self.weight, self.eps, out);
        });
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let mut gradients = copied(gradient)?;
        let run = ROWS * self.weight.len();
        with(x, |x| {
            gradients.par_chunks_mut(run).zip(x.par_chunks(run)).for_each(|(gradient, x)| {
                ops::rms_norm_back(x, &self.weight, self.eps, gradient);
            });
        })?;
        Ok(Some(Tensor::from_vec(gradients, x.shape(), x.device())?))
    }
}
