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
use crate::kernel::lanes;
use half::f16;
use std::arch::x86_64::*;

/// Groups of output rows that are computed together.
pub(super) const PAIR: usize = 2;

/// Tiles of activation rows in a chunk: as many as there are registers for.
const LARGE: usize = 4;
const TWO_CHUNKS: usize = 2 * LARGE;

/// Chunks that share what was unpacked.
const CHUNKS: usize = 4;

/// Eight steps of sixteen rows, as unsigned bytes.
type Steps = [__m512i; 8];

/// One block of `T` tiles of `W` activation rows.
type Rows<'x, const T: usize, const W: usize> = [&'x [activation::Block; W]; T];

/// One value of sixteen output rows for each activation row.
type Sums<const T: usize, const W: usize> = [[__m512; W]; T];

/// Results of one activation row for two groups.
type Results = [[f32; GROUP]; PAIR];

/// Whether this CPU has the instructions.
#[inline]
pub(super) fn is_available() -> bool {
    lanes::has_avx512() && is_x86_feature_detected!("avx512vnni")
}

/// A packed block that can be multiplied with AVX-512.
pub(super) trait Kernel: Sized {
    /// Activation blocks of 32 per packed block.
    const PARTS: usize;

    /// 32 inputs of sixteen rows.
    type Part: Part;

    /// Unpacks part `at` of two blocks.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`is_available`] asks for.
    unsafe fn unpack(pair: [&Self; PAIR], at: usize) -> Self::Part;
}

/// 32 inputs of sixteen rows, ready to be multiplied.
pub(super) trait Part {
    /// Adds the products with activation rows.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`is_available`] asks for.
    unsafe fn add<const T: usize, const W: usize>(&self, x: Rows<'_, T, W>, sums: &mut Sums<T, W>);
}

/// Multiplies two groups of eight rows by all activations; `write` gets an activation row and its results per group.
/// Panics if the CPU cannot.
pub(super) fn multiply<B: Kernel>(weights: [&[B]; PAIR], x: &Activations<'_>, mut write: impl FnMut(usize, &Results)) {
    assert!(is_available());
    let whole = x.rows() / TILE;
    let mut tile = 0;
    while TILE * tile < x.rows() {
        let mut results = [[[0.0; GROUP]; PAIR]; CHUNKS * LARGE * TILE];
        let out = &mut results;
        // SAFETY: the features were asked for at the start.
        let rows = unsafe {
            match whole - tile {
                tiles @ TWO_CHUNKS.. => several::<B>(weights, x, tile, CHUNKS.min(tiles / LARGE), out),
                LARGE.. => chunk::<B, LARGE, TILE>(weights, x, tile, out),
                2.. => chunk::<B, 2, TILE>(weights, x, tile, out),
                1 => chunk::<B, 1, TILE>(weights, x, tile, out),
                0 => match x.rows() % TILE {
                    1 => chunk::<B, 1, 1>(weights, x, tile, out),
                    2 => chunk::<B, 1, 2>(weights, x, tile, out),
                    _ => chunk::<B, 1, 3>(weights, x, tile, out),
                },
            }
        };
        for (row, results) in results[..rows].iter().enumerate() {
            write(TILE * tile + row, results);
        }
        tile += rows.div_ceil(TILE);
    }
}

/// Multiplies by one chunk, `T` tiles of `W` activation rows from `tile` on, and says how many rows that is.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn chunk<B: Kernel, const T: usize, const W: usize>(
    weights: [&[B]; PAIR],
    x: &Activations<'_>,
    tile: usize,
    out: &mut [Results],
) -> usize {
    let blocks = weights[0].len();
    let weights = weights.map(|weights| &weights[..blocks]);
    let x: [&[[activation::Block; W]]; T] =
        std::array::from_fn(|t| &x.tile(tile + t).as_chunks().0[..blocks * B::PARTS]);
    let mut sums = [[_mm512_setzero_ps(); W]; T];
    for block in 0..blocks {
        let pair = weights.map(|weights| &weights[block]);
        for at in 0..B::PARTS {
            // SAFETY: this function has the features.
            unsafe { B::unpack(pair, at).add(x.map(|x| &x[block * B::PARTS + at]), &mut sums) };
        }
    }
    store(sums.as_flattened(), out);
    T * W
}

/// Multiplies by several chunks of the largest size, each of which meets a part of the weights while it is unpacked.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn several<B: Kernel>(
    weights: [&[B]; PAIR],
    x: &Activations<'_>,
    tile: usize,
    chunks: usize,
    out: &mut [Results],
) -> usize {
    let blocks = weights[0].len();
    let weights = weights.map(|weights| &weights[..blocks]);
    let mut tiles: [[&[[activation::Block; TILE]]; LARGE]; CHUNKS] = [[&[]; LARGE]; CHUNKS];
    for (t, tiles) in tiles[..chunks].as_flattened_mut().iter_mut().enumerate() {
        *tiles = &x.tile(tile + t).as_chunks().0[..blocks * B::PARTS];
    }
    let mut sums = [[[_mm512_setzero_ps(); TILE]; LARGE]; CHUNKS];
    for block in 0..blocks {
        let pair = weights.map(|weights| &weights[block]);
        for at in 0..B::PARTS {
            // SAFETY: this function has the features.
            let part = unsafe { B::unpack(pair, at) };
            for (x, sums) in tiles.iter().zip(&mut sums).take(chunks) {
                // SAFETY: this function has the features.
                unsafe { part.add(x.map(|x| &x[block * B::PARTS + at]), sums) };
            }
        }
    }
    store(sums[..chunks].as_flattened().as_flattened(), out);
    chunks * LARGE * TILE
}

