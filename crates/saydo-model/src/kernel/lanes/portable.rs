//! Lanes as a plain array, for any CPU, and the measure of the others in tests.

use super::{Lanes, Two};
use half::{bf16, f16};

#[derive(Clone, Copy)]
pub(in super::super) struct Portable([f32; 8]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Portable {
    type Pair = Two<Self>;
    const PAIRS: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn load_f16(values: &[f16; 8]) -> Self {
        Self(values.map(f16::to_f32))
    }

    #[inline(always)]
    fn load_bf16(values: &[bf16; 8]) -> Self {
        Self(values.map(bf16::to_f32))
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self.0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].mul_add(factor.0[i], term.0[i])))
    }

    #[inline(always)]
    fn round(self) -> Self {
        Self(self.0.map(f32::round_ties_even))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(self.0.map(|n| f32::from_bits(((n as i32 + 127) as u32) << 23)))
    }

    #[inline(always)]
    fn round_to_i8(parts: [Self; 4]) -> [i8; 32] {
        std::array::from_fn(|i| parts[i / 8].0[i % 8].round_ties_even() as i8)
    }
}
