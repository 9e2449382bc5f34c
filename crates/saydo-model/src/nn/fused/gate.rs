//! silu(gate) × up.

use super::{copied, values};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

/// Values one thread works on at a time.
const RUN: usize = 4096;

/// x sigmoid(x) of `gate`, times `up`.
pub(in crate::nn) fn gate(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    gate.contiguous()?.apply_op2(&up.contiguous()?, SiluGate)
}

struct SiluGate;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl CustomOp2 for SiluGate {
    fn name(&self) -> &'static str {
        "silu-gate"
    }

    fn cpu_fwd(
        &self,
        gate: &CpuStorage,
        gate_layout: &Layout,
        up: &CpuStorage,
        up_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (gate, up) = (values(gate, gate_layout)?, values(up, up_layout)?);
        let mut out = vec![0.0; gate.len()];
        let runs = out.par_chunks_mut(RUN).zip(gate.par_chunks(RUN)).zip(up.par_chunks(RUN));
        runs.for_each(|((out, gate), up)| {
            for ((out, gate), up) in out.iter_mut().zip(gate).zip(up) {
                *out = gate * sigmoid(*gate) * up;
            }
        });
        Ok((CpuStorage::F32(out), gate_layout.shape().clone()))
    }

    fn bwd(
        &self,
        gate: &Tensor,
        up: &Tensor,
        _y: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (mut gates, mut ups, gradients) = (copied(gate)?, copied(up)?, copied(gradient)?);
        let runs = gates.par_chunks_mut(RUN).zip(ups.par_chunks_mut(RUN)).zip(gradients.par_chunks(RUN));
        runs.for_each(|((gates, ups), gradients)| {
            for ((gate, up), gradient) in gates.iter_mut().zip(ups).zip(gradients) {
                let s = sigmoid(*gate);
                let (x, y) = (*gate, *up);
                *gate = gradient * y * s * (1.0 + x * (1.0 - s));
                *up = gradient * x * s;
            }
        });
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device());
        Ok((Some(tensor(gates, gate)?), Some(tensor(ups, up)?)))
    }
}
