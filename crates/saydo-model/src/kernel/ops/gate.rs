//! Activation functions of feed-forward layers, alone and multiplied with the parallel branch.

use super::exp::exp;
use crate::kernel::lanes::{self, Lanes, WithLanes};
use std::marker::PhantomData;

/// x × sigmoid(x), in place.
pub fn silu(x: &mut [f32]) {
    lanes::dispatch(Apply::<Silu> { x, up: None, function: PhantomData });
}

/// gate = gate × sigmoid(gate) × up. Panics if the lengths differ.
pub fn silu_mul(gate: &mut [f32], up: &[f32]) {
    lanes::dispatch(Apply::<Silu> { x: gate, up: Some(up), function: PhantomData });
}

/// The backward step of [`silu_mul`]: takes the gradient of its result, and puts those of gate and up in their places.
/// Panics if the lengths differ.
pub fn silu_mul_back(gate: &mut [f32], up: &mut [f32], gradient: &[f32]) {
    assert!(gate.len() == up.len() && up.len() == gradient.len(), "gate, up and gradient have different lengths");
    lanes::dispatch(SiluMulBack { gate, up, gradient });
}

/// The GELU of GPT-2 and Gemma, by a hyperbolic tangent, in place.
pub fn gelu_tanh(x: &mut [f32]) {
    lanes::dispatch(Apply::<GeluTanh> { x, up: None, function: PhantomData });
}

/// gate = GELU(gate) × up, by a hyperbolic tangent. Panics if the lengths differ.
pub fn gelu_tanh_mul(gate: &mut [f32], up: &[f32]) {
    lanes::dispatch(Apply::<GeluTanh> { x: gate, up: Some(up), function: PhantomData });
}

/// The GELU of BART, by the error function: x × Φ(x), in place.
pub fn gelu_erf(x: &mut [f32]) {
    lanes::dispatch(Apply::<GeluErf> { x, up: None, function: PhantomData });
}

trait Function {
    fn of<L: Lanes>(x: L) -> L;
}

struct Silu;

impl Function for Silu {
    #[inline(always)]
    fn of<L: Lanes>(x: L) -> L {
        x.mul(sigmoid(x))
    }
}

struct GeluTanh;

impl Function for GeluTanh {
    /// (1 + tanh u) / 2 is sigmoid(2u), with u = √(2/π) (x + 0.044715 x³).
    #[inline(always)]
    fn of<L: Lanes>(x: L) -> L {
        let cubic = L::splat(0.044_715).mul(x.mul(x)).mul_add(x, x);
        x.mul(sigmoid(cubic.mul(L::splat(1.595_769))))
    }
}

struct GeluErf;

impl Function for GeluErf {
    #[inline(always)]
    fn of<L: Lanes>(x: L) -> L {
        let z = x.abs().mul(L::splat(std::f32::consts::FRAC_1_SQRT_2));
        let below = L::splat(0.5).mul(erfc(z)).mul(x.abs());
        // For x > 0: x − x·Φ(−x); for x < 0: −|x|·Φ(−|x|).
        x.max(L::splat(0.0)).sub(below)
    }
}

#[inline(always)]
fn sigmoid<L: Lanes>(x: L) -> L {
    let one = L::splat(1.0);
    one.div(one.add(exp(L::splat(0.0).sub(x))))
}

/// e^(z²) erfc(z) as a polynomial in 1 / (1 + z / 2), highest power first: a least-squares fit of our own over
/// 0 ≤ z ≤ 9.5 with relative error below 2·10⁻⁷ in floats. Beyond, e^(−z²) is 0.
const SCALED_ERFC: [f32; 11] = [
    0.029_212_797,
    -0.218_245_36,
    0.661_475_3,
    -0.996_288_8,
    0.711_045_27,
    -0.268_107_74,
    0.291_851_82,
    0.221_637_53,
    0.285_594_25,
    0.281_815_1,
    9.768_637e-6,
];

/// The complementary error function for z ≥ 0.
#[inline(always)]
fn erfc<L: Lanes>(z: L) -> L {
    let one = L::splat(1.0);
    let t = one.div(z.mul_add(L::splat(0.5), one));
    let scaled = SCALED_ERFC.iter().skip(1).fold(L::splat(SCALED_ERFC[0]), |sum, c| sum.mul_add(t, L::splat(*c)));
    scaled.mul(exp(L::splat(0.0).sub(z.mul(z))))
}

/// x = F(x), or F(x) × up.
struct Apply<'a, F> {
    x: &'a mut [f32],
    up: Option<&'a [f32]>,
    function: PhantomData<F>,
}

