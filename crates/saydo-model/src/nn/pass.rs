//! One pass of a network over some rows: which rows belong together, and what they attend to.

use super::attention::Sight;
use super::dropout::Draws;
use super::position_bias::PositionBias;
use super::values::{tensor, with_values};
use super::{fused, plain};
use crate::Error;
use crate::cache::SequenceCache;
use crate::kernel::{AttentionRow, AttentionShape, KvSegment, Pool, attention};
use candle_core::Tensor;
use std::ops::Range;

/// A pass over rows, shape (rows, …) in every tensor, sequence after sequence.
pub struct Pass<'a> {
    /// The threads that compute.
    pub pool: &'a Pool,
    /// The position of each row in its sequence.
    pub positions: Vec<usize>,
    /// Where earlier keys and values are.
    pub memory: Memory<'a>,
    /// What is dropped inside the network; none outside of training.
    pub draws: Option<Draws>,
}

/// Where a pass finds and leaves keys and values.
pub enum Memory<'a> {
    /// In caches, one for each sequence in order of rows; this pass adds its rows to them. No gradients.
    Cached(Vec<CachedRows<'a>>),
    /// Nowhere: every sequence is whole in this pass. Gradients flow.
    Whole {
        /// The sequences.
        spans: Vec<Span>,
        /// For a decoder, the encoded input and which of its rows each span sees.
        source: Option<(Tensor, Vec<Range<usize>>)>,
    },
}

/// A sequence with a cache, and how many rows this pass adds to it.
pub struct CachedRows<'a> {
    /// What the sequence attends to.
    pub cache: &'a mut SequenceCache,
    /// Rows of this pass.
    pub rows: usize,
}

/// Rows that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The sequence's own rows.
    pub rows: Range<usize>,
    /// Rows of the same pass that come before them: a prefix that several spans share.
    pub after: Option<Range<usize>>,
}

impl<'a> Pass<'a> {
    /// A pass that adds rows to caches; positions follow from the caches.
    pub fn cached(pool: &'a Pool, sequences: Vec<CachedRows<'a>>) -> Self {
        let positions = sequences.iter().flat_map(|s| s.cache.len()..s.cache.len() + s.rows).collect();
        Self { pool, positions, memory: Memory::Cached(sequences), draws: None }
    }

    /// A pass over whole sequences; positions of a span go on from the rows it comes after.
    pub fn whole(pool: &'a Pool, spans: Vec<Span>, source: Option<(Tensor, Vec<Range<usize>>)>) -> Self {
        let positions = spans.iter().flat_map(|span| {
            let first = span.after.as_ref().map_or(0, |after| after.len());
            first..first + span.rows.len()
        });
        Self { pool, positions: positions.collect(), memory: Memory::Whole { spans, source }, draws: None }
    }

    /// The same pass with these draws.
    #[must_use]
    pub fn with_draws(self, draws: Option<Draws>) -> Self {
        Self { draws, ..self }
    }

    /// x with a share of its values dropped, if the pass drops any.
    pub fn dropped(&mut self, x: Tensor, share: f64) -> Result<Tensor, Error> {
        match &mut self.draws {
            Some(draws) => draws.apply(&x, share),
            None => Ok(x),
        }
    }

    /// Attention of q, shape (rows, heads × head_dim), over keys and values, shape (rows, kv_heads × head_dim), and
    /// what came before them. With `is_rounded`, training may multiply in bf16. A pass that drops leaves out a share of the
    /// weights of the keys.
    pub fn attend(
        &mut self,
        layer: usize,
        shape: &AttentionShape,
        sight: Sight,
        ([q, k, v], is_rounded): ([&Tensor; 3], bool),
        bias: Option<&PositionBias>,
        share: f64,
    ) -> Result<Tensor, Error> {
        let draws = self.draws.as_mut().filter(|_| share > 0.0);
        match &mut self.memory {
            Memory::Cached(sequences) => {
                append(sequences, layer, k, v)?;
                let bias = bias.map(PositionBias::rows);
                cached(self.pool, sequences, layer, shape, sight, q, bias)
            }
            Memory::Whole { spans, .. } => {
                let is_usual = sight == Sight::Causal && shape.window.is_none() && shape.soft_cap.is_none();
                if is_usual && draws.is_none() && bias.is_none() && [q, k, v].into_iter().all(fused::is_float_on_cpu) {
                    return Ok(fused::attend(shape, spans, [q, k, v], is_rounded)?);
                }
                let mut draws = draws.map(|draws| (draws, share));
                let mut outs = Vec::with_capacity(spans.len());
                for (number, span) in spans.iter().enumerate() {
                    let (k, v) = (rows_of(k, span)?, rows_of(v, span)?);
                    let q = q.narrow(0, span.rows.start, span.rows.len())?;
                    let first = span.after.as_ref().map_or(0, |after| after.len());
                    let bias = bias.map(|bias| bias.span(number));
                    outs.push(plain::attention(shape, (sight, first), [&q, &k, &v], bias, &mut draws)?);
                }
                Ok(Tensor::cat(&outs, 0)?)
            }
        }
    }

