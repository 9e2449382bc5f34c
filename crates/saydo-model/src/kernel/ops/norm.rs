//! Normalization of rows.

use crate::kernel::lanes::{self, Lanes, WithLanes};

/// Divides each row by its root mean square and multiplies by the weights: out = x / √(mean(x²) + eps) × weight. Rows
/// are as long as the weights. Panics if the sizes do not agree.
pub fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    check(x, weight, out);
    for (x, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
        lanes::dispatch(Normalize { x, mean: 0.0, weight, bias: None, eps, out });
    }
}

/// The backward step of [`rms_norm`]: `gradient` is that of its result and becomes that of x. With n = x × scale and
/// g = gradient × weight, that is scale × (g − n × mean(g n)). Panics if the sizes do not agree.
pub fn rms_norm_back(x: &[f32], weight: &[f32], eps: f32, gradient: &mut [f32]) {
    check(x, weight, gradient);
    for (x, gradient) in x.chunks_exact(weight.len()).zip(gradient.chunks_exact_mut(weight.len())) {
        gradient.iter_mut().zip(weight).for_each(|(gradient, weight)| *gradient *= weight);
        let mean = |values: &[f32]| lanes::dispatch(Product(x, values)) / x.len() as f32;
        let scale = 1.0 / (mean(x) + eps).sqrt();
        let along = mean(gradient) * scale * scale;
        gradient.iter_mut().zip(x).for_each(|(gradient, x)| *gradient = scale * (*gradient - x * along));
    }
}

/// Shifts each row to mean 0 and divides it by its deviation, then multiplies by the weights and adds the bias. Rows
/// are as long as the weights. Panics if the sizes do not agree.
pub fn layer_norm(x: &[f32], weight: &[f32], bias: &[f32], eps: f32, out: &mut [f32]) {
    check(x, weight, out);
    assert_eq!(weight.len(), bias.len(), "weights and bias have different lengths");
    for (x, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
        let mean = lanes::dispatch(Sum(x)) / x.len() as f32;
        lanes::dispatch(Normalize { x, mean, weight, bias: Some(bias), eps, out });
    }
}

fn check(x: &[f32], weight: &[f32], out: &[f32]) {
    assert!(!weight.is_empty() && x.len().is_multiple_of(weight.len()), "rows are not as long as the weights");
    assert_eq!(x.len(), out.len(), "input and output have different lengths");
}

struct Sum<'a>(&'a [f32]);

impl WithLanes for Sum<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let (eights, rest) = self.0.as_chunks::<8>();
        let sum = eights.iter().fold(L::splat(0.0), |sum, x| sum.add(L::load(x)));
        rest.iter().fold(sum.sum(), |sum, x| sum + x)
    }
}

/// Σ a b.
struct Product<'a>(&'a [f32], &'a [f32]);

impl WithLanes for Product<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let ((a, a_rest), (b, b_rest)) = (self.0.as_chunks::<8>(), self.1.as_chunks::<8>());
        let sum = a.iter().zip(b).fold(L::splat(0.0), |sum, (a, b)| L::load(a).mul_add(L::load(b), sum));
        a_rest.iter().zip(b_rest).fold(sum.sum(), |sum, (a, b)| sum + a * b)
    }
}

/// out = (x − mean) / √(mean((x − mean)²) + eps) × weight + bias.
struct Normalize<'a> {
    x: &'a [f32],
    mean: f32,
    weight: &'a [f32],
    bias: Option<&'a [f32]>,
    eps: f32,
    out: &'a mut [f32],
}

impl WithLanes for Normalize<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mean = L::splat(self.mean);
        let (eights, rest) = self.x.as_chunks::<8>();
        let squares = eights.iter().fold(L::splat(0.0), |sum, x| {
            let x = L::load(x).sub(mean);
            x.mul_add(x, sum)
        });
        let squares = rest.iter().fold(squares.sum(), |sum, x| (x - self.mean).mul_add(x - self.mean, sum));
        let factor = 1.0 / (squares / self.x.len() as f32 + self.eps).sqrt();
        let scaled = L::splat(factor);
        let (out, out_rest) = self.out.as_chunks_mut::<8>();
        for ((x, weight), out) in eights.iter().zip(self.weight.as_chunks::<8>().0).zip(out) {
            *out = L::load(x).sub(mean).mul(scaled).mul(L::load(weight)).to_array();
        }
        for ((x, weight), out) in rest.iter().zip(self.weight.as_chunks::<8>().1).zip(out_rest) {
            *out = (x - self.mean) * factor * weight;
        }
        if let Some(bias) = self.bias {
            super::add(self.out, bias);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 31 % 17) as f32 - 6.0) / 3.0).collect()
    }

    #[test]
    fn rms_norm_matches_its_definition() {
        for n in [1, 7, 8, 576, 579] {
            let (x, weight) = (row(2 * n), row(n));
            let mut out = vec![0.0; 2 * n];
            rms_norm(&x, &weight, 1e-5, &mut out);
            for (x, out) in x.chunks(n).zip(out.chunks(n)) {
                let mean = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / n as f64;
                for ((x, w), y) in x.iter().zip(&weight).zip(out) {
                    let exact = f64::from(*x) / (mean + 1e-5).sqrt() * f64::from(*w);
                    assert!((f64::from(*y) - exact).abs() < 1e-5 * (1.0 + exact.abs()));
                }
            }
        }
    }

    #[test]
    fn layer_norm_matches_its_definition() {
        let (n, x) = (77, row(77));
        let (weight, bias) = (row(n), vec![0.25; n]);
        let mut out = vec![0.0; n];
        layer_norm(&x, &weight, &bias, 1e-5, &mut out);
        let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / n as f64;
        let variance = x.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n as f64;
        for ((x, w), y) in x.iter().zip(&weight).zip(out) {
            let exact = (f64::from(*x) - mean) / (variance + 1e-5).sqrt() * f64::from(*w) + 0.25;
            assert!((f64::from(y) - exact).abs() < 1e-5);
        }
    }
}
