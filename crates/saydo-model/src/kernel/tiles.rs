//! Products of matrices rounded to bf16, with sums in 32 bits: on the matrix unit of CPUs that have one (AMX), with the
//! vector instruction for pairs of bf16 (AVX512-BF16), and in plain code elsewhere.
//!
//! Both sides are cut into tiles: 16 rows of 32 numbers on the left, 32 rows of 16 columns on the right, where two rows
//! stand side by side. What a matrix does not fill of its last tiles is zero. A right side is multiplied by a [`Panel`] of
//! up to four tiles across at a time; panels of a transpose are made where they are needed, so frozen weights are in memory
//! once and serve both ways through a layer.
//!
//! What is promised of the bits: a row of a result does not depend on the rows beside it, nor on the number of threads. AMX
//! sums in an order of its own, AVX512-BF16 one number after the other; plain code exists for both orders, and tests compare
//! all bits. `vdpbf16ps` takes numbers below 2⁻¹²⁶ for zero, on the way in and out, and plain code for its order does too.

#[cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), path = "tiles/no_amx.rs")]
mod amx;
#[cfg_attr(not(target_arch = "x86_64"), path = "tiles/no_avx512.rs")]
mod avx512;
mod factor;
mod portable;

pub(crate) use factor::Factor;

use super::dense::View;
use super::lanes::{self, Lanes, WithLanes};
use super::shared::SharedSlice;
use factor::Panel;
use half::bf16;
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::Range;

/// Rows of a tile of the left side, and columns of one of the right side and of a result.
const SIDE: usize = 16;

/// Numbers along which a pair of tiles is summed.
const DEPTH: usize = 32;

/// Rows and columns of a result that the matrix unit computes together: two tiles each way.
const BLOCK: usize = 2 * SIDE;

/// Columns of a panel: four tiles.
const PANEL: usize = 4 * SIDE;

/// Rows of the left side that go through a panel together: their sums and their part of the depth stay in the second cache.
const CHUNK: usize = 576;

/// Rows that make a chunk of their own if there are too few panels for all threads: whole blocks of every unit.
const MIN_CHUNK: usize = 96;

/// Numbers of a row of the left side along one tile.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([bf16; DEPTH]);

/// A tile of the right side: for each pair of rows, for each column, the two numbers.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Tile([[[bf16; 2]; SIDE]; DEPTH / 2]);

impl Tile {
    const ZERO: Self = Self([[[bf16::ZERO; 2]; SIDE]; DEPTH / 2]);
}

/// A result of one block.
#[repr(C, align(64))]
struct Block([[f32; BLOCK]; BLOCK]);

/// The left side of a product.
pub(crate) struct Left {
    rows: usize,
    columns: usize,
    /// Lines of a row.
    lines: usize,
    values: Vec<Line>,
}

impl Left {
    /// Rounds rows of `columns` numbers, end to end.
    pub fn round(values: &[f32], columns: usize) -> Self {
        assert!(columns > 0 && values.len().is_multiple_of(columns), "values are not rows of {columns}");
        let mut left = Self::zeros(values.len() / columns, columns);
        let rows = left.values.par_chunks_mut(left.lines).zip(values.par_chunks(columns));
        rows.with_min_len(16).for_each(|(lines, row)| lanes::dispatch(Round { row, lines }));
        left
    }

    /// So many rows of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let lines = columns.div_ceil(DEPTH);
        // Blocks of 32 rows may begin anywhere.
        let values = vec![Line([bf16::ZERO; DEPTH]); (rows.next_multiple_of(BLOCK) + BLOCK) * lines];
        Self { rows, columns, lines, values }
    }

    /// Rounds one row.
    pub fn set_row(&mut self, row: usize, values: &[f32]) {
        assert!(row < self.rows && values.len() == self.columns, "row {row} of {} × {}", self.rows, self.columns);
        lanes::dispatch(Round { row: values, lines: &mut self.values[row * self.lines..][..self.lines] });
    }

    /// All its rows as floats, end to end.
    pub fn values(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.rows * self.columns];
        let rows = values.par_chunks_mut(self.columns.max(1)).zip(self.values.par_chunks(self.lines.max(1)));
        rows.with_min_len(16).for_each(|(row, lines)| {
            for (values, line) in row.chunks_mut(DEPTH).zip(lines) {
                values.iter_mut().zip(line.0).for_each(|(value, x)| *value = x.to_f32());
            }
        });
        values
    }

    /// Some of its rows, and of their numbers; these in whole lines of 32.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Rows<'_> {
        assert!(rows.end <= self.rows && columns.end <= self.lines * DEPTH, "{rows:?} {columns:?} of a left side");
        assert!(columns.start.is_multiple_of(DEPTH), "lines are whole");
        let values = &self.values[rows.start * self.lines + columns.start / DEPTH..];
        Rows { values, rows: rows.len(), stride: self.lines, lines: columns.len().div_ceil(DEPTH) }
    }

    #[cfg(test)]
    fn all(&self) -> Rows<'_> {
        self.part(0..self.rows, 0..self.lines * DEPTH)
    }
}

