//! silu(gate) × up.

use super::{copied, values, with};
use crate::kernel::ops;
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

/// Values one thread works on at a time.
const RUN: usize = 16384;

/// x sigmoid(x) of `gate`, times `up`.
pub(in crate::nn) fn gate(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    gate.contiguous()?.apply_op2(&up.contiguous()?, SiluGate)
}

struct SiluGate;

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
        let (mut out, up) = (ops::copy(values(gate, gate_layout)?), values(up, up_layout)?);
        out.par_chunks_mut(RUN).zip(up.par_chunks(RUN)).for_each(|(gate, up)| ops::silu_mul(gate, up));
        Ok((CpuStorage::F32(out), gate_layout.shape().clone()))
    }

    fn bwd(
        &self,
        gate: &Tensor,
        up: &Tensor,
        _y: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (mut gates, mut ups) = (copied(gate)?, copied(up)?);
        with(gradient, |gradient| {
            let runs = gates.par_chunks_mut(RUN).zip(ups.par_chunks_mut(RUN)).zip(gradient.par_chunks(RUN));
            runs.for_each(|((gate, up), gradient)| ops::silu_mul_back(gate, up, gradient));
        })?;
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device());
        Ok((Some(tensor(gates, gate)?), Some(tensor(ups, up)?)))
    }
}
