//! Attention over cached keys and values, for batches whose sequences may share a prefix.
//!
//! Each query row lists the cache segments it reads, in order: usually a prefix computed once for all instances of a
//! task, then the sequence's own tail. Rows of a batch that name the same segment are multiplied with it together.
//!
//! The scores of all positions are computed first, then one softmax, then the weighted sum of values position by
//! position. Nothing in that order depends on where a segment ends or which rows share a tile, so the result has the
//! same bits for any batch and any split of the same positions.

mod segment;
#[cfg(test)]
mod tests;
mod tile;

use super::shared::SharedSlice;
use super::{Pool, lanes};
use half::f16;
use segment::Stored;
pub use segment::{KvPrecision, KvSegment};
use std::marker::PhantomData;

/// Query rows that one part of the work takes together.
const ROWS: usize = 8;

/// What all rows of a call have in common.
#[derive(Clone, Debug)]
pub struct AttentionShape {
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; divides `heads`. Query head h reads head h / (heads / kv_heads).
    pub kv_heads: usize,
    /// Values per head, a multiple of eight.
    pub head_dim: usize,
    /// Factor of every score, usually 1 / √head_dim.
    pub scale: f32,
    /// If given, a row sees only so many of its last positions.
    pub window: Option<usize>,
    /// If given, scores are squashed to this limit by a hyperbolic tangent.
    pub soft_cap: Option<f32>,
}

/// What one query row sees.
#[derive(Clone, Copy)]
pub struct AttentionRow<'a> {
    /// Segments in order; positions count through them.
    pub segments: &'a [&'a KvSegment],
    /// The row sees positions below this one; at least 1. For causal attention, its own position + 1.
    pub end: usize,
    /// If given, added to the scaled scores; shape (heads, end).
    pub bias: Option<&'a [f32]>,
}

impl AttentionRow<'_> {
    /// The first position the row sees.
    fn start(&self, shape: &AttentionShape) -> usize {
        shape.window.map_or(0, |window| self.end.saturating_sub(window))
    }

    fn check(&self, shape: &AttentionShape) {
        let len: usize = self.segments.iter().map(|segment| segment.len()).sum();
        assert!(0 < self.end && self.end <= len, "a row sees {} of {len} positions", self.end);
        let fits = |s: &&KvSegment| s.kv_heads() == shape.kv_heads && s.head_dim() == shape.head_dim;
        assert!(self.segments.iter().all(fits), "a segment has another shape than the queries");
        assert!(self.bias.is_none_or(|bias| bias.len() == shape.heads * self.end), "bias is not (heads, end)");
    }
}

/// Computes attention of queries of shape (rows, heads, head_dim) into `out`, of the same shape. Panics if sizes do
/// not agree or a row sees nothing.
pub fn attention(shape: &AttentionShape, q: &[f32], rows: &[AttentionRow<'_>], out: &mut [f32], pool: &Pool) {
    let width = shape.heads * shape.head_dim;
    assert!(shape.kv_heads > 0 && shape.heads.is_multiple_of(shape.kv_heads), "kv heads do not divide heads");
    assert!(shape.window != Some(0), "a window of 0 positions sees nothing");
    assert!(q.len() == rows.len() * width && out.len() == q.len(), "queries are not (rows, heads, head_dim)");
    rows.iter().for_each(|row| row.check(shape));
    let out = SharedSlice::new(out);
    match rows.first().and_then(|row| row.segments.first()).map(|segment| segment.precision()) {
        Some(KvPrecision::Half) => by_tile::<f16>(shape, q, rows, &out, pool),
        Some(KvPrecision::Full) => by_tile::<f32>(shape, q, rows, &out, pool),
        None => (),
    }
}

fn by_tile<T: Stored>(
    shape: &AttentionShape,
    q: &[f32],
    rows: &[AttentionRow<'_>],
    out: &SharedSlice<'_, f32>,
    pool: &Pool,
) {
    let width = shape.heads * shape.head_dim;
    let tiles = rows.len().div_ceil(ROWS);
    pool.run(tiles * shape.kv_heads, |part| {
        // Later rows of a prompt see more: starting with them leaves short parts for the end.
        let (tile, kv_head) = (tiles - 1 - part / shape.kv_heads, part % shape.kv_heads);
        let first = tile * ROWS;
        let rows = &rows[first..rows.len().min(first + ROWS)];
        let q = &q[first * width..];
        lanes::dispatch(tile::Tile { shape, q, rows, kv_head, first, out, stored: PhantomData::<T> });
    });
}