/// Rows of a left side.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    values: &'a [Line],
    rows: usize,
    /// Lines between one row and the next.
    stride: usize,
    /// Lines that count.
    lines: usize,
}

impl<'a> Rows<'a> {
    fn line(&self, row: usize, line: usize) -> &'a Line {
        &self.values[row * self.stride + line]
    }
}

/// The right side of a product, of shape (depth, columns).
pub(crate) struct Right {
    depth: usize,
    columns: usize,
    /// Tiles along the depth.
    tiles_down: usize,
    /// Tile by tile down, then across; an even number across.
    tiles: Vec<Tile>,
}

impl Right {
    /// Rounds a matrix whose numbers, times `scale`, are the right side.
    pub fn round(matrix: View<'_>, scale: f32) -> Self {
        let (depth, columns) = matrix.shape();
        let mut right = Self::zeros(depth, columns);
        right.tiles.par_chunks_mut(right.tiles_down.max(1)).enumerate().for_each(|(across, tiles)| {
            let columns = across * SIDE..columns.min((across + 1) * SIDE);
            for row in 0..depth {
                let pairs = &mut tiles[row / DEPTH].0[row % DEPTH / 2];
                for (pair, column) in pairs.iter_mut().zip(columns.clone()) {
                    pair[row % 2] = bf16::from_f32(scale * matrix.at(row, column));
                }
            }
        });
        right
    }

    /// Rounds the transpose of rows that are read a few at a time: `read` is told which, and fills them end to end.
    pub fn of_rows<E: Send>(
        (rows, width): (usize, usize),
        read: impl Fn(Range<usize>, &mut [f32]) -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        let mut right = Self::zeros(width, rows);
        right.tiles.par_chunks_mut(right.tiles_down.max(1)).enumerate().try_for_each(|(across, tiles)| {
            let rows = across * SIDE..rows.min((across + 1) * SIDE);
            let mut values = vec![0.0; rows.len() * width];
            if rows.is_empty() {
                return Ok(());
            }
            read(rows, &mut values)?;
            for (column, row) in values.chunks_exact(width.max(1)).enumerate() {
                for (tile, part) in tiles.iter_mut().zip(row.chunks(DEPTH)) {
                    for (at, value) in part.iter().enumerate() {
                        tile.0[at / 2][column][at % 2] = bf16::from_bits(nearest(*value));
                    }
                }
            }
            Ok(())
        })?;
        Ok(right)
    }

    /// The transpose of rows that are rounded already.
    pub fn turned(rows: Rows<'_>) -> Self {
        let mut right = Self::zeros(rows.lines * DEPTH, rows.rows);
        for (across, tiles) in right.tiles.chunks_exact_mut(right.tiles_down).enumerate() {
            for (down, tile) in tiles.iter_mut().enumerate() {
                factor::columns_of(std::array::from_fn(|at| rows.line(SIDE * across + at, down)), tile);
            }
        }
        right
    }

    /// Rows that are rounded already, to be summed over.
    pub fn joined(rows: Rows<'_>) -> Self {
        let mut right = Self::zeros(rows.rows, rows.lines * DEPTH);
        for (line, tiles) in right.tiles.chunks_exact_mut(2 * right.tiles_down).enumerate() {
            let (even, odd) = tiles.split_at_mut(right.tiles_down);
            for (down, to) in even.iter_mut().zip(odd).enumerate() {
                factor::join(std::array::from_fn(|at| rows.line(DEPTH * down + at, line)), to.into());
            }
        }
        right
    }

    /// One column, as floats.
    pub fn column(&self, column: usize, out: &mut [f32]) {
        assert!(column < self.columns && out.len() == self.depth, "column {column} of {}", self.columns);
        let tiles = &self.tiles[column / SIDE * self.tiles_down..][..self.tiles_down];
        for (tile, out) in tiles.iter().zip(out.chunks_mut(DEPTH)) {
            for (at, out) in out.iter_mut().enumerate() {
                *out = tile.0[at / 2][column % SIDE][at % 2].to_f32();
            }
        }
    }

