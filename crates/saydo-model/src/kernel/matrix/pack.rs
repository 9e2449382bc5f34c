//! From the blocks of a file to packed blocks.

use super::block::{Affine, Affine256, AffinePart, Centered256, CenteredPart, Nibbles, Plane, Signed, Sixes, place};
use super::dense::Dense;
use super::{GROUP, Weights};
use crate::quant::{BlockType, k, small};
use half::{bf16, f16};

/// Repacks bytes that are known to hold `rows` × `cols` values in whole blocks.
pub(super) fn weights(kind: BlockType, bytes: &[u8], rows: usize, cols: usize) -> Weights {
    let per_row = cols / kind.block_values();
    match kind {
        BlockType::F32 => Weights::F32(Dense::pack(bytes, rows, cols, |b| f32::from_le_bytes(*b))),
        BlockType::F16 => Weights::F16(Dense::pack(bytes, rows, cols, |b| f16::from_le_bytes(*b))),
        BlockType::BF16 => Weights::BF16(Dense::pack(bytes, rows, cols, |b| bf16::from_le_bytes(*b))),
        BlockType::Q4_0 => Weights::Four(interleave(bytes, rows, per_row, small::q4_0)),
        BlockType::Q4_1 => Weights::Four(interleave(bytes, rows, per_row, small::q4_1)),
        BlockType::Q5_0 => Weights::Five(interleave(bytes, rows, per_row, small::q5_0)),
        BlockType::Q5_1 => Weights::Five(interleave(bytes, rows, per_row, small::q5_1)),
        BlockType::Q8_0 => Weights::Eight(interleave(bytes, rows, per_row, small::q8_0)),
        BlockType::Q4_K => Weights::Four256(interleave(bytes, rows, per_row, k::q4_k)),
        BlockType::Q5_K => Weights::Five256(interleave(bytes, rows, per_row, k::q5_k)),
        BlockType::Q3_K => Weights::Six256(interleave(bytes, rows, per_row, k::q3_k)),
        BlockType::Q6_K => Weights::Six256(interleave(bytes, rows, per_row, k::q6_k)),
        BlockType::Q2_K => Weights::Eight(from_q2_k(bytes, rows, per_row)),
    }
}

/// A packed block that joins blocks of type `S`, one of each row.
trait Join<S>: Copy {
    /// The block before any row is set; rows of padding stay so and give 0.
    const ZERO: Self;

    fn set(&mut self, row: usize, block: &S);
}

/// For each group of eight rows and each block position, reads the rows' blocks of `B` bytes and joins them.
fn interleave<const B: usize, S, P: Join<S>>(
    bytes: &[u8],
    rows: usize,
    per_row: usize,
    read: impl Fn(&[u8; B]) -> S,
) -> Vec<P> {
    let (source, _) = bytes.as_chunks::<B>();
    let mut packed = Vec::with_capacity(rows.div_ceil(GROUP) * per_row);
    for group in source.chunks(GROUP * per_row.max(1)) {
        for at in 0..per_row {
            let mut block = P::ZERO;
            for (row, blocks) in group.chunks(per_row).enumerate() {
                block.set(row, &read(&blocks[at]));
            }
            packed.push(block);
        }
    }
    packed
}

impl<P: Plane> Join<small::Affine> for Affine<P> {
    const ZERO: Self = Self { scale: [f16::ZERO; 8], min: [f16::ZERO; 8], plane: P::ZERO };

    fn set(&mut self, row: usize, block: &small::Affine) {
        (self.scale[row], self.min[row]) = (block.scale, block.min);
        self.plane.set(row, &block.quants);
    }
}

impl<P: Plane> Join<k::Affine> for Affine256<P> {
    const ZERO: Self = Self {
        d: [f16::ZERO; 8],
        dmin: [f16::ZERO; 8],
        parts: [AffinePart { scale: [0; 8], min: [0; 8], plane: P::ZERO }; 8],
    };

    fn set(&mut self, row: usize, block: &k::Affine) {
        (self.d[row], self.dmin[row]) = (block.d, block.dmin);
        for (i, (part, quants)) in self.parts.iter_mut().zip(block.quants.as_chunks().0).enumerate() {
            (part.scale[row], part.min[row]) = (block.scales[i], block.mins[i]);
            part.plane.set(row, quants);
        }
    }
}

impl Join<k::Centered> for Centered256 {
    const ZERO: Self = Self { d: [f16::ZERO; 8], parts: [CenteredPart { scale: [[0; 2]; 8], plane: Sixes::ZERO }; 8] };

    fn set(&mut self, row: usize, block: &k::Centered) {
        self.d[row] = block.d;
        for (i, (part, quants)) in self.parts.iter_mut().zip(block.quants.as_chunks().0).enumerate() {
            part.scale[row] = [block.scales[2 * i], block.scales[2 * i + 1]];
            part.plane.set(row, quants);
        }
    }
}

impl Join<small::Signed> for Signed {
    const ZERO: Self = Self { scale: [f16::ZERO; 8], steps: [[0; 32]; 8] };

    fn set(&mut self, row: usize, block: &small::Signed) {
        self.scale[row] = block.scale;
        for (step, four) in self.steps.iter_mut().zip(block.quants.as_chunks::<4>().0) {
            step[place(row, 0)..][..4].copy_from_slice(four);
        }
    }
}

/// Two-bit weights have scales and minimums per 16, which no packed format holds: they are rounded to eight bits.
fn from_q2_k(bytes: &[u8], rows: usize, per_row: usize) -> Vec<Signed> {
    let mut signed = Vec::with_capacity(bytes.len() / 84 * 8 * 34);
    let mut values = [0.0; k::BLOCK];
    for block in bytes.as_chunks().0 {
        k::q2_k(block, &mut values);
        for part in values.as_chunks::<32>().0 {
            signed.extend(round_to_q8_0(part));
        }
    }
    interleave(&signed, rows, 8 * per_row, small::q8_0)
}

/// A block in the layout of Q8_0.
fn round_to_q8_0(values: &[f32; 32]) -> [u8; 34] {
    let largest = values.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
    let scale = f16::from_f32(largest / 127.0);
    let inverse = if scale == f16::ZERO { 0.0 } else { 1.0 / scale.to_f32() };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&scale.to_le_bytes());
    for (q, value) in block[2..].iter_mut().zip(values) {
        *q = (value * inverse).round_ties_even().clamp(-127.0, 127.0) as i8 as u8;
    }
    block
}

const _: () = {
    // What generation reads: eight rows of Q4_1, Q6_K and Q8_0 as in the file; Q4_K has its 6-bit scales as bytes.
    assert!(size_of::<Affine<Nibbles>>() == 8 * 20);
    assert!(size_of::<Affine256<Nibbles>>() == 8 * (144 + 4));
    assert!(size_of::<Centered256>() == 8 * 210);
    assert!(size_of::<Signed>() == 8 * 34);
};
