//! Block formats of quantized weights, as GGUF files store them.
//!
//! A tensor row is a run of blocks; a block holds 32 or 256 values (1 for the plain floats) with their scales. Each
//! family has a file of its own that takes a block apart into small integers and scales. [`dequantize`] multiplies
//! them out, plainly; the kernels repack the same parts (see [`crate::kernel`]), so both read one definition.
//!
//! The layouts follow the `block_*` structures of ggml; the golden values in the tests come from the `gguf` package.

mod error;
pub(crate) mod k;
pub(crate) mod small;
#[cfg(test)]
mod tests;

pub use error::Error;

use half::{bf16, f16};

/// How the values of a tensor are stored. The names are those of the ggml project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(non_camel_case_types, reason = "the names are the formats' own")]
pub enum BlockType {
    /// 32-bit floats.
    F32,
    /// IEEE half floats.
    F16,
    /// The upper half of 32-bit floats.
    BF16,
    /// 4-bit, scale per 32.
    Q4_0,
    /// 4-bit, scale and minimum per 32.
    Q4_1,
    /// 5-bit, scale per 32.
    Q5_0,
    /// 5-bit, scale and minimum per 32.
    Q5_1,
    /// 8-bit, scale per 32.
    Q8_0,
    /// 2-bit, 4-bit scale and minimum per 16 in blocks of 256.
    Q2_K,
    /// 3-bit, 6-bit scale per 16 in blocks of 256.
    Q3_K,
    /// 4-bit, 6-bit scale and minimum per 32 in blocks of 256.
    Q4_K,
    /// 5-bit, 6-bit scale and minimum per 32 in blocks of 256.
    Q5_K,
    /// 6-bit, 8-bit scale per 16 in blocks of 256.
    Q6_K,
}

/// Every block type with its ggml id, values per block and bytes per block.
const TABLE: [(BlockType, u32, usize, usize); 13] = [
    (BlockType::F32, 0, 1, 4),
    (BlockType::F16, 1, 1, 2),
    (BlockType::BF16, 30, 1, 2),
    (BlockType::Q4_0, 2, 32, 18),
    (BlockType::Q4_1, 3, 32, 20),
    (BlockType::Q5_0, 6, 32, 22),
    (BlockType::Q5_1, 7, 32, 24),
    (BlockType::Q8_0, 8, 32, 34),
    (BlockType::Q2_K, 10, 256, 84),
    (BlockType::Q3_K, 11, 256, 110),
    (BlockType::Q4_K, 12, 256, 144),
    (BlockType::Q5_K, 13, 256, 176),
    (BlockType::Q6_K, 14, 256, 210),
];

impl BlockType {
    /// The type with this number in a GGUF file.
    pub fn from_ggml_id(id: u32) -> Result<Self, Error> {
        TABLE.iter().find(|row| row.1 == id).map(|row| row.0).ok_or(Error::UnknownType { id })
    }

    /// The number of this type in a GGUF file.
    pub fn ggml_id(self) -> u32 {
        TABLE[self as usize].1
    }

    /// How many values one block holds.
    pub fn block_values(self) -> usize {
        TABLE[self as usize].2
    }

    /// How many bytes one block takes.
    pub fn block_bytes(self) -> usize {
        TABLE[self as usize].3
    }

    /// Bytes of `values` values; an error if they are not whole blocks or the size overflows.
    pub fn bytes_for(self, values: usize) -> Result<usize, Error> {
        if !values.is_multiple_of(self.block_values()) {
            return Err(Error::PartialBlock { kind: self, values });
        }
        (values / self.block_values()).checked_mul(self.block_bytes()).ok_or(Error::TooLarge { kind: self, values })
    }

    /// Checks that `bytes` holds exactly `values` values.
    pub fn check(self, bytes: &[u8], values: usize) -> Result<(), Error> {
        let expected = self.bytes_for(values)?;
        if bytes.len() == expected {
            Ok(())
        } else {
            Err(Error::WrongLength { kind: self, values, found: bytes.len(), expected })
        }
    }
}

/// Writes the values stored in `bytes` to `out`, whose length says how many there are. Empty input is fine.
///
/// ```
/// use saydo_model::quant::{BlockType, dequantize};
/// let mut out = [0.0; 2];
/// dequantize(BlockType::F16, &[0x00, 0x3c, 0x00, 0xc0], &mut out)?;
/// assert_eq!(out, [1.0, -2.0]);
/// # Ok::<(), saydo_model::quant::Error>(())
/// ```
pub fn dequantize(kind: BlockType, bytes: &[u8], out: &mut [f32]) -> Result<(), Error> {
    kind.check(bytes, out.len())?;
    match kind {
        BlockType::F32 => each(bytes, out, |b: &[u8; 4], y: &mut [f32; 1]| y[0] = f32::from_le_bytes(*b)),
        BlockType::F16 => each(bytes, out, |b: &[u8; 2], y: &mut [f32; 1]| y[0] = f16::from_le_bytes(*b).to_f32()),
        BlockType::BF16 => each(bytes, out, |b: &[u8; 2], y: &mut [f32; 1]| y[0] = bf16::from_le_bytes(*b).to_f32()),
        BlockType::Q4_0 => each(bytes, out, |b, y| small::q4_0(b).values(y)),
        BlockType::Q4_1 => each(bytes, out, |b, y| small::q4_1(b).values(y)),
        BlockType::Q5_0 => each(bytes, out, |b, y| small::q5_0(b).values(y)),
        BlockType::Q5_1 => each(bytes, out, |b, y| small::q5_1(b).values(y)),
        BlockType::Q8_0 => each(bytes, out, |b, y| small::q8_0(b).values(y)),
        BlockType::Q2_K => each(bytes, out, k::q2_k),
        BlockType::Q3_K => each(bytes, out, |b, y| k::q3_k(b).values(y)),
        BlockType::Q4_K => each(bytes, out, |b, y| k::q4_k(b).values(y)),
        BlockType::Q5_K => each(bytes, out, |b, y| k::q5_k(b).values(y)),
        BlockType::Q6_K => each(bytes, out, |b, y| k::q6_k(b).values(y)),
    }
    Ok(())
}

/// Calls `decode` on each block of `B` bytes and its `V` values.
fn each<const B: usize, const V: usize>(bytes: &[u8], out: &mut [f32], decode: impl Fn(&[u8; B], &mut [f32; V])) {
    let (blocks, _) = bytes.as_chunks::<B>();
    let (values, _) = out.as_chunks_mut::<V>();
    for (block, values) in blocks.iter().zip(values) {
        decode(block, values);
    }
}