    fn zeros(depth: usize, columns: usize) -> Self {
        let tiles_down = depth.div_ceil(DEPTH);
        let tiles = vec![Tile::ZERO; tiles_down * columns.next_multiple_of(BLOCK) / SIDE];
        Self { depth, columns, tiles_down, tiles }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.tiles[..])
    }
}

thread_local! {
    /// Where a thread makes panels, one for each term of a product, and sums.
    static MADE: RefCell<(Vec<Vec<Tile>>, Vec<f32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The sum of products of the same shape, row by row, end to end. On all of rayon's threads.
pub(crate) fn multiply(terms: &[(&Left, Factor<'_>)]) -> Vec<f32> {
    multiply_by(terms, Unit::new)
}

fn multiply_by(terms: &[(&Left, Factor<'_>)], unit: impl Fn() -> Unit + Sync) -> Vec<f32> {
    let Some((left, right)) = terms.first() else { return Vec::new() };
    let (rows, columns) = (left.rows, right.columns());
    for (left, right) in terms {
        assert_eq!(left.lines, right.tiles_down(), "the depth of both sides");
        assert_eq!((left.rows, right.columns()), (rows, columns), "the shape of all terms");
    }
    if rows * columns == 0 {
        return Vec::new();
    }
    let mut out = Vec::with_capacity(rows * columns);
    let places = SharedSlice::new(&mut out.spare_capacity_mut()[..rows * columns]);
    let panels = columns.div_ceil(PANEL);
    // Enough parts that no thread waits long for another.
    let chunks = (4 * rayon::current_num_threads()).div_ceil(panels).max(rows.div_ceil(CHUNK));
    let chunk = rows.div_ceil(chunks).next_multiple_of(MIN_CHUNK);
    (0..rows.div_ceil(chunk) * panels).into_par_iter().with_max_len(2).for_each(|part| {
        let (row, column) = (part / panels * chunk, part % panels * PANEL);
        let (part, width) = (row..rows.min(row + chunk), PANEL.min(columns - column));
        MADE.with_borrow_mut(|(made, sums)| {
            made.resize_with(terms.len().max(made.len()), Vec::new);
            sums.resize(part.len() * PANEL, 0.0);
            let terms = terms.iter().zip(made).map(|((left, right), made)| {
                (left.part(part.clone(), 0..left.lines * DEPTH), right.panel(column / SIDE, made))
            });
            unit().sum(&terms.collect::<Vec<_>>(), &mut Sums { out: sums, stride: PANEL, columns: width, adds: false });
            for (row, sums) in part.zip(sums.chunks_exact(PANEL)) {
                #[expect(unsafe_code, reason = "panels are written by different threads")]
                // SAFETY: each part of the rows and columns is written once, by one thread.
                let places = unsafe { places.range(row * columns + column, width) };
                places.write_copy_of_slice(&sums[..width]);
            }
        });
    });
    // SAFETY: the parts cover every row and every column.
    #[expect(unsafe_code, reason = "zeros that are written over at once would cost as much as the product")]
    unsafe {
        out.set_len(rows * columns);
    }
    out
}

/// Some columns of a right side, over some of its depth, both in whole tiles.
pub(crate) struct Piece<'a> {
    pub right: &'a Right,
    pub columns: Range<usize>,
    pub depth: Range<usize>,
}

/// Writes the sum of products, or adds it to what is there, on this thread. Rows of `out` begin `stride` numbers apart.
pub(crate) fn multiply_here(terms: &[(Rows<'_>, Piece<'_>)], (out, stride, adds): (&mut [f32], usize, bool)) {
    let Some((_, piece)) = terms.first() else { return };
    let (unit, columns) = (Unit::new(), piece.columns.len());
    for column in (0..columns).step_by(PANEL) {
        let panels = terms.iter().map(|(left, piece)| {
            assert_eq!(piece.columns.len(), columns, "the shape of all terms");
            (*left, piece.panel(column))
        });
        let columns = PANEL.min(columns - column);
        unit.sum(&panels.collect::<Vec<_>>(), &mut Sums { out: &mut out[column..], stride, columns, adds });
    }
}

/// Rows of a left side and a panel of what they are multiplied by.
type Term<'a> = (Rows<'a>, Panel<'a>);

/// Where sums of a panel go.
struct Sums<'a> {
    out: &'a mut [f32],
    /// Places between one row and the next.
    stride: usize,
    columns: usize,
    /// Whether they are added to what is there.
    adds: bool,
}

/// Whether this CPU has instructions that make these products faster than those of floats.
pub fn has_bf16() -> bool {
    !matches!(Unit::new(), Unit::Portable)
}

/// What computes sums, on the thread that made it.
enum Unit {
    Amx(amx::Unit),
    Avx512(avx512::Unit),
    /// In the order of AMX.
    Portable,
    /// In the order of AVX512-BF16, to hold it against.
    #[cfg(test)]
    InOrder,
}

impl Unit {
    fn new() -> Self {
        if let Some(unit) = amx::Unit::new() {
            return Self::Amx(unit);
        }
        avx512::Unit::new().map_or(Self::Portable, Self::Avx512)
    }

    /// The sum of all terms, which have the same number of rows.
    fn sum(&self, terms: &[Term<'_>], sums: &mut Sums<'_>) {
        let rows = terms.first().map_or(0, |(left, _)| left.rows);
        for (left, panel) in terms {
            assert!(left.rows == rows && left.lines == panel.tiles_down, "the shape of all terms");
        }
        assert!(rows == 0 || (rows - 1) * sums.stride + sums.columns <= sums.out.len(), "places for all sums");
        assert!(sums.columns <= PANEL, "{} columns of a panel", sums.columns);
        match self {
            Self::Amx(unit) => by_blocks(rows, sums, |row, column, block| unit.sum(terms, row, column, block)),
            Self::Avx512(unit) => unit.sum(terms, rows, sums),
            Self::Portable => by_blocks(rows, sums, |row, column, block| portable::sum(terms, row, column, block)),
            #[cfg(test)]
            Self::InOrder => by_blocks(rows, sums, |row, column, block| portable::in_order(terms, row, column, block)),
        }
    }
}

/// Sums block by block; `sum` is told the first row and column.
fn by_blocks(rows: usize, sums: &mut Sums<'_>, sum: impl Fn(usize, usize, &mut Block)) {
    let mut block = Block([[0.0; BLOCK]; BLOCK]);
    for column in (0..sums.columns).step_by(BLOCK) {
        let width = BLOCK.min(sums.columns - column);
        for row in (0..rows).step_by(BLOCK) {
            sum(row, column, &mut block);
            for (row, block) in (row..rows).zip(&block.0) {
                let out = &mut sums.out[row * sums.stride + column..][..width];
                if sums.adds {
                    out.iter_mut().zip(block).for_each(|(out, sum)| *out += sum)
                } else {
                    out.copy_from_slice(&block[..width])
                }
            }
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
    const SHAPES: [(usize, usize, usize); 7] =
        [(1, 1, 1), (32, 32, 32), (33, 65, 31), (70, 96, 48), (5, 200, 130), (101, 600, 80), (230, 40, 17)];

    #[test]
    fn products_are_those_of_rounded_numbers() {
        for (rows, depth, columns) in SHAPES {
            let (a, b) = (values(rows * depth, 1), values(columns * depth, 5));
            let left = Left::round(&a, depth);
            let forward = Right::round(View::new(&b, depth).t(), 0.5);
            let backward = Right::round(View::new(&b, depth), 0.5);
            let halves: Vec<f32> = (0..depth * columns).map(|i| 0.5 * b[i % columns * depth + i / columns]).collect();
            let rows_of_right = Left::round(&halves, columns);
            for right in [Factor::Tiles(&forward), Factor::Turned(&backward), Factor::Rows(&rows_of_right)] {
                let out = multiply(&[(&left, right)]);
                assert_eq!(out.len(), rows * columns);
                let round = |x: f32| f64::from(bf16::from_f32(x).to_f32());
                for (place, sum) in out.iter().enumerate() {
                    let (row, column) = (place / columns, place % columns);
                    let exact: f64 =
                        (0..depth).map(|i| round(a[row * depth + i]) * round(0.5 * b[column * depth + i])).sum();
                    assert!((f64::from(*sum) - exact).abs() < 2e-3, "{sum} at {row}, {column}, expected {exact}");
                }
            }
        }
    }

    #[test]
    fn pieces_multiply_like_the_whole() {
        let (a, b) = (values(70 * 96, 1), values(80 * 96, 5));
        let (left, right) = (Left::round(&a, 96), Left::round(&b, 96));
        let turned = multiply(&[(&left, Factor::Turned(&Right::joined(right.all())))]);
        // Rows 3 to 50, numbers 32 to 96, columns 16 to 80: added to the same over the numbers before.
        let (columns, transpose) = (16..80, Right::turned(right.all()));
        let piece = |depth: Range<usize>| {
            let piece = Piece { right: &transpose, columns: columns.clone(), depth: depth.clone() };
            (left.part(3..50, depth), piece)
        };
        let mut out = vec![9.0; 47 * 100];
        multiply_here(&[piece(0..32)], (&mut out, 100, false));
        multiply_here(&[piece(32..96)], (&mut out, 100, true));
        for (row, out) in out.chunks_exact(100).enumerate() {
            for (column, sum) in out[..64].iter().enumerate() {
                let whole = turned[(row + 3) * 80 + column + 16];
                assert!((sum - whole).abs() < 1e-3, "{sum} at {row}, {column}, expected {whole}");
            }
            assert!(out[64..].iter().all(|x| *x == 9.0), "places between rows are left alone");
        }
    }

    /// Bits of two terms by one unit and by plain code in its order.
    fn assert_same_bits(unit: fn() -> Unit, plain: fn() -> Unit) {
        for (rows, depth, columns) in SHAPES {
            let (a, b) = (values(rows * depth, 2), values(columns * depth, 3));
            let (c, d) = (values(rows * 16, 4), values(16 * columns, 7));
            let (left, right) = (Left::round(&a, depth), Right::round(View::new(&b, columns), 1.0));
            let (more, addition) = (Left::round(&c, 16), Right::round(View::new(&d, columns), 0.3));
            let terms = || [(&left, Factor::Tiles(&right)), (&more, Factor::Tiles(&addition))];
            let bits = |out: Vec<f32>| out.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(multiply_by(&terms(), unit)), bits(multiply_by(&terms(), plain)));
        }
    }

    #[test]
    fn the_matrix_unit_and_plain_code_give_the_same_bits() {
        match amx::Unit::new() {
            Some(_) => assert_same_bits(Unit::new, || Unit::Portable),
            None => eprintln!("skipped: this CPU has no matrix unit"),
        }
    }

    #[test]
    fn vectors_of_bf16_and_plain_code_give_the_same_bits() {
        match avx512::Unit::new() {
            Some(_) => assert_same_bits(|| Unit::Avx512(avx512::Unit::new().expect("is there")), || Unit::InOrder),
            None => eprintln!("skipped: this CPU has no AVX512-BF16"),
        }
    }

    #[test]
    fn vectors_of_bf16_take_denormal_numbers_for_zero() {
        let Some(_) = avx512::Unit::new() else { return eprintln!("skipped: this CPU has no AVX512-BF16") };
        let tiny = [1e-39, -1e-39, f32::MIN_POSITIVE, -1.5 * f32::MIN_POSITIVE, 0.5, -0.25, 1e-30, 3e38];
        let a: Vec<f32> = (0..8 * 64).map(|i| tiny[(i * 7 + i / 64) % 8]).collect();
        let b: Vec<f32> = (0..64 * 8).map(|i| tiny[(i * 5 + i / 8) % 7]).collect();
        let (left, right) = (Left::round(&a, 64), Right::round(View::new(&b, 8), 1.0));
        let by = |unit: fn() -> Unit| {
            let out = multiply_by(&[(&left, Factor::Tiles(&right))], unit);
            out.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(by(|| Unit::Avx512(avx512::Unit::new().expect("is there"))), by(|| Unit::InOrder));
    }

    #[test]
    fn rows_read_a_few_at_a_time_are_the_same_right_side() {
        let b = values(37 * 50, 3);
        let whole = Right::round(View::new(&b, 50).t(), 1.0);
        let read = |rows: Range<usize>, out: &mut [f32]| {
            out.copy_from_slice(&b[rows.start * 50..rows.end * 50]);
            Ok::<_, ()>(())
        };
        let right = Right::of_rows((37, 50), read).expect("nothing fails");
        assert!(right.tiles.iter().zip(&whole.tiles).all(|(a, b)| a.0 == b.0));
        assert_eq!((right.depth, right.columns), (50, 37));
        let mut column = [0.0; 50];
        right.column(36, &mut column);
        assert_eq!(column, std::array::from_fn(|at| bf16::from_f32(b[36 * 50 + at]).to_f32()));
        assert_eq!(Right::of_rows((37, 50), |_, _: &mut [f32]| Err("gone")).err(), Some("gone"));
    }

    #[test]
    fn a_row_has_the_same_bits_alone_and_among_others() {
        let (a, b) = (values(301 * 96, 2), values(96 * 130, 3));
        let right = Right::round(View::new(&b, 130), 1.0);
        let all = multiply(&[(&Left::round(&a, 96), Factor::Tiles(&right))]);
        for row in [0, 5, 6, 95, 96, 200, 300] {
            let alone = multiply(&[(&Left::round(&a[row * 96..(row + 1) * 96], 96), Factor::Tiles(&right))]);
            assert_eq!(alone, all[row * 130..(row + 1) * 130], "row {row}");
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
        multiply(&[(&Left::round(&[1.0; 64], 64), Factor::Tiles(&Right::round(View::new(&[1.0; 4], 2), 1.0)))]);
    }
}
