//! From logits to probabilities and choices.

use super::exp::exp;
use crate::kernel::lanes::{self, Lanes, WithLanes};

/// Turns logits into probabilities in place; minus infinity gives 0. Empty input stays empty.
pub fn softmax(x: &mut [f32]) {
    let largest = max(x);
    let total = lanes::dispatch(Exponentials { x, largest, keep: true });
    x.iter_mut().for_each(|x| *x /= total);
}

/// ln Σ eˣ: a logit minus this is a log-probability. Minus infinity for empty input.
pub fn log_sum_exp(x: &[f32]) -> f32 {
    let largest = max(x);
    if largest == f32::NEG_INFINITY {
        return largest;
    }
    let mut total = 0.0_f64;
    let mut chunk = [0.0; 256];
    for part in x.chunks(chunk.len()) {
        let chunk = &mut chunk[..part.len()];
        chunk.copy_from_slice(part);
        total += f64::from(lanes::dispatch(Exponentials { x: chunk, largest, keep: false }));
    }
    largest + total.ln() as f32
}

/// e^(x − shift) in place: probabilities, if the shift is the log-sum of the logits. Gives their sum.
pub fn exp_minus(x: &mut [f32], shift: f32) -> f32 {
    lanes::dispatch(Exponentials { x, largest: shift, keep: true })
}

/// Place of the largest value, the first of equals. NaN counts as the smallest. `None` for empty input.
pub fn argmax(x: &[f32]) -> Option<usize> {
    let largest = max(x);
    x.iter().position(|x| *x == largest).or(if x.is_empty() { None } else { Some(0) })
}

/// The largest value; NaN counts as the smallest, and minus infinity stands for empty input.
pub fn max(x: &[f32]) -> f32 {
    lanes::dispatch(Max(x))
}

struct Max<'a>(&'a [f32]);

impl WithLanes for Max<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let (eights, rest) = self.0.as_chunks::<8>();
        // The new value comes first: if it is NaN, the old one stays.
        let largest = eights.iter().fold(L::splat(f32::NEG_INFINITY), |largest, x| L::load(x).max(largest));
        largest.to_array().iter().chain(rest).fold(f32::NEG_INFINITY, |a, b| a.max(*b))
    }
}

/// The sum of e^(x − largest); with `keep`, each term takes the place of its x.
struct Exponentials<'a> {
    x: &'a mut [f32],
    largest: f32,
    keep: bool,
}

impl WithLanes for Exponentials<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let largest = L::splat(self.largest);
        let mut total = L::splat(0.0);
        let (eights, rest) = self.x.as_chunks_mut::<8>();
        for eight in eights {
            let term = exp(L::load(eight).sub(largest));
            total = total.add(term);
            if self.keep {
                *eight = term.to_array();
            }
        }
        let mut last = [f32::NEG_INFINITY; 8];
        last[..rest.len()].copy_from_slice(rest);
        let term = exp(L::load(&last).sub(largest));
        if self.keep {
            rest.copy_from_slice(&term.to_array()[..rest.len()]);
        }
        total.add(term).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logits(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 % 1000) as f32 - 500.0) / 60.0).collect()
    }

    #[test]
    fn probabilities_match_the_definition() {
        for n in [1, 5, 8, 1003] {
            let x = logits(n);
            let total: f64 = x.iter().map(|x| f64::from(*x).exp()).sum();
            assert!((f64::from(log_sum_exp(&x)) - total.ln()).abs() < 1e-5);
            let mut p = x.clone();
            softmax(&mut p);
            for (x, p) in x.iter().zip(p) {
                let exact = f64::from(*x).exp() / total;
                assert!((f64::from(p) - exact).abs() < 2e-6 * exact + 1e-12);
            }
            let mut p = x.clone();
            exp_minus(&mut p, log_sum_exp(&x));
            assert!((p.iter().map(|p| f64::from(*p)).sum::<f64>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn forbidden_logits_get_no_probability() {
        let mut x = [f32::NEG_INFINITY, 1.0, f32::NEG_INFINITY, 1.0];
        softmax(&mut x);
        assert_eq!(x, [0.0, 0.5, 0.0, 0.5]);
    }

    #[test]
    fn argmax_takes_the_first_of_equals_and_passes_over_nan() {
        let mut x = logits(100);
        (x[3], x[40], x[77]) = (f32::NAN, 99.0, 99.0);
        assert_eq!(argmax(&x), Some(40));
        assert_eq!(argmax(&[f32::NAN, f32::NAN]), Some(0));
        assert_eq!(argmax(&[]), None);
    }

    #[test]
    fn nothing_at_all_has_no_mass() {
        assert_eq!(log_sum_exp(&[]), f32::NEG_INFINITY);
        softmax(&mut []);
    }
}
