//! Products of matrices rounded to bf16, with sums in 32 bits: on the matrix unit of CPUs that have one (AMX), which does
//! ten times the arithmetic of their vectors, and in plain code elsewhere.
//!
//! Both sides are cut into tiles: 16 rows of 32 numbers on the left, 32 rows of 16 columns on the right, where two rows
//! stand side by side. What a matrix does not fill of its last tiles is zero.

#[cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), path = "tiles/no_amx.rs")]
mod amx;
mod portable;

use super::dense::View;
use super::lanes::{self, Lanes, WithLanes};
use half::bf16;
use rayon::prelude::*;

/// Rows of a tile of the left side, and columns of one of the right side and of a result.
const SIDE: usize = 16;

/// Numbers along which a pair of tiles is summed.
const DEPTH: usize = 32;

/// Rows and columns of a result that are computed together: two tiles each way.
const BLOCK: usize = 2 * SIDE;

/// Numbers of a row of the left side along one tile.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([bf16; DEPTH]);

/// A tile of the right side: for each pair of rows, for each column, the two numbers.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Tile([[[bf16; 2]; SIDE]; DEPTH / 2]);

/// A result of one block.
#[repr(C, align(64))]
struct Block([[f32; BLOCK]; BLOCK]);

/// The left side of a product.
pub(crate) struct Left {
    rows: usize,
    /// Lines of a row.
    lines: usize,
    values: Vec<Line>,
}

impl Left {
    /// Rounds rows of `columns` numbers, end to end.
    pub fn round(values: &[f32], columns: usize) -> Self {
        assert!(columns > 0 && values.len().is_multiple_of(columns), "values are not rows of {columns}");
        let (rows, lines) = (values.len() / columns, columns.div_ceil(DEPTH));
        let mut rounded = vec![Line([bf16::ZERO; DEPTH]); rows.next_multiple_of(BLOCK) * lines];
        rounded.par_chunks_mut(lines).zip(values.par_chunks(columns)).with_min_len(16).for_each(|(lines, row)| {
            lanes::dispatch(Round { row, lines });
        });
        Self { rows, lines, values: rounded }
    }
}

/// The right side of a product, of shape (depth, columns).
pub(crate) struct Right {
    columns: usize,
    /// Tiles along the depth.
    tiles_down: usize,
    /// Tile by tile down, then across.
    tiles: Vec<Tile>,
}

impl Right {
    /// Rounds a matrix whose numbers, times `scale`, are the right side.
    pub fn round(matrix: View<'_>, scale: f32) -> Self {
        let (depth, columns) = matrix.shape();
        let tiles_down = depth.div_ceil(DEPTH);
        let mut tiles =
            vec![Tile([[[bf16::ZERO; 2]; SIDE]; DEPTH / 2]); tiles_down * columns.next_multiple_of(BLOCK) / SIDE];
        tiles.par_chunks_mut(tiles_down.max(1)).enumerate().for_each(|(across, tiles)| {
            let columns = across * SIDE..columns.min((across + 1) * SIDE);
            for row in 0..depth {
                let pairs = &mut tiles[row / DEPTH].0[row % DEPTH / 2];
                for (pair, column) in pairs.iter_mut().zip(columns.clone()) {
                    pair[row % 2] = bf16::from_f32(scale * matrix.at(row, column));
                }
            }
        });
        Self { columns, tiles_down, tiles }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.tiles[..])
    }
}

/// The sum of one or two products of the same shape, row by row, end to end.
pub(crate) fn multiply(terms: &[(&Left, &Right)]) -> Vec<f32> {
    let Some((left, right)) = terms.first() else { return Vec::new() };
    let (rows, columns) = (left.rows, right.columns);
    for (left, right) in terms {
        assert_eq!(left.lines, right.tiles_down, "the depth of both sides");
        assert_eq!((left.rows, right.columns), (rows, columns), "the shape of all terms");
    }
    if rows * columns == 0 {
        return Vec::new();
    }
    let mut out = Vec::with_capacity(rows * columns);
    let places = &mut out.spare_capacity_mut()[..rows * columns];
    // Each thread takes a few runs of rows, and goes through the right side once for each.
    let run = rows.div_ceil(2 * rayon::current_num_threads()).next_multiple_of(BLOCK);
    places.par_chunks_mut(run * columns).enumerate().for_each(|(number, out)| {
        let unit = Unit::new();
        let mut block = Block([[0.0; BLOCK]; BLOCK]);
        for column in (0..columns).step_by(BLOCK) {
            let width = BLOCK.min(columns - column);
            for (row, out) in (number * run..).step_by(BLOCK).zip(out.chunks_mut(BLOCK * columns)) {
                unit.sum(terms, row, column, &mut block);
                for (out, sums) in out.chunks_mut(columns).zip(&block.0) {
                    out[column..column + width].write_copy_of_slice(&sums[..width]);
                }
            }
        }
    });
    // SAFETY: every block of every row was written.
    #[expect(unsafe_code, reason = "zeros that are written over at once would cost as much as the product")]
    unsafe {
        out.set_len(rows * columns);
    }
    out
}

