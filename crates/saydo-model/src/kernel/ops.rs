//! The small operations between matrix products, over slices.

mod copy;
pub(super) mod exp;
mod gate;
mod norm;
mod rope;
mod softmax;

pub use copy::copy;
pub use gate::{gelu_erf, gelu_tanh, gelu_tanh_mul, silu, silu_mul, silu_mul_back};
pub use norm::{layer_norm, rms_norm, rms_norm_back};
pub use rope::{RopeOrder, RopeTable, rope_frequencies};
pub use softmax::{argmax, exp_minus, log_sum_exp, max, softmax};

/// Adds `other` to `x`, value by value. Panics if the lengths differ.
pub fn add(x: &mut [f32], other: &[f32]) {
    assert_eq!(x.len(), other.len(), "vectors to add have different lengths");
    x.iter_mut().zip(other).for_each(|(x, other)| *x += other);
}

/// Adds `bias` to each row of `x`. Panics if the rows are not as long as the bias.
pub fn add_to_rows(x: &mut [f32], bias: &[f32]) {
    assert!(!bias.is_empty() && x.len().is_multiple_of(bias.len()), "rows are not as long as the bias");
    x.chunks_exact_mut(bias.len()).for_each(|row| add(row, bias));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_is_by_value_and_by_row() {
        let mut x = [1.0, 2.0, 3.0, 4.0];
        add(&mut x, &[1.0, 0.0, 0.0, -1.0]);
        add_to_rows(&mut x, &[10.0, 20.0]);
        assert_eq!(x, [12.0, 22.0, 13.0, 23.0]);
    }
}
