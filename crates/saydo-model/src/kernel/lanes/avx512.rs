//! Pairs of lanes in one 512-bit register of x86-64; eights are those of AVX2.
#![expect(unsafe_code, reason = "vector instructions")]

use super::avx2::{Avx2, PairKind};
use super::{Chains, WithLanes};
use half::f16;
use std::arch::x86_64::*;

/// Does the work with AVX-512. Panics if the CPU cannot.
#[inline]
pub(super) fn run<W: WithLanes>(work: W) -> W::Output {
    #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl")]
    fn enabled<W: WithLanes>(work: W) -> W::Output {
        work.run::<Avx2<InOne>>()
    }
    assert!(super::has_avx512());
    // SAFETY: the features were asked for just above.
    unsafe { enabled(work) }
}

/// Pairs in one register, of which there are 32.
#[derive(Clone, Copy)]
struct InOne;

impl PairKind for InOne {
    type Pair = Sixteen;
    const PAIRS: usize = 8;
}

#[derive(Clone, Copy)]
pub(in super::super) struct Sixteen(__m512);

// SAFETY, for every block below: a `Sixteen` exists only inside `run`, so the CPU has the instructions; pointers come
// from references to arrays of exactly the size that is read or written, and no alignment is needed.
impl Chains for Sixteen {
    const EIGHTS: usize = 2;

    #[inline(always)]
    fn fill(value: f32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn read<'a>(eight: impl Fn(usize) -> &'a [f32; 8]) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let [low, high] = [eight(0), eight(1)].map(|eight| _mm256_castps_pd(_mm256_loadu_ps(eight.as_ptr())));
            _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high))
        })
    }

    #[inline(always)]
    fn read_f16<'a>(eight: impl Fn(usize) -> &'a [f16; 8]) -> Self {
        // SAFETY: see above; eight half floats are 128 bits.
        Self(unsafe {
            let [low, high] = [eight(0), eight(1)].map(|eight| _mm_loadu_si128(eight.as_ptr().cast()));
            _mm512_cvtph_ps(_mm256_set_m128i(high, low))
        })
    }

    #[inline(always)]
    fn write(self, mut to: impl FnMut(usize, &[f32; 8])) {
        let mut values = [[0.0; 8]; 2];
        // SAFETY: see above.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr().cast(), self.0) };
        to(0, &values[0]);
        to(1, &values[1]);
    }

    #[inline(always)]
    fn fuse(self, factor: Self, term: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }
}
