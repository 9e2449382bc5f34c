//! Blocks of 256 values with small integer scales per 16 or 32 and half-float scales for those: Q2_K to Q6_K.

use super::small::half;
use half::f16;

/// Values per block.
pub(crate) const BLOCK: usize = 256;

/// Scales and minimums per 32 (Q4_K, Q5_K): value = (d × scale) × quant − dmin × min.
pub(crate) struct Affine {
    pub d: f16,
    pub dmin: f16,
    pub scales: [u8; 8],
    pub mins: [u8; 8],
    pub quants: [u8; BLOCK],
}

impl Affine {
    pub fn values(&self, out: &mut [f32; BLOCK]) {
        let (d, dmin) = (self.d.to_f32(), self.dmin.to_f32());
        for (i, (y, q)) in out.iter_mut().zip(self.quants).enumerate() {
            let (scale, min) = (d * f32::from(self.scales[i / 32]), dmin * f32::from(self.mins[i / 32]));
            *y = scale * f32::from(q) - min;
        }
    }
}

/// Scales per 16 (Q3_K, Q6_K): value = (d × scale) × (quant − 32). Quants are below 64.
pub(crate) struct Centered {
    pub d: f16,
    pub scales: [i8; 16],
    pub quants: [u8; BLOCK],
}

impl Centered {
    pub fn values(&self, out: &mut [f32; BLOCK]) {
        let d = self.d.to_f32();
        for (i, (y, q)) in out.iter_mut().zip(self.quants).enumerate() {
            *y = d * f32::from(self.scales[i / 16]) * (f32::from(q) - 32.0);
        }
    }
}

/// Q2_K is too coarse to be worth a kernel of its own, so it is only ever multiplied out.
pub(crate) fn q2_k(block: &[u8; 84], out: &mut [f32; BLOCK]) {
    let (d, dmin) = (half(block, 80).to_f32(), half(block, 82).to_f32());
    for (i, y) in out.iter_mut().enumerate() {
        let packed = block[i / 16];
        let q = two_bits(&block[16..80], i);
        *y = d * f32::from(packed & 15) * f32::from(q) - dmin * f32::from(packed >> 4);
    }
}

pub(crate) fn q3_k(block: &[u8; 110]) -> Centered {
    let mut quants = [0; BLOCK];
    for (i, q) in quants.iter_mut().enumerate() {
        let high = block[i % 32] >> (i / 32) & 1;
        // A clear high bit means "minus 4"; 32 is the center of `Centered`.
        *q = 28 + (high << 2) + two_bits(&block[32..96], i);
    }
    Centered { d: half(block, 108), scales: q3_scales(&block[96..108]), quants }
}

pub(crate) fn q4_k(block: &[u8; 144]) -> Affine {
    let (scales, mins) = q4_scales(&block[4..16]);
    let mut quants = [0; BLOCK];
    four_bits(&block[16..144], &mut quants);
    Affine { d: half(block, 0), dmin: half(block, 2), scales, mins, quants }
}

pub(crate) fn q5_k(block: &[u8; 176]) -> Affine {
    let (scales, mins) = q4_scales(&block[4..16]);
    let mut quants = [0; BLOCK];
    four_bits(&block[48..176], &mut quants);
    for (part, quants) in quants.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        for (q, high) in quants.iter_mut().zip(&block[16..48]) {
            *q |= (high >> part & 1) << 4;
        }
    }
    Affine { d: half(block, 0), dmin: half(block, 2), scales, mins, quants }
}

pub(crate) fn q6_k(block: &[u8; 210]) -> Centered {
    let mut quants = [0; BLOCK];
    for side in 0..2 {
        let (low, high) = (&block[64 * side..][..64], &block[128 + 32 * side..][..32]);
        let quants = &mut quants[128 * side..][..128];
        for i in 0..32 {
            quants[i] = low[i] & 15 | (high[i] & 3) << 4;
            quants[i + 32] = low[i + 32] & 15 | (high[i] >> 2 & 3) << 4;
            quants[i + 64] = low[i] >> 4 | (high[i] >> 4 & 3) << 4;
            quants[i + 96] = low[i + 32] >> 4 | (high[i] >> 6) << 4;
        }
    }
    let scales = std::array::from_fn(|i| block[192 + i] as i8);
    Centered { d: half(block, 208), scales, quants }
}

/// Value `i` of 2-bit planes: 32 bytes hold four runs of 32 values, one per bit pair.
fn two_bits(packed: &[u8], i: usize) -> u8 {
    let (side, run, at) = (i / 128, i / 32 % 4, i % 32);
    packed[32 * side + at] >> (2 * run) & 3
}

/// Runs of 32 bytes: low nibbles are 32 values, high nibbles the next 32.
fn four_bits(packed: &[u8], quants: &mut [u8; BLOCK]) {
    for (bytes, quants) in packed.as_chunks::<32>().0.iter().zip(quants.as_chunks_mut::<64>().0) {
        for i in 0..32 {
            quants[i] = bytes[i] & 15;
            quants[i + 32] = bytes[i] >> 4;
        }
    }
}

/// Eight 6-bit scales and minimums in 12 bytes: the first four whole, the upper bits of the others above them.
fn q4_scales(packed: &[u8]) -> ([u8; 8], [u8; 8]) {
    let scale = |i| if i < 4 { packed[i] & 63 } else { packed[i + 4] & 15 | packed[i - 4] >> 6 << 4 };
    let min = |i| if i < 4 { packed[i + 4] & 63 } else { packed[i + 4] >> 4 | packed[i] >> 6 << 4 };
    (std::array::from_fn(scale), std::array::from_fn(min))
}

/// Sixteen 6-bit scales in 12 bytes, shifted up by 32: nibbles in the first 8 bytes, upper bit pairs in the last 4.
fn q3_scales(packed: &[u8]) -> [i8; 16] {
    std::array::from_fn(|i| {
        let low = packed[i % 8] >> (4 * (i / 8)) & 15;
        let high = packed[8 + i % 4] >> (2 * (i / 4)) & 3;
        (low | high << 4) as i8 - 32
    })
}
