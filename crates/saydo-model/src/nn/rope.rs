//! Rotary position embedding of queries and keys.

use super::fused;
use super::values::{is_kernel, tensor, with_values};
use crate::Error;
use crate::kernel::Pool;
use crate::kernel::ops::{RopeOrder, RopeTable};
use candle_core::{D, Tensor};
use std::sync::Arc;

/// How fast each pair of a head's dimensions turns.
#[derive(Debug, Clone)]
pub struct Rope {
    /// Angle per position of each pair.
    pub frequencies: Vec<f64>,
    /// Which dimensions make a pair.
    pub order: RopeOrder,
}

impl Rope {
    /// The angles of rows at these positions, for all layers of a pass.
    pub fn turns(&self, positions: &[usize]) -> Turns {
        Turns { table: Arc::new(RopeTable::new(&self.frequencies, positions)), order: self.order }
    }
}

/// Angles of the rows of one pass.
pub struct Turns {
    table: Arc<RopeTable>,
    order: RopeOrder,
}

impl Turns {
    /// Turns x of shape (rows, heads × head_dim).
    pub fn apply(&self, x: &Tensor, head_dim: usize, pool: &Pool) -> Result<Tensor, Error> {
        if fused::is_fused(x) {
            return Ok(fused::turn(x, &self.table, self.order, head_dim)?);
        }
        if !is_kernel(x) {
            return self.plain(x, head_dim);
        }
        let (_, width) = x.dims2()?;
        let mut out = vec![0.0; x.elem_count()];
        with_values(x, |x| {
            pool.fill_rows(&mut out, width, |first, out| {
                out.copy_from_slice(&x[first * width..][..out.len()]);
                self.table.apply_from(first, self.order, out, width / head_dim, head_dim);
            });
        })?;
        tensor(out, x.shape())
    }

    fn plain(&self, x: &Tensor, head_dim: usize) -> Result<Tensor, Error> {
        let (rows, width) = x.dims2()?;
        let pairs = self.table.pairs();
        let x = x.reshape((rows, width / head_dim, head_dim))?;
        let angle = |values: &[f32]| Tensor::from_slice(values, (rows, 1, pairs), x.device());
        let (cos, sin) = (angle(self.table.cos())?, angle(self.table.sin())?);
        let (a, b) = match self.order {
            RopeOrder::HalfSplit => (x.narrow(D::Minus1, 0, pairs)?, x.narrow(D::Minus1, pairs, pairs)?),
            RopeOrder::Interleaved => {
                let two = x.narrow(D::Minus1, 0, 2 * pairs)?.reshape((rows, width / head_dim, pairs, 2))?;
                (two.narrow(D::Minus1, 0, 1)?.squeeze(D::Minus1)?, two.narrow(D::Minus1, 1, 1)?.squeeze(D::Minus1)?)
            }
        };
        let turned_a = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
        let turned_b = (a.broadcast_mul(&sin)? + b.broadcast_mul(&cos)?)?;
        let turned = match self.order {
            RopeOrder::HalfSplit => Tensor::cat(&[turned_a, turned_b], D::Minus1)?,
            RopeOrder::Interleaved => {
                Tensor::stack(&[turned_a, turned_b], D::Minus1)?.reshape((rows, width / head_dim, 2 * pairs))?
            }
        };
        let rest = x.narrow(D::Minus1, 2 * pairs, head_dim - 2 * pairs)?;
        let whole = if 2 * pairs == head_dim { turned } else { Tensor::cat(&[turned, rest], D::Minus1)? };
        Ok(whole.reshape((rows, width))?)
    }
}
