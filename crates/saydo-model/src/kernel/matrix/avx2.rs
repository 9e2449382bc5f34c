//! The product with AVX2.
//!
//! The instruction that multiplies unsigned by signed bytes adds neighbors in 16 bits with saturation, so what may be
//! added before widening is counted per format: eight products of nibbles (15 × 127 × 2 × 8 = 30 480), four of five
//! bits (31 × 127 × 2 × 4 = 31 496), two of six bits (63 × 127 × 2 × 2 = 32 004), one of eight bits
//! (128 × 127 × 2 = 32 512): all within 32 767.
#![expect(unsafe_code, reason = "vector instructions")]

use super::GROUP;
use super::block::{Affine, Affine256, Centered256, CenteredPart, Fives, Nibbles, Plane, Signed, Step};
use crate::kernel::activation::{self, TILE};
use crate::kernel::lanes;
use half::f16;
use std::arch::x86_64::*;

/// One value of each of eight output rows.
type Eight = __m256;

/// A packed block that can be multiplied with AVX2.
pub(super) trait Kernel: Sized {
    /// Activation blocks of 32 per packed block.
    const PARTS: usize;

    /// Adds the products of blocks of `G` groups with `M` activation rows; `x` has `PARTS` entries. Two groups side by
    /// side halve the loads of activations, which are what bounds a product with many rows.
    ///
    /// # Safety
    /// The CPU must have AVX2, FMA and F16C.
    unsafe fn add<const G: usize, const M: usize>(
        blocks: [&Self; G],
        x: &[[activation::Block; M]],
        sums: &mut [[Eight; M]; G],
    );
}

