//! Products in bf16 with weights that stay and an addition of low rank that learns, both ways.

use super::super::RoundedMatrix;
use super::frozen::Addition;
use crate::kernel::dense::View;
use crate::kernel::tiles::{self, Factor, Left, Right};

/// W, and A and B as the products need them.
pub(super) struct RoundedSum<'a> {
    matrix: &'a RoundedMatrix,
    /// Aᵀ.
    down: Right,
    /// scale × Bᵀ.
    up: Right,
    rank: usize,
    scale: f32,
}

/// The gradient of x Aᵀ, as it is and rounded.
pub(super) struct ToInner {
    values: Vec<f32>,
    rounded: Left,
}

impl<'a> RoundedSum<'a> {
    pub fn new(matrix: &'a RoundedMatrix, addition: &Addition<'_>) -> Self {
        let Addition { down, up, rank, scale } = *addition;
        let (down, up) = (View::new(down, down.len() / rank), View::new(up, rank));
        Self { matrix, down: Right::round(down.t(), 1.0), up: Right::round(up.t(), scale), rank, scale }
    }

    /// x Wᵀ + scale × x Aᵀ Bᵀ, and x Aᵀ.
    pub fn forward(&self, x: &Left) -> (Vec<f32>, Vec<f32>) {
        let inner = tiles::multiply(&[(x, Factor::Tiles(&self.down))]);
        let inside = Left::round(&inner, self.rank);
        (tiles::multiply(&[(x, self.matrix.forward()), (&inside, Factor::Tiles(&self.up))]), inner)
    }

    /// The gradient of x Aᵀ, from that of the result.
    pub fn to_inner(&self, gradient: &Left) -> ToInner {
        let values = tiles::multiply(&[(gradient, Factor::Turned(&self.up))]);
        let rounded = Left::round(&values, self.rank);
        ToInner { values, rounded }
    }

    /// Products whose sum is the gradient of x.
    pub fn terms<'t>(&'t self, gradient: &'t Left, to_inner: &'t ToInner) -> [(&'t Left, Factor<'t>); 2] {
        [(gradient, self.matrix.backward()), (&to_inner.rounded, Factor::Turned(&self.down))]
    }

    /// The gradients of A and B. They are sums over rows: the few columns of x Aᵀ and its gradient are turned, the many of
    /// x and of the gradient are not.
    pub fn learned(&self, (gradient, x): (&Left, &Left), inner: &[f32], to_inner: &ToInner) -> [Vec<f32>; 2] {
        let turned =
            |values: &[f32], scale: f32| Left::round(&transposed(values, self.rank, scale), values.len() / self.rank);
        let to_down = tiles::multiply(&[(&turned(&to_inner.values, 1.0), Factor::Rows(x))]);
        let to_up = tiles::multiply(&[(&turned(inner, self.scale), Factor::Rows(gradient))]);
        [to_down, transposed(&to_up, self.matrix.outputs, 1.0)]
    }
}

fn transposed(values: &[f32], columns: usize, scale: f32) -> Vec<f32> {
    let values = View::new(values, columns);
    let (rows, columns) = values.shape();
    (0..columns).flat_map(|column| (0..rows).map(move |row| scale * values.at(row, column))).collect()
}
