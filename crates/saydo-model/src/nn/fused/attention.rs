//! Attention over whole sequences: scores and probabilities are computed again for the backward step.

use super::super::pass::Span;
use crate::kernel::AttentionShape;
use candle_core::{CpuStorage, CustomOp3, D, Device, Layout, Result, Shape, Tensor};
use std::ops::Range;
use std::sync::Arc;

/// Causal attention of q, shape (rows, heads × head_dim), over k and v, shape (rows, kv_heads × head_dim); each span sees
/// the rows it comes after and its own.
pub(in crate::nn) fn attend(shape: &AttentionShape, spans: &[Span], [q, k, v]: [&Tensor; 3]) -> Result<Tensor> {
    let op = Attention { shape: shape.clone(), spans: Arc::from(spans) };
    q.contiguous()?.apply_op3(&k.contiguous()?, &v.contiguous()?, op)
}

struct Attention {
    shape: AttentionShape,
    spans: Arc<[Span]>,
}

/// Queries, keys and values of one span, by key head: shape (kv_heads, rows, head_dim); the query heads that read a key
/// head lie one after the other in its rows.
struct Heads {
    q: Tensor,
    k: Tensor,
    v: Tensor,
    probabilities: Tensor,
}

impl Attention {
    fn heads(&self, span: &Span, [q, k, v]: [&Tensor; 3]) -> Result<Heads> {
        let rows = span.rows.len();
        let q = self.queries(&q.narrow(0, span.rows.start, rows)?)?;
        let (k, v) = (self.keys(&seen(k, span)?)?, self.keys(&seen(v, span)?)?);
        let keys = k.dim(1)?;
        let group = self.shape.heads / self.shape.kv_heads;
        let scores = (q.matmul(&k.t()?)? * f64::from(self.shape.scale))?;
        let scores = scores.reshape((self.shape.kv_heads, group, rows, keys))?;
        let scores = scores.broadcast_add(&mask(rows, keys)?)?.reshape((self.shape.kv_heads, group * rows, keys))?;
        Ok(Heads { q, k, v, probabilities: softmax(&scores)? })
    }

    /// From (rows, heads × head_dim) to (kv_heads, heads of a group × rows, head_dim).
    fn queries(&self, x: &Tensor) -> Result<Tensor> {
        let (rows, _) = x.dims2()?;
        let AttentionShape { heads, kv_heads, head_dim, .. } = self.shape;
        let x = x.reshape((rows, heads, head_dim))?.transpose(0, 1)?.contiguous()?;
        x.reshape((kv_heads, heads / kv_heads * rows, head_dim))
    }

    /// And back.
    fn rows_of_queries(&self, x: &Tensor, rows: usize) -> Result<Tensor> {
        let AttentionShape { heads, head_dim, .. } = self.shape;
        let x = x.reshape((heads, rows, head_dim))?.transpose(0, 1)?.contiguous()?;
        x.reshape((rows, heads * head_dim))
    }

    /// From (rows, kv_heads × head_dim) to (kv_heads, rows, head_dim).
    fn keys(&self, x: &Tensor) -> Result<Tensor> {
        x.reshape(((), self.shape.kv_heads, self.shape.head_dim))?.transpose(0, 1)?.contiguous()
    }

    /// And back.
    fn rows_of_keys(&self, x: &Tensor) -> Result<Tensor> {
        x.transpose(0, 1)?.contiguous()?.reshape(((), self.shape.kv_heads * self.shape.head_dim))
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
        let tensor = |storage: &CpuStorage, layout: &Layout| {
            Tensor::from_slice(super::values(storage, layout)?, layout.shape(), &Device::Cpu)
        };
        let (q, k, v) = (tensor(q, q_layout)?, tensor(k, k_layout)?, tensor(v, v_layout)?);
        let mut out = Vec::with_capacity(q.elem_count());
        for span in &*self.spans {
            let heads = self.heads(span, [&q, &k, &v])?;
            let read = heads.probabilities.matmul(&heads.v)?;
            out.extend(super::copied(&self.rows_of_queries(&read, span.rows.len())?)?);
        }
        Ok((CpuStorage::F32(out), q_layout.shape().clone()))
    }

    fn bwd(
        &self,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        _out: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (_, width) = k.dims2()?;
        let mut to_q = Vec::with_capacity(q.elem_count());
        let (mut to_k, mut to_v) = (vec![0.0; k.elem_count()], vec![0.0; v.elem_count()]);
        // A gradient carries no gradient of its own, nor does anything computed here.
        let (q, k, v, gradient) = (q.detach(), k.detach(), v.detach(), gradient.detach());
        for span in &*self.spans {
            let heads = self.heads(span, [&q, &k, &v])?;
            let out = self.queries(&gradient.narrow(0, span.rows.start, span.rows.len())?)?;
            let p = &heads.probabilities;
            let to_values = p.t()?.contiguous()?.matmul(&out)?;
            let to_p = out.matmul(&heads.v.t()?.contiguous()?)?;
            let along = (&to_p * p)?.sum_keepdim(D::Minus1)?;
            let to_scores = ((to_p.broadcast_sub(&along)? * p)? * f64::from(self.shape.scale))?;
            to_q.extend(super::copied(&self.rows_of_queries(&to_scores.matmul(&heads.k)?, span.rows.len())?)?);
            let to_keys = to_scores.t()?.contiguous()?.matmul(&heads.q)?;
            add(&mut to_k, &super::copied(&self.rows_of_keys(&to_keys)?)?, span, width);
            add(&mut to_v, &super::copied(&self.rows_of_keys(&to_values)?)?, span, width);
        }
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), like.device()).map(Some);
        Ok((tensor(to_q, &q)?, tensor(to_k, &k)?, tensor(to_v, &v)?))
    }
}

/// Rows that a span sees, its own last.
fn seen(x: &Tensor, span: &Span) -> Result<Tensor> {
    let own = x.narrow(0, span.rows.start, span.rows.len())?;
    match &span.after {
        Some(after) => Tensor::cat(&[x.narrow(0, after.start, after.len())?, own], 0),
        None => Ok(own),
    }
}

/// Adds the gradient of the rows that a span sees to that of all rows.
fn add(all: &mut [f32], seen: &[f32], span: &Span, width: usize) {
    let mut rest = seen;
    let ranges: [Option<Range<usize>>; 2] = [span.after.clone(), Some(span.rows.clone())];
    for range in ranges.into_iter().flatten() {
        let (own, others) = rest.split_at(range.len() * width);
        rest = others;
        for (sum, x) in all[range.start * width..range.end * width].iter_mut().zip(own) {
            *sum += x;
        }
    }
}

/// 0 where a row sees a key, minus infinity where not; the last key is the last row's own.
fn mask(rows: usize, keys: usize) -> Result<Tensor> {
    let value = |row, key| if key <= keys - rows + row { 0.0 } else { f32::NEG_INFINITY };
    let values = (0..rows).flat_map(|row| (0..keys).map(move |key| value(row, key)));
    Tensor::from_vec(values.collect::<Vec<f32>>(), (rows, keys), &Device::Cpu)
}

fn softmax(x: &Tensor) -> Result<Tensor> {
    let exponentials = x.broadcast_sub(&x.max_keepdim(D::Minus1)?)?.exp()?;
    exponentials.broadcast_div(&exponentials.sum_keepdim(D::Minus1)?)
}