/// Multiplies `G` groups of eight rows by a tile of activation rows, at most four; `out` has the results of each
/// group, of which the first `width` are written. Panics without AVX2.
pub(super) fn tile<B: Kernel, const G: usize>(
    weights: [&[B]; G],
    x: &[activation::Block],
    width: usize,
    out: &mut [[[f32; GROUP]; TILE]; G],
) {
    assert!(lanes::has_avx2());
    // SAFETY: the features were asked for just above.
    unsafe {
        match width {
            1 => rows::<B, G, 1>(weights, x, out),
            2 => rows::<B, G, 2>(weights, x, out),
            3 => rows::<B, G, 3>(weights, x, out),
            _ => rows::<B, G, TILE>(weights, x, out),
        }
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
fn rows<B: Kernel, const G: usize, const M: usize>(
    weights: [&[B]; G],
    x: &[activation::Block],
    out: &mut [[[f32; GROUP]; TILE]; G],
) {
    let mut sums = [[_mm256_setzero_ps(); M]; G];
    let (x, _) = x.as_chunks::<M>();
    let blocks = weights[0].len();
    let weights = weights.map(|weights| &weights[..blocks]);
    for (at, x) in x.chunks_exact(B::PARTS).take(blocks).enumerate() {
        // SAFETY: this function has the features.
        unsafe { B::add(weights.map(|weights| &weights[at]), x, &mut sums) };
    }
    for (out, sums) in out.iter_mut().zip(sums) {
        for (out, sums) in out.iter_mut().zip(sums) {
            // SAFETY: eight floats go to an array of eight.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), sums) };
        }
    }
}

/// Unsigned quants of 8 rows × 32 inputs.
pub(super) trait PlaneKernel: Plane {
    /// Integer products of `G` groups of eight rows with `M` activation rows.
    ///
    /// # Safety
    /// The CPU must have AVX2.
    unsafe fn dot<const G: usize, const M: usize>(planes: [&Self; G], x: &[activation::Block; M]) -> [[__m256i; M]; G];
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(step: &Step) -> __m256i {
    // SAFETY: 256 bits are read from an array of 32 bytes; alignment is not needed.
    unsafe { _mm256_loadu_si256(step.as_ptr().cast()) }
}

/// Eight half floats as floats.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn load_halves(halves: &[f16; 8]) -> __m256 {
    // SAFETY: 128 bits are read from an array of eight half floats.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(halves.as_ptr().cast()) })
}

/// Eight bytes as floats.
#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(bytes: &[u8; 8]) -> __m256 {
    _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(*bytes))))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_nibbles(bytes: __m256i) -> __m256i {
    _mm256_and_si256(bytes, _mm256_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_nibbles(bytes: __m256i) -> __m256i {
    low_nibbles(_mm256_srli_epi16::<4>(bytes))
}

/// The same value, which the compiler must have at this point: without it, sums of integers are rearranged into trees
/// that need more registers than there are.
#[inline]
#[target_feature(enable = "avx2")]
fn here(mut value: __m256i) -> __m256i {
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("/* {0} */", inout(ymm_reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

impl PlaneKernel for Nibbles {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn dot<const G: usize, const M: usize>(planes: [&Self; G], x: &[activation::Block; M]) -> [[__m256i; M]; G] {
        let mut pairs = [[_mm256_setzero_si256(); M]; G];
        for s in 0..4 {
            let bytes = planes.map(|plane| here(load(&plane.low[s])));
            let (low, high) = (bytes.map(|b| low_nibbles(b)), bytes.map(|b| high_nibbles(b)));
            for (m, x) in x.iter().enumerate() {
                let (first, second) = (_mm256_set1_epi32(x.words[s]), _mm256_set1_epi32(x.words[s + 4]));
                for g in 0..G {
                    let sum =
                        _mm256_add_epi16(_mm256_maddubs_epi16(low[g], first), _mm256_maddubs_epi16(high[g], second));
                    pairs[g][m] = here(_mm256_add_epi16(pairs[g][m], sum));
                }
            }
        }
        pairs.map(|pairs| pairs.map(|pairs| _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))))
    }
}

impl PlaneKernel for Fives {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn dot<const G: usize, const M: usize>(planes: [&Self; G], x: &[activation::Block; M]) -> [[__m256i; M]; G] {
        let (ones, fifth) = (_mm256_set1_epi16(1), _mm256_set1_epi8(16));
        let mut products = [[_mm256_setzero_si256(); M]; G];
        let mut high = planes.map(|plane| load(&plane.high));
        for two in 0..2 {
            let mut pairs = [[_mm256_setzero_si256(); M]; G];
            for s in 2 * two..2 * two + 2 {
                let bytes = planes.map(|plane| here(load(&plane.low.low[s])));
                // Bit s of the high plane belongs to step s and bit s + 4 to step s + 4: shifted, bits 0 and 4.
                let low: [__m256i; G] = std::array::from_fn(|g| {
                    _mm256_or_si256(low_nibbles(bytes[g]), _mm256_and_si256(_mm256_slli_epi16::<4>(high[g]), fifth))
                });
                let top: [__m256i; G] =
                    std::array::from_fn(|g| _mm256_or_si256(high_nibbles(bytes[g]), _mm256_and_si256(high[g], fifth)));
                high = high.map(|h| _mm256_srli_epi16::<1>(h));
                for (m, x) in x.iter().enumerate() {
                    let (first, second) = (_mm256_set1_epi32(x.words[s]), _mm256_set1_epi32(x.words[s + 4]));
                    for g in 0..G {
                        let sum =
                            _mm256_add_epi16(_mm256_maddubs_epi16(low[g], first), _mm256_maddubs_epi16(top[g], second));
                        pairs[g][m] = here(_mm256_add_epi16(pairs[g][m], sum));
                    }
                }
            }
            for g in 0..G {
                for m in 0..M {
                    products[g][m] = _mm256_add_epi32(products[g][m], _mm256_madd_epi16(pairs[g][m], ones));
                }
            }
        }
        products
    }
}

/// The one rounding rule of all affine formats; the same as in the portable version.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn add_affine<const M: usize>(
    products: &[__m256i; M],
    scale: Eight,
    min: Eight,
    x: &[activation::Block; M],
    sums: &mut [Eight; M],
) {
    add_scaled(products, scale, x, sums);
    for (sum, x) in sums.iter_mut().zip(x) {
        *sum = _mm256_fmadd_ps(min, _mm256_set1_ps(x.sum), *sum);
    }
}

/// Adds product × (scale × activation scale).
#[inline]
#[target_feature(enable = "avx2,fma")]
fn add_scaled<const M: usize>(
    products: &[__m256i; M],
    scale: Eight,
    x: &[activation::Block; M],
    sums: &mut [Eight; M],
) {
    for ((sum, product), x) in sums.iter_mut().zip(products).zip(x) {
        let factor = _mm256_mul_ps(scale, _mm256_set1_ps(x.scale));
        *sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(*product), factor, *sum);
    }
}

impl<P: PlaneKernel> Kernel for Affine<P> {
    const PARTS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn add<const G: usize, const M: usize>(
        blocks: [&Self; G],
        x: &[[activation::Block; M]],
        sums: &mut [[Eight; M]; G],
    ) {
        // SAFETY: this function has the features.
        let products = unsafe { P::dot(blocks.map(|block| &block.plane), &x[0]) };
        for ((block, products), sums) in blocks.iter().zip(&products).zip(sums) {
            add_affine(products, load_halves(&block.scale), load_halves(&block.min), &x[0], sums);
        }
    }
}

impl<P: PlaneKernel> Kernel for Affine256<P> {
    const PARTS: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn add<const G: usize, const M: usize>(
        blocks: [&Self; G],
        x: &[[activation::Block; M]],
        sums: &mut [[Eight; M]; G],
    ) {
        for (at, x) in x.iter().enumerate().take(8) {
            let parts = blocks.map(|block| &block.parts[at]);
            // SAFETY: this function has the features.
            let products = unsafe { P::dot(parts.map(|part| &part.plane), x) };
            for g in 0..G {
                let scale = _mm256_mul_ps(load_halves(&blocks[g].d), load_bytes(&parts[g].scale));
                let min = _mm256_mul_ps(load_halves(&blocks[g].dmin), load_bytes(&parts[g].min));
                add_affine(&products[g], scale, _mm256_xor_ps(min, _mm256_set1_ps(-0.0)), x, &mut sums[g]);
            }
        }
    }
}

impl Kernel for Centered256 {
    const PARTS: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn add<const G: usize, const M: usize>(
        blocks: [&Self; G],
        x: &[[activation::Block; M]],
        sums: &mut [[Eight; M]; G],
    ) {
        for (at, x) in x.iter().enumerate().take(8) {
            let parts = blocks.map(|block| &block.parts[at]);
            let products = dot_centered(parts, x);
            for g in 0..G {
                add_scaled(&products[g], load_halves(&blocks[g].d), x, &mut sums[g]);
            }
        }
    }
}

/// Integer products with the scales per 16 multiplied in.
#[inline]
#[target_feature(enable = "avx2")]
fn dot_centered<const G: usize, const M: usize>(
    parts: [&CenteredPart; G],
    x: &[activation::Block; M],
) -> [[__m256i; M]; G] {
    // SAFETY: 128 bits are read from eight pairs of bytes. Per row, two scales as 16-bit integers.
    let scales = parts.map(|part| _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(part.scale.as_ptr().cast()) }));
    let mut products: [[__m256i; M]; G] = scales.map(|scales| {
        // The quants are 32 too large: minus 32 × the scaled sums of the activations.
        x.each_ref().map(|x| {
            let offset = _mm256_madd_epi16(scales, _mm256_set1_epi32(x.halves));
            _mm256_slli_epi32::<5>(_mm256_sub_epi32(_mm256_setzero_si256(), offset))
        })
    });
    for half in 0..2 {
        // The scale of this half twice, to multiply pairs of sums.
        let scales: [__m256i; G] = scales.map(|scales| {
            if half == 0 {
                _mm256_blend_epi16::<0xaa>(scales, _mm256_slli_epi32::<16>(scales))
            } else {
                _mm256_blend_epi16::<0x55>(scales, _mm256_srli_epi32::<16>(scales))
            }
        });
        for two in 0..2 {
            let steps: [[__m256i; G]; 2] = [0, 1].map(|i| parts.map(|part| six_bits(part, half, 2 * two + i)));
            for (m, x) in x.iter().enumerate() {
                let at = 4 * half + 2 * two;
                let (first, second) = (_mm256_set1_epi32(x.words[at]), _mm256_set1_epi32(x.words[at + 1]));
                for g in 0..G {
                    let pairs = _mm256_add_epi16(
                        _mm256_maddubs_epi16(steps[0][g], first),
                        _mm256_maddubs_epi16(steps[1][g], second),
                    );
                    products[g][m] = _mm256_add_epi32(products[g][m], _mm256_madd_epi16(pairs, scales[g]));
                }
            }
        }
    }
    products
}

