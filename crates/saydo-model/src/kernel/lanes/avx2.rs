//! Lanes in a 256-bit register of x86-64.
//!
//! The methods are forced inline into [`run`], the one place that enables the instructions; `run` is reached only
//! through `dispatch`, which has asked the CPU.
#![expect(unsafe_code, reason = "vector instructions")]

use super::{Chains, Lanes, Two, WithLanes};
use half::{bf16, f16};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Eight floats, with pairs of kind `P`.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2<P>(__m256, PhantomData<P>);

/// What a pair of eights is.
pub(in super::super) trait PairKind: Copy {
    type Pair: Chains;
    const PAIRS: usize;
}

/// Pairs in two registers: 4 × 2 chains hide the latency and leave registers for their factors.
#[derive(Clone, Copy)]
struct InTwo;

impl PairKind for InTwo {
    type Pair = Two<Avx2<Self>>;
    const PAIRS: usize = 4;
}

impl<P> Avx2<P> {
    #[inline(always)]
    fn of(register: __m256) -> Self {
        Self(register, PhantomData)
    }
}

/// Does the work with AVX2. Panics if the CPU cannot.
#[inline]
pub(super) fn run<W: WithLanes>(work: W) -> W::Output {
    #[target_feature(enable = "avx2,fma,f16c")]
    fn enabled<W: WithLanes>(work: W) -> W::Output {
        work.run::<Avx2<InTwo>>()
    }
    assert!(super::has_avx2());
    // SAFETY: the features were asked for just above.
    unsafe { enabled(work) }
}

// SAFETY, for every block below: an `Avx2` exists only inside `run` or that of AVX-512, so the CPU has the instructions; pointers come
// from references to arrays of exactly the size that is read or written, and no alignment is needed.
impl<P: PairKind> Lanes for Avx2<P> {
    type Pair = P::Pair;
    const PAIRS: usize = P::PAIRS;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn load_f16(values: &[f16; 8]) -> Self {
        // SAFETY: see above; eight half floats are 128 bits.
        Self::of(unsafe { _mm256_cvtph_ps(_mm_loadu_si128(values.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load_bf16(values: &[bf16; 8]) -> Self {
        // SAFETY: see above; eight such floats are 128 bits, and each is the upper half of an f32.
        Self::of(unsafe {
            let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(values.as_ptr().cast()));
            _mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide))
        })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        let mut values = [0.0; 8];
        // SAFETY: see above.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
        values
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: see above.
        Self::of(unsafe {
            let biased = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(127));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
        })
    }

    #[inline(always)]
    fn round_to_i8(parts: [Self; 4]) -> [i8; 32] {
        let mut bytes = [0; 32];
        // SAFETY: see above.
        unsafe {
            let [a, b, c, d] = parts.map(|part| _mm256_cvtps_epi32(part.0));
            // The packing instructions work per 128-bit half; the permutation puts words back in order.
            let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            let ordered = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), ordered);
        }
        bytes
    }
}
