//! Matrices of plain floats, multiplied without rounding the activations.

use super::{Columns, GROUP};
use crate::kernel::activation::Activations;
use crate::kernel::lanes::{self, Lanes, WithLanes};
use half::{bf16, f16};

/// Activation rows per tile.
const ROWS: usize = 4;

/// Groups of eight outputs per tile: with one activation row, four chains of multiply-adds hide their latency.
const GROUPS: usize = 2;

/// A stored float.
pub(super) trait Element: Copy + Send + Sync {
    const ZERO: Self;
    fn to_f32(self) -> f32;
    fn load<L: Lanes>(eight: &[Self; 8]) -> L;
}

/// Weights with eight output rows interleaved: for each group, for each input, the weights of its rows.
pub(super) struct Dense<T> {
    cols: usize,
    weights: Vec<[T; GROUP]>,
}

impl<T: Element> Dense<T> {
    pub fn pack<const B: usize>(bytes: &[u8], rows: usize, cols: usize, read: impl Fn(&[u8; B]) -> T) -> Self {
        let (source, _) = bytes.as_chunks::<B>();
        let mut weights = vec![[T::ZERO; GROUP]; rows.div_ceil(GROUP) * cols];
        for (row, values) in source.chunks(cols.max(1)).enumerate() {
            let group = &mut weights[row / GROUP * cols..][..cols];
            for (eight, value) in group.iter_mut().zip(values) {
                eight[row % GROUP] = read(value);
            }
        }
        Self { cols, weights }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.weights[..])
    }

    pub fn row(&self, row: usize, out: &mut [f32]) {
        for (value, eight) in out.iter_mut().zip(self.group(row / GROUP)) {
            *value = eight[row % GROUP].to_f32();
        }
    }

    /// Computes the outputs of groups `from..to` for all activations.
    pub fn multiply(&self, x: &Activations<'_>, from: usize, to: usize, out: &Columns<'_>) {
        lanes::dispatch(Multiply { matrix: self, x, from, to, out });
    }

    fn group(&self, group: usize) -> &[[T; GROUP]] {
        &self.weights[group * self.cols..][..self.cols]
    }
}

struct Multiply<'a, T> {
    matrix: &'a Dense<T>,
    x: &'a Activations<'a>,
    from: usize,
    to: usize,
    out: &'a Columns<'a>,
}

impl<T: Element> WithLanes for Multiply<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut group = self.from;
        while group < self.to {
            if group + GROUPS <= self.to {
                self.groups::<L, GROUPS>(group);
                group += GROUPS;
            } else {
                self.groups::<L, 1>(group);
                group += 1;
            }
        }
    }
}

impl<T: Element> Multiply<'_, T> {
    #[inline(always)]
    fn groups<L: Lanes, const G: usize>(&self, group: usize) {
        let rows = self.x.rows();
        let whole = rows - rows % ROWS;
        for row in (0..whole).step_by(ROWS) {
            self.tile::<L, G, ROWS>(group, row);
        }
        for row in whole..rows {
            self.tile::<L, G, 1>(group, row);
        }
    }

    /// One chain of multiply-adds per output, over the inputs in order.
    #[inline(always)]
    fn tile<L: Lanes, const G: usize, const R: usize>(&self, group: usize, row: usize) {
        let cols = self.matrix.cols;
        let weights: [_; G] = std::array::from_fn(|g| self.matrix.group(group + g));
        let x: [_; R] = std::array::from_fn(|r| &self.x.floats()[(row + r) * cols..][..cols]);
        let mut sums = [[L::splat(0.0); G]; R];
        for i in 0..cols {
            let w: [L; G] = std::array::from_fn(|g| T::load(&weights[g][i]));
            for (sums, x) in sums.iter_mut().zip(x) {
                let x = L::splat(x[i]);
                for (sum, w) in sums.iter_mut().zip(w) {
                    *sum = w.mul_add(x, *sum);
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (g, sum) in sums.into_iter().enumerate() {
                self.out.write(row + r, group + g, &sum.to_array());
            }
        }
    }
}

impl Element for f32 {
    const ZERO: Self = 0.0;

    fn to_f32(self) -> f32 {
        self
    }

    #[inline(always)]
    fn load<L: Lanes>(eight: &[Self; 8]) -> L {
        L::load(eight)
    }
}

impl Element for f16 {
    const ZERO: Self = f16::ZERO;

    fn to_f32(self) -> f32 {
        f16::to_f32(self)
    }

    #[inline(always)]
    fn load<L: Lanes>(eight: &[Self; 8]) -> L {
        L::load_f16(eight)
    }
}

impl Element for bf16 {
    const ZERO: Self = bf16::ZERO;

    fn to_f32(self) -> f32 {
        bf16::to_f32(self)
    }

    #[inline(always)]
    fn load<L: Lanes>(eight: &[Self; 8]) -> L {
        L::load_bf16(eight)
    }
}