/// Quants of step 4 × half + step.
#[inline]
#[target_feature(enable = "avx2")]
fn six_bits(part: &CenteredPart, half: usize, step: usize) -> __m256i {
    let bytes = load(&part.plane.low.low[step]);
    let low = if half == 0 { low_nibbles(bytes) } else { high_nibbles(bytes) };
    let high = load(&part.plane.high[half]);
    // Bits 2 × step go to bits 4 and 5.
    let high = match step {
        0 => _mm256_slli_epi16::<4>(high),
        1 => _mm256_slli_epi16::<2>(high),
        2 => high,
        _ => _mm256_srli_epi16::<2>(high),
    };
    _mm256_or_si256(low, _mm256_and_si256(high, _mm256_set1_epi8(0x30)))
}

impl Kernel for Signed {
    const PARTS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn add<const G: usize, const M: usize>(
        blocks: [&Self; G],
        x: &[[activation::Block; M]],
        sums: &mut [[Eight; M]; G],
    ) {
        let x = &x[0];
        let ones = _mm256_set1_epi16(1);
        let mut products = [[_mm256_setzero_si256(); M]; G];
        for s in 0..8 {
            // SAFETY: 256 bits are read from an array of 32 bytes.
            let weights = blocks.map(|block| unsafe { _mm256_loadu_si256(block.steps[s].as_ptr().cast()) });
            let magnitudes = weights.map(|weights| _mm256_abs_epi8(weights));
            for (m, x) in x.iter().enumerate() {
                let word = _mm256_set1_epi32(x.words[s]);
                for g in 0..G {
                    let pairs = _mm256_maddubs_epi16(magnitudes[g], _mm256_sign_epi8(word, weights[g]));
                    products[g][m] = _mm256_add_epi32(products[g][m], _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        for g in 0..G {
            add_scaled(&products[g], load_halves(&blocks[g].scale), x, &mut sums[g]);
        }
    }
}
