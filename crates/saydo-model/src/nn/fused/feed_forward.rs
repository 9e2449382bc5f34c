//! A gated feed-forward part in bf16, with additions of low rank that learn, as one operation.
//!
//! It is the widest part of a layer by far. What is kept of it for the backward pass is in 16 bits, and its gradients meet in one
//! sum of products.

use super::super::RoundedMatrix;
use super::frozen::Addition;
use super::rounded::RoundedSum;
use super::{values, with};
use crate::kernel::ops;
use crate::kernel::tiles::{self, Left};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Values one thread works on at a time.
const RUN: usize = 16384;

/// A linear layer: frozen weights, and A and B of an addition.
pub(in crate::nn) struct Layer<'a> {
    pub matrix: &'a Arc<RoundedMatrix>,
    pub halves: [&'a Tensor; 2],
    pub scale: f32,
}

/// down(silu(gate(x)) × up(x)) for x of shape (rows, inputs).
pub(in crate::nn) fn gated_feed_forward(x: &Tensor, layers: [Layer<'_>; 3]) -> Result<Tensor> {
    // An operation takes three tensors at most; six halves go end to end.
    let halves = layers.iter().flat_map(|layer| layer.halves).map(Tensor::flatten_all).collect::<Result<Vec<_>>>()?;
    let parts = layers.map(|layer| Part {
        matrix: Arc::clone(layer.matrix),
        rank: layer.halves[0].dims()[0],
        scale: layer.scale,
    });
    x.contiguous()?.apply_op2(&Tensor::cat(&halves, 0)?, GatedFeedForward { parts, kept: OnceLock::new() })
}

struct Part {
    matrix: Arc<RoundedMatrix>,
    rank: usize,
    scale: f32,
}

struct GatedFeedForward {
    /// Gate, up and down.
    parts: [Part; 3],
    kept: OnceLock<Kept>,
}

/// What the way back starts from.
struct Kept {
    gate: Left,
    up: Left,
    /// x Aᵀ of each part.
    inner: [Vec<f32>; 3],
}

impl GatedFeedForward {
    /// The three parts with their halves out of all halves end to end.
    fn sums(&self, halves: &[f32]) -> [RoundedSum<'_>; 3] {
        let mut rest = halves;
        self.parts.each_ref().map(|part| {
            let (down, others) = rest.split_at(part.rank * part.matrix.inputs);
            let (up, others) = others.split_at(part.rank * part.matrix.outputs);
            rest = others;
            RoundedSum::new(&part.matrix, &Addition { down, up, rank: part.rank, scale: part.scale })
        })
    }

    fn back(&self, x: &[f32], halves: &[f32], gradient: &[f32]) -> [Vec<f32>; 2] {
        let [gate_sum, up_sum, down_sum] = self.sums(halves);
        let [gate_part, _, down_part] = &self.parts;
        let Kept { gate, up, inner } = self.kept.get().expect("forward came before");
        let width = gate_part.matrix.outputs;
        let (x, gradient) = (Left::round(x, gate_part.matrix.inputs), Left::round(gradient, down_part.matrix.outputs));
        let (mut gates, mut ups) = (gate.values(), up.values());
        let to_inner = down_sum.to_inner(&gradient);
        let to_gated = tiles::multiply(&down_sum.terms(&gradient, &to_inner));
        let of_down = down_sum.learned((&gradient, &gated(gates.clone(), &ups, width)), &inner[2], &to_inner);
        let runs = gates.par_chunks_mut(RUN).zip(ups.par_chunks_mut(RUN)).zip(to_gated.par_chunks(RUN));
        runs.for_each(|((gate, up), gradient)| ops::silu_mul_back(gate, up, gradient));
        let (to_gate, to_up) = (Left::round(&gates, width), Left::round(&ups, width));
        let (gate_inner, up_inner) = (gate_sum.to_inner(&to_gate), up_sum.to_inner(&to_up));
        let terms = [gate_sum.terms(&to_gate, &gate_inner), up_sum.terms(&to_up, &up_inner)];
        let to_x = tiles::multiply(terms.as_flattened());
        let of_gate = gate_sum.learned((&to_gate, &x), &inner[0], &gate_inner);
        let of_up = up_sum.learned((&to_up, &x), &inner[1], &up_inner);
        [to_x, [of_gate, of_up, of_down].concat().concat()]
    }
}

/// silu(gate) × up.
fn gated(mut gate: Vec<f32>, up: &[f32], width: usize) -> Left {
    gate.par_chunks_mut(RUN).zip(up.par_chunks(RUN)).for_each(|(gate, up)| ops::silu_mul(gate, up));
    Left::round(&gate, width)
}

impl CustomOp2 for GatedFeedForward {
    fn name(&self) -> &'static str {
        "gated-feed-forward"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        halves: &CpuStorage,
        halves_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, inputs) = x_layout.shape().dims2()?;
        let [gate_sum, up_sum, down_sum] = self.sums(values(halves, halves_layout)?);
        let (x, width) = (Left::round(values(x, x_layout)?, inputs), self.parts[0].matrix.outputs);
        let ((gate, gate_inner), (up, up_inner)) = (gate_sum.forward(&x), up_sum.forward(&x));
        let kept = (Left::round(&gate, width), Left::round(&up, width));
        let (out, down_inner) = down_sum.forward(&gated(gate, &up, width));
        // Forward runs once for an operation; were it run again, the values would be the same.
        let _ = self.kept.set(Kept { gate: kept.0, up: kept.1, inner: [gate_inner, up_inner, down_inner] });
        Ok((CpuStorage::F32(out), Shape::from((rows, self.parts[2].matrix.outputs))))
    }

    fn bwd(
        &self,
        x: &Tensor,
        halves: &Tensor,
        _y: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [to_x, to_halves] =
            with(x, |x| with(halves, |halves| with(gradient, |gradient| self.back(x, halves, gradient))))???;
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device()).map(Some);
        Ok((tensor(to_x, x)?, tensor(to_halves, halves)?))
    }
}