impl<F: Function> WithLanes for Apply<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (eights, rest) = self.x.as_chunks_mut::<8>();
        let mut last = [0.0; 8];
        last[..rest.len()].copy_from_slice(rest);
        for x in eights.iter_mut().chain([&mut last]) {
            *x = F::of(L::load(x)).to_array();
        }
        rest.copy_from_slice(&last[..rest.len()]);
        if let Some(up) = self.up {
            assert_eq!(self.x.len(), up.len(), "gate and up have different lengths");
            self.x.iter_mut().zip(up).for_each(|(x, up)| *x *= up);
        }
    }
}

struct SiluMulBack<'a> {
    gate: &'a mut [f32],
    up: &'a mut [f32],
    gradient: &'a [f32],
}

impl SiluMulBack<'_> {
    #[inline(always)]
    fn eight<L: Lanes>(gate: &mut [f32; 8], up: &mut [f32; 8], gradient: &[f32; 8]) {
        let (x, y, g) = (L::load(gate), L::load(up), L::load(gradient));
        let s = sigmoid(x);
        let slope = s.mul(x.mul_add(L::splat(1.0).sub(s), L::splat(1.0)));
        *gate = g.mul(y).mul(slope).to_array();
        *up = g.mul(x).mul(s).to_array();
    }
}

impl WithLanes for SiluMulBack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (gates, gate_rest) = self.gate.as_chunks_mut::<8>();
        let (ups, up_rest) = self.up.as_chunks_mut::<8>();
        let (gradients, gradient_rest) = self.gradient.as_chunks::<8>();
        for ((gate, up), gradient) in gates.iter_mut().zip(ups).zip(gradients) {
            Self::eight::<L>(gate, up, gradient);
        }
        let rest = gate_rest.len();
        let [mut gate, mut up, mut gradient] = [[0.0; 8]; 3];
        gate[..rest].copy_from_slice(gate_rest);
        up[..rest].copy_from_slice(up_rest);
        gradient[..rest].copy_from_slice(gradient_rest);
        Self::eight::<L>(&mut gate, &mut up, &gradient);
        gate_rest.copy_from_slice(&gate[..rest]);
        up_rest.copy_from_slice(&up[..rest]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range() -> Vec<f32> {
        (-4001..4000).map(|i| i as f32 * 4e-3).collect()
    }

    fn check(found: &[f32], exact: impl Fn(f64) -> f64) {
        for (x, y) in range().into_iter().zip(found) {
            let exact = exact(f64::from(x));
            assert!((f64::from(*y) - exact).abs() < 1e-6 * exact.abs() + 1e-9, "{x}: {y}, expected {exact}");
        }
    }

    #[test]
    fn silu_matches_its_definition() {
        let mut x = range();
        silu(&mut x);
        check(&x, |x| x / (1.0 + (-x).exp()));
        let (mut gated, up) = (range(), vec![2.0; x.len()]);
        silu_mul(&mut gated, &up);
        assert!(gated.iter().zip(&x).all(|(a, b)| *a == 2.0 * b));
    }

    #[test]
    fn gelu_by_tangent_matches_its_definition() {
        let exact =
            |x: f64| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh());
        let mut x = range();
        gelu_tanh(&mut x);
        for (x, y) in range().into_iter().zip(&x) {
            assert!((f64::from(*y) - exact(f64::from(x))).abs() < 1e-6 * f64::from(x.abs()).max(1.0), "{x}");
        }
        let mut gated = range();
        gelu_tanh_mul(&mut gated, &vec![-1.0; x.len()]);
        assert!(gated.iter().zip(&x).all(|(a, b)| *a == -b));
    }

    /// Φ by its series, Σ of 2ⁿ z²ⁿ⁺¹ / (2n+1)!! times e^(−z²), good to about 6.
    fn normal(x: f64) -> f64 {
        let z = x / std::f64::consts::SQRT_2;
        let (mut term, mut sum) = (z, z);
        for n in 1..300 {
            term *= 2.0 * z * z / (2 * n + 1) as f64;
            sum += term;
        }
        0.5 + sum * (-z * z).exp() / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn gelu_by_error_function_matches_its_definition() {
        let mut x = range();
        gelu_erf(&mut x);
        for (x, y) in range().into_iter().zip(&x) {
            let exact = f64::from(x) * normal(f64::from(x));
            assert!((f64::from(*y) - exact).abs() < 1e-6 * f64::from(x.abs()).clamp(0.1, 10.0), "{x}: {y} {exact}");
        }
    }

    #[test]
    fn large_values_stay_finite() {
        let mut x = [-1e30, -300.0, 300.0, 1e30];
        silu(&mut x);
        assert_eq!(x, [0.0, 0.0, 300.0, 1e30]);
        let mut x = [-1e10, 1e10];
        gelu_erf(&mut x);
        assert_eq!(x, [0.0, 1e10]);
    }
}
