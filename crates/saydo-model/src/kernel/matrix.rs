//! Weights repacked for the CPU, and their product with activations.
//!
//! Eight output rows are interleaved so that one 256-bit register holds four consecutive inputs of each: a broadcast
//! of four activation bytes then meets eight rows at once (sixteen with AVX-512, as two groups side by side) and no sum
//! across lanes is needed. Q4_1, Q5_1, Q6_K and Q8_0 take the bytes of their file; Q4_K and Q5_K 3 % more, for scales as
//! whole bytes; Q4_0 and Q5_0 two bytes per 32, for a minimum. So generation reads hardly more than the file per token.
//! The rare Q2_K and Q3_K are widened.
//!
//! Every output is one chain of fused multiply-adds over the blocks in order, whatever the number of rows: that is
//! what makes a row's result independent of its batch.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
mod dense;
mod pack;
mod portable;
#[cfg(test)]
mod tests;

use super::activation::{self, Activations, TILE};
use super::dense::Write;
use super::shared::SharedSlice;
use super::{Pool, lanes};
use crate::quant::{BlockType, Error};
use block::{Affine, Affine256, Centered256, Fives, Nibbles, Signed};
use dense::Dense;
use half::{bf16, f16};

/// Output rows that are interleaved.
const GROUP: usize = 8;

/// Weights of shape (rows, cols): one output per row, one input per column.
pub struct PackedMatrix {
    rows: usize,
    cols: usize,
    weights: Weights,
}

/// For each group of eight rows in turn, its blocks in order of the inputs.
enum Weights {
    Four(Vec<Affine<Nibbles>>),
    Five(Vec<Affine<Fives>>),
    Four256(Vec<Affine256<Nibbles>>),
    Five256(Vec<Affine256<Fives>>),
    Six256(Vec<Centered256>),
    Eight(Vec<Signed>),
    F32(Dense<f32>),
    F16(Dense<f16>),
    BF16(Dense<bf16>),
}

impl PackedMatrix {
    /// Repacks the bytes of a tensor of shape (rows, cols). Rows are padded to a multiple of eight.
    pub fn pack(kind: BlockType, bytes: &[u8], rows: usize, cols: usize) -> Result<Self, Error> {
        let values = rows.checked_mul(cols).ok_or(Error::TooLarge { kind, values: usize::MAX })?;
        kind.bytes_for(cols)?;
        kind.check(bytes, values)?;
        Ok(Self { rows, cols, weights: pack::weights(kind, bytes, rows, cols) })
    }

    /// Outputs.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Inputs.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Bytes the packed weights take, which is also what one product reads.
    pub fn bytes(&self) -> usize {
        match &self.weights {
            Weights::Four(blocks) => size_of_val(&blocks[..]),
            Weights::Five(blocks) => size_of_val(&blocks[..]),
            Weights::Four256(blocks) => size_of_val(&blocks[..]),
            Weights::Five256(blocks) => size_of_val(&blocks[..]),
            Weights::Six256(blocks) => size_of_val(&blocks[..]),
            Weights::Eight(blocks) => size_of_val(&blocks[..]),
            Weights::F32(dense) => dense.bytes(),
            Weights::F16(dense) => dense.bytes(),
            Weights::BF16(dense) => dense.bytes(),
        }
    }

