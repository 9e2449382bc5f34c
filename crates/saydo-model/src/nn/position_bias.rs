//! Additions to attention scores that depend on how far apart query and key are, as T5 learns them.

use super::attention::Sight;
use super::pass::{Memory, Pass};
use super::values::with_values;
use crate::Error;
use candle_core::Tensor;

/// A learned number for each bucket of distances and each head.
#[derive(Clone)]
pub struct RelativePositions {
    /// Shape (buckets, heads).
    pub table: Tensor,
    /// Distances from here on share the last bucket.
    pub max_distance: usize,
    /// Whether keys may lie on both sides of a query.
    pub sight: Sight,
}

/// The additions for the rows of one pass, the same in all layers.
pub enum PositionBias {
    /// For each row, shape (heads, keys it sees).
    Rows(Vec<Vec<f32>>),
    /// For each span, shape (heads, rows, keys).
    Spans(Vec<Tensor>),
}

impl PositionBias {
    pub(super) fn rows(&self) -> &[Vec<f32>] {
        match self {
            Self::Rows(rows) => rows,
            Self::Spans(_) => unreachable!("a bias is made for the pass it is used in"),
        }
    }

    pub(super) fn span(&self, number: usize) -> &Tensor {
        match self {
            Self::Spans(spans) => &spans[number],
            Self::Rows(_) => unreachable!("a bias is made for the pass it is used in"),
        }
    }
}

impl RelativePositions {
    /// The additions for a pass, which has not yet added its rows to any cache.
    pub fn bias(&self, pass: &Pass<'_>) -> Result<PositionBias, Error> {
        match &pass.memory {
            Memory::Cached(sequences) => {
                let mut rows = Vec::with_capacity(pass.positions.len());
                for sequence in sequences {
                    let past = sequence.cache.len();
                    for row in 0..sequence.rows {
                        let keys = if self.sight == Sight::All { past + sequence.rows } else { past + row + 1 };
                        rows.push(self.row(past + row, keys)?);
                    }
                }
                Ok(PositionBias::Rows(rows))
            }
            Memory::Whole { spans, .. } => {
                let spans = spans.iter().map(|span| {
                    let first = span.after.as_ref().map_or(0, |after| after.len());
                    self.span(first, span.rows.len())
                });
                Ok(PositionBias::Spans(spans.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Shape (heads, keys), for the query at this position.
    fn row(&self, query: usize, keys: usize) -> Result<Vec<f32>, Error> {
        let (_, heads) = self.table.dims2()?;
        with_values(&self.table, |table| {
            let buckets: Vec<usize> = (0..keys).map(|key| self.bucket(query, key)).collect();
            (0..heads).flat_map(|head| buckets.iter().map(move |bucket| table[bucket * heads + head])).collect()
        })
    }

    /// Shape (heads, rows, first + rows), with gradients.
    fn span(&self, first: usize, rows: usize) -> Result<Tensor, Error> {
        let (_, heads) = self.table.dims2()?;
        let keys = first + rows;
        let buckets: Vec<u32> =
            (first..keys).flat_map(|query| (0..keys).map(move |key| self.bucket(query, key) as u32)).collect();
        let buckets = Tensor::from_vec(buckets, rows * keys, self.table.device())?;
        Ok(self.table.index_select(&buckets, 0)?.reshape((rows, keys, heads))?.permute((2, 0, 1))?.contiguous()?)
    }

    /// The bucket of a distance: exact for small ones, logarithmic up to the greatest.
    fn bucket(&self, query: usize, key: usize) -> usize {
        let mut buckets = self.table.dims()[0];
        let (mut start, distance) = (0, query.abs_diff(key));
        if self.sight == Sight::All {
            buckets /= 2;
            start = if key > query { buckets } else { 0 };
        } else if key > query {
            return 0;
        }
        let exact = buckets / 2;
        if distance < exact {
            return start + distance;
        }
        let ratio = (distance as f32 / exact as f32).ln() / (self.max_distance as f32 / exact as f32).ln();
        start + (exact + (ratio * (buckets - exact) as f32) as usize).min(buckets - 1)
    }
}
