//! Eight floats at a time.
//!
//! Code over [`Lanes`] is written once and compiled twice: with AVX2 registers and with plain arrays. Both round every
//! operation alike (multiply-add is fused in both), so their results have the same bits. Integer products do not fit
//! this mold; they live with the matrix formats.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use half::{bf16, f16};
#[cfg(test)]
pub(super) use portable::Portable;

/// Eight 32-bit floats.
pub(super) trait Lanes: Copy {
    fn splat(value: f32) -> Self;
    fn load(values: &[f32; 8]) -> Self;
    fn load_f16(values: &[f16; 8]) -> Self;
    fn load_bf16(values: &[bf16; 8]) -> Self;
    fn to_array(self) -> [f32; 8];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The larger one; the second if the first is not a number.
    fn max(self, other: Self) -> Self;
    /// The smaller one; the second if the first is not a number.
    fn min(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// self × factor + term, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// To the nearest integer, ties to even.
    fn round(self) -> Self;
    /// 2 to the power of each lane; lanes hold integers in [-126, 127].
    fn power_of_two(self) -> Self;
    /// Thirty-two values rounded to the nearest integer, ties to even, and limited to signed bytes.
    fn round_to_i8(parts: [Self; 4]) -> [i8; 32];

    /// The sum of the lanes, in a fixed order.
    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        ((a + e) + (b + f)) + ((c + g) + (d + h))
    }
}

/// Work that can be done with any kind of lanes; `run` must be `inline(always)` all the way down.
pub(super) trait WithLanes {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Whether this CPU has AVX2, FMA and half-float conversion.
#[inline]
pub(super) fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Does the work with the widest lanes this CPU has.
#[inline]
pub(super) fn dispatch<W: WithLanes>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        return avx2::run(work);
    }
    work.run::<portable::Portable>()
}
