//! The product with AVX-512 and its byte products summed in 32 bits (VNNI).
//!
//! Two groups of eight rows lie side by side in one register, so a step is four inputs of sixteen rows. The instruction
//! multiplies unsigned by signed bytes and adds four products to a 32-bit sum without saturation, so the integers are
//! those of the other versions; signed weights are made unsigned and what that adds is taken off again. The floats
//! follow the same chain per row.
#![expect(unsafe_code, reason = "vector instructions")]

use super::GROUP;
use super::block::{Affine, Affine256, Centered256, CenteredPart, Fives, Nibbles, Plane, Signed, Sixes};
use crate::kernel::activation::{self, Activations, TILE};
use half::f16;
use std::arch::x86_64::*;

/// Groups of output rows that are computed together.
pub(super) const PAIR: usize = 2;

/// Eight steps of sixteen rows, as unsigned bytes.
type Steps = [__m512i; 8];

/// One block of `T` tiles of `W` activation rows.
type Rows<'x, const T: usize, const W: usize> = [&'x [activation::Block; W]; T];

/// One value of sixteen output rows for each activation row.
type Sums<const T: usize, const W: usize> = [[__m512; W]; T];

/// Whether this CPU has the instructions.
#[inline]
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

/// A packed block that can be multiplied with AVX-512.
pub(super) trait Kernel: Sized {
    /// Activation blocks of 32 per packed block.
    const PARTS: usize;

    /// Adds the products of part `at` of two blocks with activation rows.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`is_available`] asks for.
    unsafe fn add<const T: usize, const W: usize>(
        pair: [&Self; PAIR],
        at: usize,
        x: Rows<'_, T, W>,
        sums: &mut Sums<T, W>,
    );
}

/// Multiplies two groups of eight rows by all activations; `write` gets an activation row and its results per group.
/// Panics if the CPU cannot.
pub(super) fn multiply<B: Kernel>(
    weights: [&[B]; PAIR],
    x: &Activations<'_>,
    mut write: impl FnMut(usize, &[[f32; GROUP]; PAIR]),
) {
    assert!(is_available());
    let tiles = x.rows().div_ceil(TILE);
    let whole = x.rows() / TILE;
    let mut tile = 0;
    while tile < tiles {
        let mut results = [[[0.0; GROUP]; PAIR]; LARGE * TILE];
        let at = |t: usize| x.tile(tile + t);
        // SAFETY: the features were asked for at the start.
        let (taken, rows) = unsafe {
            match whole - tile {
                LARGE.. => (LARGE, tiles_of::<B, LARGE, TILE>(weights, std::array::from_fn(at), &mut results)),
                2.. => (2, tiles_of::<B, 2, TILE>(weights, std::array::from_fn(at), &mut results)),
                1 => (1, tiles_of::<B, 1, TILE>(weights, [at(0)], &mut results)),
                _ => (
                    1,
                    match activation::tile_width(x.rows(), tile) {
                        1 => tiles_of::<B, 1, 1>(weights, [at(0)], &mut results),
                        2 => tiles_of::<B, 1, 2>(weights, [at(0)], &mut results),
                        _ => tiles_of::<B, 1, 3>(weights, [at(0)], &mut results),
                    },
                ),
            }
        };
        for (row, results) in results[..rows].iter().enumerate() {
            write(TILE * tile + row, results);
        }
        tile += taken;
    }
}

/// Tiles of activation rows at once, when there are so many: the more, the less often weights are unpacked.
const LARGE: usize = 4;

/// Multiplies by `T` tiles of `W` rows and says how many rows that is.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn tiles_of<B: Kernel, const T: usize, const W: usize>(
    weights: [&[B]; PAIR],
    x: [&[activation::Block]; T],
    out: &mut [[[f32; GROUP]; PAIR]],
) -> usize {
    let mut sums = [[_mm512_setzero_ps(); W]; T];
    let blocks = weights[0].len();
    let weights = weights.map(|weights| &weights[..blocks]);
    let x = x.map(|x| &x.as_chunks::<W>().0[..blocks * B::PARTS]);
    for block in 0..blocks {
        let pair = weights.map(|weights| &weights[block]);
        for at in 0..B::PARTS {
            // SAFETY: this function has the features.
            unsafe { B::add(pair, at, x.map(|x| &x[block * B::PARTS + at]), &mut sums) };
        }
    }
    for (out, sum) in out.iter_mut().zip(sums.as_flattened()) {
        // SAFETY: sixteen floats go to two arrays of eight.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr().cast(), *sum) };
    }
    T * W
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T>(pair: [&[T; 32]; PAIR]) -> __m512i {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: 256 bits are read from arrays of 32 bytes; alignment is not needed.
    let [low, high] = pair.map(|step| unsafe { _mm256_loadu_si256(step.as_ptr().cast()) });
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// Twice 128 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_narrow<T>(pair: [&[T; 8]; PAIR]) -> __m256i {
    const { assert!(size_of::<T>() == 2) };
    // SAFETY: 128 bits are read from arrays of eight times 16 bits.
    let [low, high] = pair.map(|eight| unsafe { _mm_loadu_si128(eight.as_ptr().cast()) });
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
}

/// Sixteen half floats as floats.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_halves(pair: [&[f16; 8]; PAIR]) -> __m512 {
    _mm512_cvtph_ps(load_narrow(pair))
}

