//! Attention over whole sequences, a block of rows at a time: scores and probabilities never exist for more than a
//! block, and are computed again for the backward step.

mod block;
mod rounded;

use super::super::pass::Span;
use super::{values, with};
use crate::kernel::AttentionShape;
use crate::kernel::tiles::Left;
use block::{Backward, Head, Inputs};
use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use rounded::Rounded;
use std::sync::{Arc, OnceLock};

/// Causal attention of q, shape (rows, heads × head_dim), over k and v, shape (rows, kv_heads × head_dim); each span sees
/// the rows it comes after and its own. With `is_rounded`, what is multiplied is rounded to bf16, if heads are made of whole
/// tiles.
pub(in crate::nn) fn attend(
    shape: &AttentionShape,
    spans: &[Span],
    [q, k, v]: [&Tensor; 3],
    is_rounded: bool,
) -> Result<Tensor> {
    let is_rounded = is_rounded && rounded::serves(shape);
    let op = Attention { shape: shape.clone(), spans: Arc::from(spans), is_rounded, log_sums: OnceLock::new() };
    q.contiguous()?.apply_op3(&k.contiguous()?, &v.contiguous()?, op)
}

struct Attention {
    shape: AttentionShape,
    spans: Arc<[Span]>,
    is_rounded: bool,
    /// For each head, the log-sum of each row's scores: with it, probabilities are one exponential away.
    log_sums: OnceLock<Vec<Vec<f32>>>,
}

impl Attention {
    /// Work on every query head, spread over the threads.
    fn by_head<T: Send>(&self, work: impl Fn(Head<'_>) -> T + Sync) -> Vec<T> {
        let head = |number| Head { shape: &self.shape, spans: &self.spans, number };
        (0..self.shape.heads).into_par_iter().with_max_len(1).map(|number| work(head(number))).collect()
    }

    /// From one matrix of (rows, head_dim) for each head to (rows, heads × head_dim).
    fn side_by_side(&self, heads: &[&[f32]]) -> Vec<f32> {
        let dim = self.shape.head_dim;
        let rows = heads.first().map_or(0, |head| head.len() / dim);
        let mut all = vec![0.0; rows * heads.len() * dim];
        all.par_chunks_mut(heads.len() * dim).enumerate().for_each(|(row, out)| {
            for (out, head) in out.chunks_exact_mut(dim).zip(heads) {
                out.copy_from_slice(&head[row * dim..(row + 1) * dim]);
            }
        });
        all
    }

    /// The same for keys and values, whose gradient is the sum over the query heads that read them.
    fn sums_of_groups(&self, heads: &mut [Vec<f32>]) -> Vec<f32> {
        let group = self.shape.heads / self.shape.kv_heads;
        heads.par_chunks_mut(group).for_each(|group| {
            if let Some((first, others)) = group.split_first_mut() {
                for other in others {
                    crate::kernel::ops::add(first, other);
                }
            }
        });
        self.side_by_side(&heads.iter().step_by(group).map(Vec::as_slice).collect::<Vec<_>>())
    }
}

impl CustomOp3 for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn cpu_fwd(
        &self,
        q: &CpuStorage,
        q_layout: &Layout,
        k: &CpuStorage,
        k_layout: &Layout,
        v: &CpuStorage,
        v_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let inputs = Inputs { q: values(q, q_layout)?, k: values(k, k_layout)?, v: values(v, v_layout)? };
        let heads = if self.is_rounded {
            let (all, (rows, _)) = (Rounded::new(&self.shape, &inputs), q_layout.shape().dims2()?);
            self.by_head(|head| head.forward_rounded(&all, rows))
        } else {
            self.by_head(|head| head.forward(&inputs))
        };
        let (outs, log_sums): (Vec<_>, Vec<_>) = heads.into_iter().unzip();
        // Forward runs once for an operation; were it run again, the values would be the same.
        let _ = self.log_sums.set(log_sums);
        let out = self.side_by_side(&outs.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Ok((CpuStorage::F32(out), q_layout.shape().clone()))
    }

    fn bwd(
        &self,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        out: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let log_sums = self.log_sums.get().expect("forward came before");
        let parts = with(q, |q| {
            with(k, |k| {
                with(v, |v| {
                    with(out, |out| {
                        with(gradient, |gradient| {
                            let inputs = Inputs { q, k, v };
                            let from = |head: &Head<'_>| Backward { out, gradient, log_sums: &log_sums[head.number] };
                            if !self.is_rounded {
                                return self.by_head(|head| head.backward(&inputs, &from(&head)));
                            }
                            let all = Rounded::new(&self.shape, &inputs);
                            let rounded = Left::round(gradient, self.shape.heads * self.shape.head_dim);
                            self.by_head(|head| head.backward_rounded(&all, (&inputs, &rounded), &from(&head)))
                        })
                    })
                })
            })
        })?????;
        let (mut to_q, mut to_k, mut to_v) = (Vec::new(), Vec::new(), Vec::new());
        for [q, k, v] in parts {
            to_q.push(q);
            to_k.push(k);
            to_v.push(v);
        }
        let to_q = self.side_by_side(&to_q.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let (to_k, to_v) = (self.sums_of_groups(&mut to_k), self.sums_of_groups(&mut to_v));
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device()).map(Some);
        Ok((tensor(to_q, q)?, tensor(to_k, k)?, tensor(to_v, v)?))
    }
}
