//! x / √(mean(x²) + eps) × weight, with frozen weights.

use super::{copied, values};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// Normalizes runs of as many values as there are weights.
pub(in crate::nn) fn rms_norm(x: &Tensor, weight: Vec<f32>, eps: f32) -> Result<Tensor> {
    x.contiguous()?.apply_op1(RmsNorm { weight: Arc::from(weight), eps })
}

struct RmsNorm {
    weight: Arc<[f32]>,
    eps: f32,
}

impl RmsNorm {
    /// 1 / √(mean(x²) + eps).
    fn scale(&self, run: &[f32]) -> f32 {
        let squares: f32 = run.iter().map(|x| x * x).sum();
        (squares / run.len() as f32 + self.eps).sqrt().recip()
    }
}

impl CustomOp1 for RmsNorm {
    fn name(&self) -> &'static str {
        "rms-norm"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = values(storage, layout)?;
        let width = self.weight.len();
        let mut out = vec![0.0; x.len()];
        out.par_chunks_exact_mut(width).zip(x.par_chunks_exact(width)).for_each(|(out, run)| {
            let scale = self.scale(run);
            for ((out, x), weight) in out.iter_mut().zip(run).zip(&*self.weight) {
                *out = x * scale * weight;
            }
        });
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    /// With n = x × scale and g the gradient times the weights: scale × (g − n × mean(g n)).
    fn bwd(&self, x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (values, mut gradients) = (copied(x)?, copied(gradient)?);
        let width = self.weight.len();
        gradients.par_chunks_exact_mut(width).zip(values.par_chunks_exact(width)).for_each(|(gradient, run)| {
            let scale = self.scale(run);
            let mut along = 0.0;
            for ((gradient, x), weight) in gradient.iter_mut().zip(run).zip(&*self.weight) {
                *gradient *= weight;
                along += *gradient * x * scale;
            }
            let along = along / width as f32;
            for (gradient, x) in gradient.iter_mut().zip(run) {
                *gradient = scale * (*gradient - x * scale * along);
            }
        });
        Ok(Some(Tensor::from_vec(gradients, x.shape(), x.device())?))
    }
}
