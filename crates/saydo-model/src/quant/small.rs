//! Blocks of 32 values with one scale, and for some a minimum: Q4_0, Q4_1, Q5_0, Q5_1 and Q8_0.

use half::f16;

/// A block of unsigned integers: value = scale × quant + min.
///
/// The formats without a minimum store signed values shifted up by 8 or 16; their minimum is that shift times the
/// scale, which half floats hold exactly unless it overflows.
pub(crate) struct Affine {
    pub scale: f16,
    pub min: f16,
    pub quants: [u8; 32],
}

impl Affine {
    pub fn values(&self, out: &mut [f32; 32]) {
        let (scale, min) = (self.scale.to_f32(), self.min.to_f32());
        for (y, q) in out.iter_mut().zip(self.quants) {
            *y = scale * f32::from(q) + min;
        }
    }
}

/// A block of signed bytes: value = scale × quant.
pub(crate) struct Signed {
    pub scale: f16,
    pub quants: [i8; 32],
}

impl Signed {
    pub fn values(&self, out: &mut [f32; 32]) {
        for (y, q) in out.iter_mut().zip(self.quants) {
            *y = self.scale.to_f32() * f32::from(q);
        }
    }
}

pub(crate) fn q4_0(block: &[u8; 18]) -> Affine {
    let scale = half(block, 0);
    Affine { scale, min: shifted(scale, 8.0), quants: nibbles(tail(block, 2)) }
}

pub(crate) fn q4_1(block: &[u8; 20]) -> Affine {
    Affine { scale: half(block, 0), min: half(block, 2), quants: nibbles(tail(block, 4)) }
}

pub(crate) fn q5_0(block: &[u8; 22]) -> Affine {
    let scale = half(block, 0);
    Affine { scale, min: shifted(scale, 16.0), quants: fives(word(block, 2), tail(block, 6)) }
}

pub(crate) fn q5_1(block: &[u8; 24]) -> Affine {
    Affine { scale: half(block, 0), min: half(block, 2), quants: fives(word(block, 4), tail(block, 8)) }
}

pub(crate) fn q8_0(block: &[u8; 34]) -> Signed {
    Signed { scale: half(block, 0), quants: tail::<32>(block, 2).map(|byte| byte as i8) }
}

/// The half float at byte `at`.
pub(crate) fn half(bytes: &[u8], at: usize) -> f16 {
    f16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn shifted(scale: f16, by: f32) -> f16 {
    f16::from_f32(-by * scale.to_f32())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn tail<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    bytes[at..].first_chunk().expect("the block's size covers its fields")
}

/// Low nibbles are the first 16 values, high nibbles the last 16.
fn nibbles(packed: &[u8; 16]) -> [u8; 32] {
    let mut quants = [0; 32];
    for (i, byte) in packed.iter().enumerate() {
        quants[i] = byte & 15;
        quants[i + 16] = byte >> 4;
    }
    quants
}

/// Nibbles with a fifth bit each, bit i for value i.
fn fives(high: u32, packed: &[u8; 16]) -> [u8; 32] {
    let mut quants = nibbles(packed);
    for (i, q) in quants.iter_mut().enumerate() {
        *q |= ((high >> i & 1) as u8) << 4;
    }
    quants
}
