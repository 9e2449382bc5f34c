//! Activations rounded to signed bytes, the other factor of every quantized product.
//!
//! Each run of 32 values of a row gets its own scale, so one outlier spoils at most its neighbors. Rows are kept in
//! tiles of [`TILE`] with the same block of every row side by side: that is the order in which the kernels read.

use super::Pool;
use super::lanes::{self, Lanes, WithLanes};
use super::shared::SharedSlice;

/// Values per block.
pub(super) const BLOCK: usize = 32;

/// Rows per tile; the last tile of a matrix may have fewer.
pub(super) const TILE: usize = 4;

/// Below this magnitude a block counts as zero, so that 127 / magnitude stays finite.
const TINY: f32 = 1e-30;

/// 32 values of one row: value ≈ scale × quant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(super) struct Block {
    /// Signed bytes in [-127, 127], four to a word in little-endian order, as they are broadcast.
    pub words: [i32; 8],
    /// Largest magnitude / 127.
    pub scale: f32,
    /// Scale × sum of the quants.
    pub sum: f32,
    /// Sums of the first and last 16 quants, as two 16-bit integers, the first one low.
    pub halves: i32,
}

impl Block {
    /// Quant `k` of 32.
    pub fn quant(&self, k: usize) -> i32 {
        i32::from((self.words[k / 4] >> (8 * (k % 4))) as i8)
    }
}

/// Rows of floats, shape (rows, cols), with their rounded form. Quantize once and multiply by several matrices.
pub struct Activations<'x> {
    x: &'x [f32],
    rows: usize,
    cols: usize,
    blocks: Vec<Block>,
}

impl<'x> Activations<'x> {
    /// Rounds `x`, shape (rows, x.len() / rows). If a row is not whole blocks of 32, only matrices of plain floats can
    /// be multiplied with it. Panics if `rows` does not divide the length.
    pub fn quantize(x: &'x [f32], rows: usize, pool: &Pool) -> Self {
        assert!(rows > 0 && x.len().is_multiple_of(rows), "{} activations are not {rows} equal rows", x.len());
        let cols = x.len() / rows;
        let mut all = Self { x, rows, cols, blocks: Vec::new() };
        if cols.is_multiple_of(BLOCK) {
            all.blocks = vec![Block::default(); x.len() / BLOCK];
            all.fill(pool);
        }
        all
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Values per row.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The floats that were given.
    pub(super) fn floats(&self) -> &[f32] {
        self.x
    }

    /// Blocks of rows `TILE * tile..`: for each block position, that block of every row in the tile.
    pub(super) fn tile(&self, tile: usize) -> &[Block] {
        let per_row = self.cols / BLOCK;
        &self.blocks[TILE * tile * per_row..][..per_row * tile_width(self.rows, tile)]
    }

    /// Whether there are rounded blocks.
    pub(super) fn is_quantized(&self) -> bool {
        self.blocks.len() * BLOCK == self.x.len()
    }

    #[expect(unsafe_code, reason = "tiles are filled by different threads")]
    fn fill(&mut self, pool: &Pool) {
        let (x, rows, cols) = (self.x, self.rows, self.cols);
        let per_row = cols / BLOCK;
        let blocks = SharedSlice::new(&mut self.blocks);
        let fill_tile = |tile: usize| {
            let width = tile_width(rows, tile);
            let rows = &x[TILE * tile * cols..][..width * cols];
            // SAFETY: tiles do not overlap, and each is filled once.
            let blocks = unsafe { blocks.range(TILE * tile * per_row, width * per_row) };
            lanes::dispatch(Round { rows, cols, width, blocks });
        };
        let tiles = rows.div_ceil(TILE);
        if x.len() < 1 << 14 { (0..tiles).for_each(fill_tile) } else { pool.run(tiles, fill_tile) }
    }
}

/// Rows in tile number `tile` of a matrix with so many rows.
pub(super) fn tile_width(rows: usize, tile: usize) -> usize {
    TILE.min(rows - TILE * tile)
}

/// Rounds the rows of one tile.
struct Round<'a> {
    rows: &'a [f32],
    cols: usize,
    width: usize,
    blocks: &'a mut [Block],
}

impl WithLanes for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (r, row) in self.rows.chunks_exact(self.cols).enumerate() {
            for (b, values) in row.as_chunks::<BLOCK>().0.iter().enumerate() {
                self.blocks[b * self.width + r] = round::<L>(values);
            }
        }
    }
}

#[inline(always)]
fn round<L: Lanes>(values: &[f32; BLOCK]) -> Block {
    let parts: [L; 4] = std::array::from_fn(|i| L::load(&values.as_chunks::<8>().0[i]));
    let largest = parts[0].abs().max(parts[1].abs()).max(parts[2].abs().max(parts[3].abs()));
    let largest = largest.to_array().into_iter().fold(0.0, f32::max);
    if largest < TINY {
        return Block::default();
    }
    let scale = largest / 127.0;
    let inverse = L::splat(127.0 / largest);
    let quants = L::round_to_i8(parts.map(|part| part.mul(inverse)));
    let words = std::array::from_fn(|i| i32::from_le_bytes(quants.as_chunks::<4>().0[i].map(|q| q as u8)));
    let half = |i: usize| quants[16 * i..][..16].iter().map(|q| i32::from(*q)).sum::<i32>();
    let sums = [half(0), half(1)];
    Block { words, scale, sum: scale * (sums[0] + sums[1]) as f32, halves: (sums[0] & 0xffff) | sums[1] << 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 37 % 101) as f32 - 50.0) / 9.0).collect()
    }

    #[test]
    fn rounding_is_to_nearest_even_with_the_largest_value_at_127() {
        let mut x = [0.0; 32];
        (x[0], x[1], x[2], x[31]) = (127.0, 2.5, 3.5, -2.5);
        let one = Activations::quantize(&x, 1, &Pool::new(1));
        let block = one.tile(0)[0];
        assert_eq!([0, 1, 2, 3, 31].map(|k| block.quant(k)), [127, 2, 4, 0, -2]);
        assert_eq!((block.scale, block.sum), (1.0, 131.0));
        assert_eq!((block.halves as i16, block.halves >> 16), (133, -2));
    }

    #[test]
    fn every_value_is_within_half_a_step() {
        let x = wave(320);
        let rounded = Activations::quantize(&x, 1, &Pool::new(1));
        for (values, block) in x.chunks(32).zip(rounded.tile(0)) {
            for (k, value) in values.iter().enumerate() {
                assert!((value - block.scale * block.quant(k) as f32).abs() <= block.scale * 0.5001);
            }
        }
    }

    #[test]
    fn a_row_is_the_same_alone_and_in_any_tile() {
        let x = wave(7 * 64);
        let all = Activations::quantize(&x, 7, &Pool::new(2));
        for row in 0..7 {
            let alone = Activations::quantize(&x[64 * row..][..64], 1, &Pool::new(1));
            let width = tile_width(7, row / TILE);
            for b in 0..2 {
                assert_eq!(alone.tile(0)[b], all.tile(row / TILE)[b * width + row % TILE]);
            }
        }
    }

    #[test]
    fn zeros_and_tiny_values_become_zero() {
        let x = [1e-38; 32];
        assert_eq!(Activations::quantize(&x, 1, &Pool::new(1)).tile(0), [Block::default()]);
    }
}