/// Writes the results of activation rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(sums: &[__m512], out: &mut [Results]) {
    for (out, sum) in out.iter_mut().zip(sums) {
        // SAFETY: sixteen floats go to two arrays of eight.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr().cast(), *sum) };
    }
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

/// Value = scale × quant + min.
pub(super) struct AffineSteps {
    steps: Steps,
    scale: __m512,
    min: __m512,
}

impl Part for AffineSteps {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(&self, x: Rows<'_, T, W>, sums: &mut Sums<T, W>) {
        let mut products = [[_mm512_setzero_si512(); W]; T];
        dot(&self.steps, 0, x, &mut products);
        add_scaled(to_floats(products), self.scale, Some(self.min), x, sums);
    }
}

impl<P: PlaneKernel> Kernel for Affine<P> {
    const PARTS: usize = 1;

    type Part = AffineSteps;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn unpack(pair: [&Self; PAIR], _at: usize) -> AffineSteps {
        AffineSteps {
            scale: load_halves(pair.map(|block| &block.scale)),
            min: load_halves(pair.map(|block| &block.min)),
            // SAFETY: this function has the features.
            steps: unsafe { P::steps(pair.map(|block| &block.plane)) },
        }
    }
}

impl<P: PlaneKernel> Kernel for Affine256<P> {
    const PARTS: usize = 8;

    type Part = AffineSteps;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn unpack(pair: [&Self; PAIR], at: usize) -> AffineSteps {
        let parts = pair.map(|block| &block.parts[at]);
        let (d, dmin) = (load_halves(pair.map(|block| &block.d)), load_halves(pair.map(|block| &block.dmin)));
        let min = _mm512_mul_ps(dmin, load_bytes(parts.map(|part| &part.min)));
        AffineSteps {
            // SAFETY: this function has the features.
            steps: unsafe { P::steps(parts.map(|part| &part.plane)) },
            scale: _mm512_mul_ps(d, load_bytes(parts.map(|part| &part.scale))),
            min: _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(min), _mm512_set1_epi32(i32::MIN))),
        }
    }
}

/// Value = (d × scale) × (quant − 32), with one scale for each half of the steps.
pub(super) struct CenteredSteps {
    steps: Steps,
    scales: [__m512; 2],
    /// Both scales × −32, as 16-bit integers: the quants are 32 too large.
    offsets: __m512i,
    d: __m512,
}

impl Part for CenteredSteps {
    /// The scales are multiplied in as floats, which is exact: with quants up to 63, activations up to 127 and scales
    /// up to 128, every integer on the way is at most 2 × 128 × 16 × 32 × 127 = 16 646 144, below 2²⁴.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(&self, x: Rows<'_, T, W>, sums: &mut Sums<T, W>) {
        // Tile by tile: there are not enough registers for more.
        for (x, sums) in x.iter().zip(sums) {
            let (x, sums) = ([*x], std::array::from_mut(sums));
            let mut scaled = to_floats(weigh_halves(self.offsets, x));
            for (half, (steps, scale)) in self.steps.as_chunks::<4>().0.iter().zip(self.scales).enumerate() {
                let mut products = [[_mm512_setzero_si512(); W]; 1];
                dot(steps, 4 * half, x, &mut products);
                for (scaled, product) in scaled.as_flattened_mut().iter_mut().zip(to_floats(products).as_flattened()) {
                    *scaled = _mm512_fmadd_ps(*product, scale, *scaled);
                }
            }
            add_scaled(scaled, self.d, None, x, sums);
        }
    }
}

impl Kernel for Centered256 {
    const PARTS: usize = 8;

    type Part = CenteredSteps;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn unpack(pair: [&Self; PAIR], at: usize) -> CenteredSteps {
        let parts: [&CenteredPart; PAIR] = pair.map(|block| &block.parts[at]);
        // Per row, two scales as 16-bit integers.
        let scales = _mm512_cvtepi8_epi16(load_narrow(parts.map(|part| &part.scale)));
        CenteredSteps {
            // SAFETY: this function has the features.
            steps: unsafe { Sixes::steps(parts.map(|part| &part.plane)) },
            scales: [_mm512_slli_epi32::<16>(scales), scales].map(|s| _mm512_cvtepi32_ps(_mm512_srai_epi32::<16>(s))),
            offsets: _mm512_slli_epi16::<5>(_mm512_sub_epi16(_mm512_setzero_si512(), scales)),
            d: load_halves(pair.map(|block| &block.d)),
        }
    }
}

/// Value = scale × (byte − 128).
pub(super) struct SignedSteps {
    steps: Steps,
    scale: __m512,
}

impl Part for SignedSteps {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn add<const T: usize, const W: usize>(&self, x: Rows<'_, T, W>, sums: &mut Sums<T, W>) {
        // The bytes are 128 too large: minus 128 × the sum of the activations.
        let mut products = weigh_halves(_mm512_set1_epi16(-128), x);
        dot(&self.steps, 0, x, &mut products);
        add_scaled(to_floats(products), self.scale, None, x, sums);
    }
}

impl Kernel for Signed {
    const PARTS: usize = 1;

    type Part = SignedSteps;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    unsafe fn unpack(pair: [&Self; PAIR], _at: usize) -> SignedSteps {
        let mut steps = [_mm512_setzero_si512(); 8];
        for (s, step) in steps.iter_mut().enumerate() {
            *step = _mm512_xor_si512(load(pair.map(|block| &block.steps[s])), _mm512_set1_epi8(i8::MIN));
        }
        SignedSteps { steps, scale: load_halves(pair.map(|block| &block.scale)) }
    }
}
