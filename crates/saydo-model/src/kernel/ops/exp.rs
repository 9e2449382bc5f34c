//! The exponential of eight floats, within 2 units in the last place.

use crate::kernel::lanes::Lanes;

/// ln 2 in two parts: the first has zeros at its end, so its product with a small integer is exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// 1 / 7!, … 1 / 2!: on half an octave, the Taylor series is as good as any polynomial of its length.
const SERIES: [f32; 6] = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5];

/// e to the power of each lane. Not-a-number stays so; minus infinity gives 0, large values infinity.
#[inline(always)]
pub(in super::super) fn exp<L: Lanes>(x: L) -> L {
    // Beyond these limits the result is 0 or infinity anyway. The constants come first so that NaN passes through.
    let x = L::splat(89.0).min(L::splat(-104.0).max(x));
    let n = x.mul(L::splat(std::f32::consts::LOG2_E)).round();
    let r = n.mul_add(L::splat(-LN_2_LOW), n.mul_add(L::splat(-LN_2_HIGH), x));
    let series = SERIES.iter().skip(1).fold(L::splat(SERIES[0]), |sum, term| sum.mul_add(r, L::splat(*term)));
    let value = series.mul_add(r.mul(r), r.add(L::splat(1.0)));
    // Two factors, since 2^n alone may be outside the range of floats.
    let half = n.mul(L::splat(0.5)).round();
    value.mul(half.power_of_two()).mul(n.sub(half).power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::lanes::{self, Portable, WithLanes};

    struct Exp([f32; 8]);

    impl WithLanes for Exp {
        type Output = [f32; 8];

        #[inline(always)]
        fn run<L: Lanes>(self) -> [f32; 8] {
            exp(L::load(&self.0)).to_array()
        }
    }

    #[test]
    fn the_error_is_below_two_in_ten_million_over_the_whole_range() {
        let mut worst = 0.0_f64;
        for i in -87_000..88_000 {
            let x = i as f32 * 1e-3 + 3.3e-4;
            let found = lanes::dispatch(Exp([x; 8]));
            let exact = f64::from(x).exp();
            worst = worst.max((f64::from(found[0]) - exact).abs() / exact);
            assert_eq!(found.map(f32::to_bits), Exp([x; 8]).run::<Portable>().map(f32::to_bits));
        }
        assert!(worst < 2e-7, "{worst}");
    }

    #[test]
    fn limits_are_zero_one_and_infinity() {
        let found = lanes::dispatch(Exp([f32::NEG_INFINITY, -200.0, 0.0, 200.0, f32::INFINITY, f32::NAN, -103.9, 1.0]));
        assert_eq!(found[..5], [0.0, 0.0, 1.0, f32::INFINITY, f32::INFINITY]);
        assert!(found[5].is_nan());
        assert_eq!(found[7], std::f32::consts::E);
    }
}