    /// Writes the weights of one output row, as [`crate::quant::dequantize`] gives them (Q2_K: rounded to 8 bits).
    /// Panics if the row does not exist or `out` is not one row long.
    pub fn row(&self, row: usize, out: &mut [f32]) {
        assert!(row < self.rows && out.len() == self.cols, "row {row} of a {} × {} matrix", self.rows, self.cols);
        let (group, lane) = (row / GROUP, row % GROUP);
        match &self.weights {
            Weights::Four(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::Five(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::Four256(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::Five256(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::Six256(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::Eight(blocks) => portable::row(group_of(blocks, group, self.rows), lane, out),
            Weights::F32(dense) => dense.row(row, out),
            Weights::F16(dense) => dense.row(row, out),
            Weights::BF16(dense) => dense.row(row, out),
        }
    }

    /// Multiplies `m` rows of `x`, shape (m, cols), into `out`, shape (m, rows). Panics if the sizes do not agree.
    pub fn matmul(&self, x: &[f32], m: usize, out: &mut [f32], pool: &Pool) {
        matmul_all(&Activations::quantize(x, m, pool), &mut [(self, out)], pool);
    }

    fn groups(&self) -> usize {
        self.rows.div_ceil(GROUP)
    }

    /// Computes the outputs of groups `from..to` for all activations.
    fn multiply(&self, x: &Activations<'_>, from: usize, to: usize, out: &Columns<'_>) {
        match &self.weights {
            Weights::Four(blocks) => each_tile(blocks, x, from, to, out),
            Weights::Five(blocks) => each_tile(blocks, x, from, to, out),
            Weights::Four256(blocks) => each_tile(blocks, x, from, to, out),
            Weights::Five256(blocks) => each_tile(blocks, x, from, to, out),
            Weights::Six256(blocks) => each_tile(blocks, x, from, to, out),
            Weights::Eight(blocks) => each_tile(blocks, x, from, to, out),
            Weights::F32(dense) => dense.multiply(x, from, to, out),
            Weights::F16(dense) => dense.multiply(x, from, to, out),
            Weights::BF16(dense) => dense.multiply(x, from, to, out),
        }
    }
}

/// Multiplies the same activations by several matrices (queries, keys and values; gate and up) in one go. Panics if
/// an output's size is not (activation rows, matrix rows) or the inputs differ in length.
pub fn matmul_all(x: &Activations<'_>, products: &mut [(&PackedMatrix, &mut [f32])], pool: &Pool) {
    let outs = products.iter_mut().map(|(matrix, out)| (*matrix, Columns::new(matrix, x, out, Write::Over))).collect();
    multiply_into(x, outs, pool);
}

/// Adds the product with a matrix to what is in `out`. Panics as [`matmul_all`] does.
pub fn matmul_add(x: &Activations<'_>, matrix: &PackedMatrix, out: &mut [f32], pool: &Pool) {
    multiply_into(x, vec![(matrix, Columns::new(matrix, x, out, Write::Add))], pool);
}

fn multiply_into(x: &Activations<'_>, outs: Vec<(&PackedMatrix, Columns<'_>)>, pool: &Pool) {
    let bytes: usize = outs.iter().map(|(matrix, _)| matrix.bytes()).sum();
    let parts = plan(&outs, bytes, pool.threads());
    pool.run(parts.len(), |part| {
        let (product, from, to) = parts[part];
        let (matrix, out) = &outs[product];
        matrix.multiply(x, from, to, out);
    });
}

/// Cuts the products into parts (product, from group, to group) of similar size: small enough to share out evenly,
/// large enough that taking one costs nothing. A part has an even number of groups, which go two at a time.
fn plan(outs: &[(&PackedMatrix, Columns<'_>)], bytes: usize, threads: usize) -> Vec<(usize, usize, usize)> {
    let target = (bytes / (8 * threads)).clamp(1 << 13, 1 << 18);
    let mut parts = Vec::new();
    for (product, (matrix, _)) in outs.iter().enumerate() {
        let groups = matrix.groups();
        let per_part = if threads == 1 { groups } else { target * groups / matrix.bytes().max(1) };
        let per_part = per_part.max(1).next_multiple_of(2);
        for from in (0..groups).step_by(per_part) {
            parts.push((product, from, groups.min(from + per_part)));
        }
    }
    parts
}

/// Where the results go: shape (activation rows, outputs), written by groups of columns.
struct Columns<'o> {
    out: SharedSlice<'o, f32>,
    rows: usize,
    width: usize,
    write: Write,
}

impl<'o> Columns<'o> {
    fn new(matrix: &PackedMatrix, x: &Activations<'_>, out: &'o mut [f32], write: Write) -> Self {
        assert_eq!(x.cols(), matrix.cols, "activations and matrix have different inputs");
        assert_eq!(out.len(), x.rows() * matrix.rows, "output is not (activation rows, matrix rows)");
        let float = matches!(matrix.weights, Weights::F32(_) | Weights::F16(_) | Weights::BF16(_));
        assert!(float || x.is_quantized(), "a quantized matrix has inputs in whole blocks");
        Self { out: SharedSlice::new(out), rows: x.rows(), width: matrix.rows, write }
    }

    /// Writes the eight outputs of a group for one activation row, leaving out padding.
    #[inline]
    #[expect(unsafe_code, reason = "groups of columns are written by different threads")]
    fn write(&self, row: usize, group: usize, values: &[f32; GROUP]) {
        debug_assert!(row < self.rows);
        let len = GROUP.min(self.width - GROUP * group);
        // SAFETY: each group belongs to one part, which runs on one thread, and the slice is dropped at once.
        let out = unsafe { self.out.range(row * self.width + GROUP * group, len) };
        match self.write {
            Write::Over => out.copy_from_slice(&values[..len]),
            Write::Add => out.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
        }
    }
}

/// Blocks of group number `group`.
fn group_of<B>(blocks: &[B], group: usize, rows: usize) -> &[B] {
    let per_group = blocks.len() / rows.div_ceil(GROUP);
    &blocks[group * per_group..][..per_group]
}

/// Computes groups `from..to` tile by tile; their weights stay in the nearest cache over all tiles. With many rows,
/// groups go two at a time, which halves the loads of activations. With few, the weights' way from memory is what
/// counts, and one group after the other is one long stream. With AVX-512, all but an odd last group go in pairs.
fn each_tile<B: Kernel>(blocks: &[B], x: &Activations<'_>, from: usize, to: usize, out: &Columns<'_>) {
    let mut group = from;
    #[cfg(target_arch = "x86_64")]
    if avx512::is_available() {
        while group + avx512::PAIR <= to {
            let pair = [0, 1].map(|g| group_of(blocks, group + g, out.width));
            avx512::multiply(pair, x, |row, results| {
                for (g, values) in results.iter().enumerate() {
                    out.write(row, group + g, values);
                }
            });
            group += avx512::PAIR;
        }
    }
    while group < to {
        if x.rows() > TILE && group + 2 <= to {
            each_row([0, 1].map(|g| group_of(blocks, group + g, out.width)), x, group, out);
            group += 2;
        } else {
            each_row([group_of(blocks, group, out.width)], x, group, out);
            group += 1;
        }
    }
}

/// Multiplies groups of weights, the first of which has the number `group`, by all activations.
fn each_row<B: Kernel, const G: usize>(weights: [&[B]; G], x: &Activations<'_>, group: usize, out: &Columns<'_>) {
    let avx2 = lanes::has_avx2();
    for tile in 0..x.rows().div_ceil(TILE) {
        let width = activation::tile_width(x.rows(), tile);
        let mut results = [[[0.0; GROUP]; TILE]; G];
        multiply_tile(weights, x.tile(tile), width, &mut results, avx2);
        for (g, results) in results.iter().enumerate() {
            for (row, values) in results[..width].iter().enumerate() {
                out.write(TILE * tile + row, group + g, values);
            }
        }
    }
}

/// A packed block that every version can multiply.
#[cfg(target_arch = "x86_64")]
trait Kernel: portable::Block + avx2::Kernel + avx512::Kernel {}
#[cfg(target_arch = "x86_64")]
impl<B: portable::Block + avx2::Kernel + avx512::Kernel> Kernel for B {}
#[cfg(not(target_arch = "x86_64"))]
use portable::Block as Kernel;

/// Groups of weights against one tile of `width` activation rows.
#[inline]
fn multiply_tile<B: Kernel, const G: usize>(
    weights: [&[B]; G],
    x: &[activation::Block],
    width: usize,
    out: &mut [[[f32; GROUP]; TILE]; G],
    avx2: bool,
) {
    #[cfg(target_arch = "x86_64")]
    if avx2 {
        return avx2::tile(weights, x, width, out);
    }
    debug_assert!(cfg!(target_arch = "x86_64") || !avx2);
    for (weights, out) in weights.iter().zip(out) {
        portable::tile(weights, x, &mut out[..width]);
    }
}
