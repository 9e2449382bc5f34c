//! Eight floats at a time.
//!
//! Code over [`Lanes`] is written once and compiled for each kind: with AVX2 registers, with AVX-512 registers for
//! [pairs](Pair) of eight, and with plain arrays. All round every operation alike (multiply-add is fused in all), so
//! their results have the same bits. Integer products do not fit this mold; they live with the matrix formats.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use half::{bf16, f16};
#[cfg(test)]
pub(super) use portable::Portable;

/// Chains of multiply-adds that do not touch each other, one per float: eight floats or a pair of eights.
pub(super) trait Chains: Copy {
    /// How many eights there are.
    const EIGHTS: usize;

    fn fill(value: f32) -> Self;
    /// Reads each eight by its number.
    fn read<'a>(eight: impl Fn(usize) -> &'a [f32; 8]) -> Self;
    /// Reads each eight by its number.
    fn read_f16<'a>(eight: impl Fn(usize) -> &'a [f16; 8]) -> Self;
    /// Gives each eight with its number.
    fn write(self, to: impl FnMut(usize, &[f32; 8]));
    /// self × factor + term, rounded once.
    fn fuse(self, factor: Self, term: Self) -> Self;
}

/// Eight 32-bit floats.
pub(super) trait Lanes: Copy {
    /// Twice as many floats, in one register if there are such.
    type Pair: Chains;
    /// How many pairs of chains there are registers for.
    const PAIRS: usize;

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

impl<L: Lanes> Chains for L {
    const EIGHTS: usize = 1;

    #[inline(always)]
    fn fill(value: f32) -> Self {
        L::splat(value)
    }

    #[inline(always)]
    fn read<'a>(eight: impl Fn(usize) -> &'a [f32; 8]) -> Self {
        L::load(eight(0))
    }

    #[inline(always)]
    fn read_f16<'a>(eight: impl Fn(usize) -> &'a [f16; 8]) -> Self {
        L::load_f16(eight(0))
    }

    #[inline(always)]
    fn write(self, mut to: impl FnMut(usize, &[f32; 8])) {
        to(0, &self.to_array());
    }

    #[inline(always)]
    fn fuse(self, factor: Self, term: Self) -> Self {
        self.mul_add(factor, term)
    }
}

/// A pair in two registers.
#[derive(Clone, Copy)]
pub(super) struct Two<L>(L, L);

impl<L: Lanes> Chains for Two<L> {
    const EIGHTS: usize = 2;

    #[inline(always)]
    fn fill(value: f32) -> Self {
        Self(L::splat(value), L::splat(value))
    }

    #[inline(always)]
    fn read<'a>(eight: impl Fn(usize) -> &'a [f32; 8]) -> Self {
        Self(L::load(eight(0)), L::load(eight(1)))
    }

    #[inline(always)]
    fn read_f16<'a>(eight: impl Fn(usize) -> &'a [f16; 8]) -> Self {
        Self(L::load_f16(eight(0)), L::load_f16(eight(1)))
    }

    #[inline(always)]
    fn write(self, mut to: impl FnMut(usize, &[f32; 8])) {
        to(0, &self.0.to_array());
        to(1, &self.1.to_array());
    }

    #[inline(always)]
    fn fuse(self, factor: Self, term: Self) -> Self {
        Self(self.0.mul_add(factor.0, term.0), self.1.mul_add(factor.1, term.1))
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

/// Whether this CPU has what [`has_avx2`] asks for and AVX-512 with its instructions for bytes and short registers.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
}

/// Does the work with the widest lanes this CPU has.
#[inline]
pub(super) fn dispatch<W: WithLanes>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        return avx512::run(work);
    } else if has_avx2() {
        return avx2::run(work);
    }
    work.run::<portable::Portable>()
}

/// Does the work with AVX2 even if there is better, if there is AVX2.
#[cfg(test)]
pub(super) fn dispatch_avx2<W: WithLanes>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        return avx2::run(work);
    }
    work.run::<Portable>()
}
