//! Lanes in a 256-bit register of x86-64.
//!
//! The methods are forced inline into [`run`], the one place that enables the instructions; `run` is reached only
//! through `dispatch`, which has asked the CPU.
#![expect(unsafe_code, reason = "vector instructions")]

use super::{Lanes, WithLanes};
use half::{bf16, f16};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(__m256);

/// Does the work with AVX2. Panics if the CPU cannot.
#[inline]
pub(super) fn run<W: WithLanes>(work: W) -> W::Output {
    #[target_feature(enable = "avx2,fma,f16c")]
    fn enabled<W: WithLanes>(work: W) -> W::Output {
        work.run::<Avx2>()
    }
    assert!(super::has_avx2());
    // SAFETY: the features were asked for just above.
    unsafe { enabled(work) }
}

// SAFETY, for every block below: an `Avx2` exists only inside `run`, so the CPU has the instructions; pointers come
// from references to arrays of exactly the size that is read or written, and no alignment is needed.
impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn load_f16(values: &[f16; 8]) -> Self {
        // SAFETY: see above; eight half floats are 128 bits.
        Self(unsafe { _mm256_cvtph_ps(_mm_loadu_si128(values.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load_bf16(values: &[bf16; 8]) -> Self {
        // SAFETY: see above; eight such floats are 128 bits, and each is the upper half of an f32.
        Self(unsafe {
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
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
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
