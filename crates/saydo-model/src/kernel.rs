//! Arithmetic on the CPU: weights repacked for SIMD, matrix products, attention and the small operations between them.
//!
//! Everything here promises two things that the layers above rely on. A row of a result has the same bits whatever
//! other rows are computed with it, so batching never changes an answer. And the code chosen for a CPU with AVX2 or
//! AVX-512 gives the same bits as the portable code beside it, which is what the tests compare it with.
//!
//! | Module | Holds |
//! | --- | --- |
//! | `pool` | [`Pool`], fork and join over a few threads in a few microseconds |
//! | `activation` | [`Activations`], rows rounded to 8 bits |
//! | `matrix` | [`PackedMatrix`], weights interleaved by eight rows, and its product with activations |
//! | `attention` | [`KvSegment`] and [`attention`](attention()), over a shared prefix and own tails |
//! | `ops` | normalization, rotary embedding, activation functions, softmax |
//! | `tiles` | products of matrices rounded to bf16, with AMX or AVX512-BF16; their bits, too, are those of plain code |
//! | `lanes` | eight floats at a time, or pairs of eight, with and without AVX2 and AVX-512 |

mod activation;
mod attention;
pub(crate) mod dense;
mod lanes;
mod matrix;
pub mod ops;
mod pool;
mod shared;
pub(crate) mod tiles;

pub use activation::Activations;
pub use attention::{AttentionRow, AttentionShape, KvPrecision, KvSegment, attention};
pub use matrix::{PackedMatrix, matmul_add, matmul_all};
pub use pool::Pool;
pub use tiles::has_bf16;
