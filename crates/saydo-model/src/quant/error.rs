//! What can be wrong with the bytes of a quantized tensor.

use super::BlockType;

/// Why weights could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The number names no block type known here.
    #[error(
        "tensor type {id} is not supported, expected one of F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K to Q6_K"
    )]
    UnknownType {
        /// The number found.
        id: u32,
    },
    /// A row or tensor ends in the middle of a block.
    #[error("{values} values of {kind:?} are not whole blocks of {}", kind.block_values())]
    PartialBlock {
        /// How they are stored.
        kind: BlockType,
        /// How many there are.
        values: usize,
    },
    /// The data does not have the size that its shape says.
    #[error("{values} values of {kind:?} have {found} bytes, expected {expected}")]
    WrongLength {
        /// How they are stored.
        kind: BlockType,
        /// How many there should be.
        values: usize,
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// The shape asks for more than the address space holds.
    #[error("{values} values of {kind:?} do not fit in memory")]
    TooLarge {
        /// How they are stored.
        kind: BlockType,
        /// How many there should be.
        values: usize,
    },
}