/// Sixteen bytes as floats.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_bytes(pair: [&[u8; 8]; PAIR]) -> __m512 {
    let [low, high] = pair.map(|bytes| i64::from_le_bytes(*bytes));
    _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_set_epi64x(high, low)))
}

/// Unsigned quants of 8 rows × 32 inputs.
pub(super) trait PlaneKernel: Plane {
    /// The quants as bytes.
    ///
    /// # Safety
    /// The CPU must have AVX-512 F and BW.
    unsafe fn steps(planes: [&Self; PAIR]) -> Steps;
}

impl PlaneKernel for Nibbles {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn steps(planes: [&Self; PAIR]) -> Steps {
        let mask = _mm512_set1_epi8(15);
        let mut steps = [_mm512_setzero_si512(); 8];
        for s in 0..4 {
            let bytes = load(planes.map(|plane| &plane.low[s]));
            steps[s] = _mm512_and_si512(bytes, mask);
            steps[s + 4] = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), mask);
        }
        steps
    }
}

impl PlaneKernel for Fives {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn steps(planes: [&Self; PAIR]) -> Steps {
        let fifth = _mm512_set1_epi8(16);
        // SAFETY: this function has the features.
        let mut steps = unsafe { Nibbles::steps(planes.map(|plane| &plane.low)) };
        let mut high = load(planes.map(|plane| &plane.high));
        for s in 0..4 {
            // Bit s of the high plane belongs to step s and bit s + 4 to step s + 4: shifted, bits 0 and 4.
            steps[s] = _mm512_or_si512(steps[s], _mm512_and_si512(_mm512_slli_epi16::<4>(high), fifth));
            steps[s + 4] = _mm512_or_si512(steps[s + 4], _mm512_and_si512(high, fifth));
            high = _mm512_srli_epi16::<1>(high);
        }
        steps
    }
}

impl PlaneKernel for Sixes {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn steps(planes: [&Self; PAIR]) -> Steps {
        let mask = _mm512_set1_epi8(0x30);
        // SAFETY: this function has the features.
        let mut steps = unsafe { Nibbles::steps(planes.map(|plane| &plane.low)) };
        for (half, steps) in steps.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let high = load(planes.map(|plane| &plane.high[half]));
            // Bits 2 × step go to bits 4 and 5.
            let shifted =
                [_mm512_slli_epi16::<4>(high), _mm512_slli_epi16::<2>(high), high, _mm512_srli_epi16::<2>(high)];
            for (step, high) in steps.iter_mut().zip(shifted) {
                *step = _mm512_or_si512(*step, _mm512_and_si512(high, mask));
            }
        }
        steps
    }
}