/// Whether this CPU has a matrix unit that these products use.
pub fn has_matrix_unit() -> bool {
    matches!(Unit::new(), Unit::Amx(_))
}

/// What computes a block, on the thread that made it.
enum Unit {
    Amx(amx::Unit),
    Portable,
}

impl Unit {
    fn new() -> Self {
        amx::Unit::new().map_or(Self::Portable, Self::Amx)
    }

    /// The sums of the block that begins at a row and a column.
    fn sum(&self, terms: &[(&Left, &Right)], row: usize, column: usize, block: &mut Block) {
        match self {
            Self::Amx(unit) => unit.sum(terms, row, column, block),
            Self::Portable => portable::sum(terms, row, column, block),
        }
    }
}

struct Round<'a> {
    row: &'a [f32],
    lines: &'a mut [Line],
}

impl WithLanes for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (line, values) in self.lines.iter_mut().zip(self.row.chunks(DEPTH)) {
            for (out, value) in line.0.iter_mut().zip(values) {
                *out = bf16::from_bits(nearest(*value));
            }
        }
    }
}

/// The bits of the nearest bf16, the even one of two; in few enough steps for the compiler to do many at once.
#[inline(always)]
fn nearest(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    // What is no number must not become infinite.
    let is_nan = bits << 1 > 0xff00_0000;
    (if is_nan { bits >> 16 | 0x40 } else { rounded }) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(n: usize, seed: usize) -> Vec<f32> {
        (0..n).map(|i| (((i + seed) * 7919 % 1009) as f32 - 500.0) / 331.0).collect()
    }

    /// Shapes that fill their tiles, and shapes that do not.
    const SHAPES: [(usize, usize, usize); 5] = [(1, 1, 1), (32, 32, 32), (33, 65, 31), (70, 96, 48), (5, 200, 130)];

    #[test]
    fn products_are_those_of_rounded_numbers() {
        for (rows, depth, columns) in SHAPES {
            let (a, b) = (values(rows * depth, 1), values(columns * depth, 5));
            let right = Right::round(View::new(&b, depth).t(), 0.5);
            let out = multiply(&[(&Left::round(&a, depth), &right)]);
            assert_eq!(out.len(), rows * columns);
            let round = |x: f32| f64::from(bf16::from_f32(x).to_f32());
            for (place, sum) in out.iter().enumerate() {
                let (row, column) = (place / columns, place % columns);
                let exact: f64 =
                    (0..depth).map(|i| round(a[row * depth + i]) * round(0.5 * b[column * depth + i])).sum();
                assert!((f64::from(*sum) - exact).abs() < 1e-3, "{sum} at {row}, {column}, expected {exact}");
            }
        }
    }

    #[test]
    fn the_matrix_unit_and_plain_code_give_the_same_bits() {
        let Unit::Amx(unit) = Unit::new() else { return eprintln!("skipped: this CPU has no matrix unit") };
        for (rows, depth, columns) in SHAPES {
            let (a, b) = (values(rows * depth, 2), values(columns * depth, 3));
            let (c, d) = (values(rows * 16, 4), values(16 * columns, 7));
            let (left, right) = (Left::round(&a, depth), Right::round(View::new(&b, columns), 1.0));
            let (more, addition) = (Left::round(&c, 16), Right::round(View::new(&d, columns), 0.3));
            let terms = [(&left, &right), (&more, &addition)];
            let (mut ours, mut plain) = (Block([[1.0; BLOCK]; BLOCK]), Block([[2.0; BLOCK]; BLOCK]));
            unit.sum(&terms, 0, 0, &mut ours);
            portable::sum(&terms, 0, 0, &mut plain);
            assert_eq!(ours.0, plain.0);
        }
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        for value in [0.0, -0.0, 1.0, 1.003_906_3, 1.011_718_8, -3.3e38, f32::INFINITY, 1e-40, 5.077_123] {
            assert_eq!(nearest(value), bf16::from_f32(value).to_bits(), "{value}");
        }
        assert!(bf16::from_bits(nearest(f32::NAN)).is_nan());
    }

    #[test]
    #[should_panic(expected = "the depth of both sides")]
    fn sizes_must_agree() {
        multiply(&[(&Left::round(&[1.0; 64], 64), &Right::round(View::new(&[1.0; 4], 2), 1.0))]);
    }
}