    /// Attention over the encoded input: over its cached keys and values, or over those that `project` makes of it. A pass
    /// that drops leaves out a share of the weights of the keys.
    pub fn attend_source(
        &mut self,
        layer: usize,
        (shape, share): (&AttentionShape, f64),
        q: &Tensor,
        project: impl Fn(&Tensor) -> Result<[Tensor; 2], Error>,
    ) -> Result<Tensor, Error> {
        let mut draws = self.draws.as_mut().filter(|_| share > 0.0).map(|draws| (draws, share));
        match &self.memory {
            Memory::Cached(sequences) => {
                let segments: Vec<Vec<&KvSegment>> = sequences
                    .iter()
                    .map(|s| s.cache.source.iter().map(|source| &source.layers[layer]).collect())
                    .collect();
                let rows = sequences.iter().zip(&segments).flat_map(|(sequence, segments)| {
                    let end = segments.iter().map(|segment| segment.len()).sum();
                    std::iter::repeat_n(AttentionRow { segments, end, bias: None }, sequence.rows)
                });
                by_kernel(self.pool, shape, q, &rows.collect::<Vec<_>>())
            }
            Memory::Whole { spans, source } => {
                let (encoded, seen) = source.as_ref().expect("a decoder's pass has an encoded input");
                let [k, v] = project(encoded)?;
                let mut outs = Vec::with_capacity(spans.len());
                for (span, seen) in spans.iter().zip(seen) {
                    let q = q.narrow(0, span.rows.start, span.rows.len())?;
                    let (k, v) = (k.narrow(0, seen.start, seen.len())?, v.narrow(0, seen.start, seen.len())?);
                    outs.push(plain::attention(shape, (Sight::All, 0), [&q, &k, &v], None, &mut draws)?);
                }
                Ok(Tensor::cat(&outs, 0)?)
            }
        }
    }
}

/// The rows a span sees, its own last.
fn rows_of(x: &Tensor, span: &Span) -> Result<Tensor, Error> {
    let own = x.narrow(0, span.rows.start, span.rows.len())?;
    match &span.after {
        Some(after) => Ok(Tensor::cat(&[x.narrow(0, after.start, after.len())?, own], 0)?),
        None => Ok(own),
    }
}

fn append(sequences: &mut [CachedRows<'_>], layer: usize, k: &Tensor, v: &Tensor) -> Result<(), Error> {
    let (_, width) = k.dims2()?;
    with_values(k, |k| {
        with_values(v, |v| {
            let mut first = 0;
            for sequence in sequences {
                let range = first * width..(first + sequence.rows) * width;
                sequence.cache.own.layers[layer].append(&k[range.clone()], &v[range]);
                first += sequence.rows;
            }
        })
    })?
}

fn cached(
    pool: &Pool,
    sequences: &[CachedRows<'_>],
    layer: usize,
    shape: &AttentionShape,
    sight: Sight,
    q: &Tensor,
    bias: Option<&[Vec<f32>]>,
) -> Result<Tensor, Error> {
    let segments: Vec<Vec<&KvSegment>> = sequences.iter().map(|s| s.cache.segments(layer)).collect();
    let mut rows = Vec::with_capacity(q.dims()[0]);
    for (sequence, segments) in sequences.iter().zip(&segments) {
        let len: usize = segments.iter().map(|segment| segment.len()).sum();
        for row in 0..sequence.rows {
            let end = if sight == Sight::All { len } else { len - sequence.rows + row + 1 };
            rows.push(AttentionRow { segments, end, bias: bias.map(|bias| &bias[rows.len()][..]) });
        }
    }
    by_kernel(pool, shape, q, &rows)
}

fn by_kernel(pool: &Pool, shape: &AttentionShape, q: &Tensor, rows: &[AttentionRow<'_>]) -> Result<Tensor, Error> {
    let mut out = vec![0.0; q.elem_count()];
    with_values(q, |values| attention(shape, values, rows, &mut out, pool))?;
    Ok(tensor(out, q.shape())?.to_device(q.device())?)
}