/// The same value, which the compiler must have at this point: without it, all steps of one row are put one after the
/// other, and each would wait for the one before.
#[inline]
#[target_feature(enable = "avx512f")]
fn here(mut value: __m512i) -> __m512i {
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("/* {0} */", inout(zmm_reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// Adds the products of steps with words `from..` of every activation row.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn dot<const T: usize, const W: usize>(
    steps: &[__m512i],
    from: usize,
    x: Rows<'_, T, W>,
    products: &mut [[__m512i; W]; T],
) {
    for (s, step) in steps.iter().enumerate() {
        for (products, x) in products.iter_mut().zip(x) {
            for (product, x) in products.iter_mut().zip(x) {
                *product = _mm512_dpbusd_epi32(*product, *step, _mm512_set1_epi32(x.words[from + s]));
                // With few rows, the compiler's order has more that can go on side by side.
                if T > 1 {
                    *product = here(*product);
                }
            }
        }
    }
}

/// Per row, the sums of the first and last 16 activations, each times its 16-bit factor, in one integer.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn weigh_halves<const T: usize, const W: usize>(factors: __m512i, x: Rows<'_, T, W>) -> [[__m512i; W]; T] {
    x.map(|x| x.each_ref().map(|x| _mm512_dpwssd_epi32(_mm512_setzero_si512(), factors, _mm512_set1_epi32(x.halves))))
}

/// Adds product × (scale × activation scale), and min × activation sum if there is a minimum: the rounding rule of the
/// portable version.
#[inline]
#[target_feature(enable = "avx512f")]
fn add_scaled<const T: usize, const W: usize>(
    products: Sums<T, W>,
    scale: __m512,
    min: Option<__m512>,
    x: Rows<'_, T, W>,
    sums: &mut Sums<T, W>,
) {
    for ((sums, products), x) in sums.iter_mut().zip(products).zip(x) {
        for ((sum, product), x) in sums.iter_mut().zip(products).zip(x) {
            *sum = _mm512_fmadd_ps(product, _mm512_mul_ps(scale, _mm512_set1_ps(x.scale)), *sum);
            if let Some(min) = min {
                *sum = _mm512_fmadd_ps(min, _mm512_set1_ps(x.sum), *sum);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn to_floats<const T: usize, const W: usize>(products: [[__m512i; W]; T]) -> Sums<T, W> {
    products.map(|products| products.map(|product| _mm512_cvtepi32_ps(product)))
}

impl<P: PlaneKernel> Kernel for Affine<P> {
    const PARTS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(
        pair: [&Self; PAIR],
        _at: usize,
        x: Rows<'_, T, W>,
        sums: &mut Sums<T, W>,
    ) {
        // SAFETY: this function has the features.
        let steps = unsafe { P::steps(pair.map(|block| &block.plane)) };
        let mut products = [[_mm512_setzero_si512(); W]; T];
        dot(&steps, 0, x, &mut products);
        let (scale, min) = (load_halves(pair.map(|block| &block.scale)), load_halves(pair.map(|block| &block.min)));
        add_scaled(to_floats(products), scale, Some(min), x, sums);
    }
}

impl<P: PlaneKernel> Kernel for Affine256<P> {
    const PARTS: usize = 8;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(
        pair: [&Self; PAIR],
        at: usize,
        x: Rows<'_, T, W>,
        sums: &mut Sums<T, W>,
    ) {
        let parts = pair.map(|block| &block.parts[at]);
        // SAFETY: this function has the features.
        let steps = unsafe { P::steps(parts.map(|part| &part.plane)) };
        let mut products = [[_mm512_setzero_si512(); W]; T];
        dot(&steps, 0, x, &mut products);
        let scale = _mm512_mul_ps(load_halves(pair.map(|block| &block.d)), load_bytes(parts.map(|part| &part.scale)));
        let min = _mm512_mul_ps(load_halves(pair.map(|block| &block.dmin)), load_bytes(parts.map(|part| &part.min)));
        let min = _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(min), _mm512_set1_epi32(i32::MIN)));
        add_scaled(to_floats(products), scale, Some(min), x, sums);
    }
}

impl Kernel for Centered256 {
    const PARTS: usize = 8;

    /// The scales per 16 are multiplied in as floats, which is exact: with quants up to 63, activations up to 127 and
    /// scales up to 128, every integer on the way is at most 2 × 128 × 16 × 32 × 127 = 16 646 144, below 2²⁴.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(
        pair: [&Self; PAIR],
        at: usize,
        x: Rows<'_, T, W>,
        sums: &mut Sums<T, W>,
    ) {
        let parts: [&CenteredPart; PAIR] = pair.map(|block| &block.parts[at]);
        // SAFETY: this function has the features.
        let steps = unsafe { Sixes::steps(parts.map(|part| &part.plane)) };
        // Per row, two scales as 16-bit integers.
        let scales = _mm512_cvtepi8_epi16(load_narrow(parts.map(|part| &part.scale)));
        // The quants are 32 too large: minus 32 × the scaled sums of the activations.
        let offsets = _mm512_slli_epi16::<5>(_mm512_sub_epi16(_mm512_setzero_si512(), scales));
        let mut scaled = to_floats(weigh_halves(offsets, x));
        for (half, steps) in steps.as_chunks::<4>().0.iter().enumerate() {
            let mut products = [[_mm512_setzero_si512(); W]; T];
            dot(steps, 4 * half, x, &mut products);
            let shifted = if half == 0 { _mm512_slli_epi32::<16>(scales) } else { scales };
            let scale = _mm512_cvtepi32_ps(_mm512_srai_epi32::<16>(shifted));
            for (scaled, products) in scaled.as_flattened_mut().iter_mut().zip(to_floats(products).as_flattened()) {
                *scaled = _mm512_fmadd_ps(*products, scale, *scaled);
            }
        }
        add_scaled(scaled, load_halves(pair.map(|block| &block.d)), None, x, sums);
    }
}

impl Kernel for Signed {
    const PARTS: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(
        pair: [&Self; PAIR],
        _at: usize,
        x: Rows<'_, T, W>,
        sums: &mut Sums<T, W>,
    ) {
        let mut steps = [_mm512_setzero_si512(); 8];
        for (s, step) in steps.iter_mut().enumerate() {
            let signed = load(pair.map(|block| &block.steps[s]));
            *step = _mm512_xor_si512(signed, _mm512_set1_epi8(i8::MIN));
        }
        // Now the weights are 128 too large: minus 128 × the sum of the activations.
        let mut products = weigh_halves(_mm512_set1_epi16(-128), x);
        dot(&steps, 0, x, &mut products);
        add_scaled(to_floats(products), load_halves(pair.map(|block| &block.scale)), None, x, sums);
    }
}
