//! Sums and means of scores, in the order of the programs they are compared with.
//!
//! Floating-point addition depends on its order, and thresholds such as "at least 0.90" can turn on the last bit. The
//! reference scorers average with numpy, which adds pairwise, or with a plain loop.

const LANES: usize = 8;
const LEAF: usize = 128;

/// The arithmetic mean with the rounding of `numpy.mean`, or `None` for no values.
///
/// ```
/// use saydo_metrics::mean::numpy_mean;
///
/// assert_eq!(numpy_mean(&[0.5, 1.0]), Some(0.75));
/// assert_eq!(numpy_mean(&[]), None);
/// ```
pub fn numpy_mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| numpy_sum(values) / values.len() as f64)
}

/// The sum in the order of `numpy.sum` over a contiguous array; 0 for no values.
///
/// Up to 128 values are added in eight interleaved lanes; longer arrays are halved at a multiple of eight.
///
/// ```
/// use saydo_metrics::mean::{numpy_sum, sequential_sum};
///
/// let tenths = [0.1; 10];
/// assert_eq!(numpy_sum(&tenths), 1.0);
/// assert_eq!(sequential_sum(&tenths), 0.9999999999999999);
/// ```
pub fn numpy_sum(values: &[f64]) -> f64 {
    match values.len() {
        ..LANES => sequential_sum(values),
        LANES..=LEAF => lane_sum(values),
        n => {
            let (left, right) = values.split_at(n / 2 / LANES * LANES);
            numpy_sum(left) + numpy_sum(right)
        }
    }
}

/// The sum from left to right, as `sum` in Python 3.11 or a plain loop; 0 for no values.
///
/// ```
/// assert_eq!(saydo_metrics::mean::sequential_sum(&[0.25, 0.5]), 0.75);
/// ```
pub fn sequential_sum(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value)
}

fn lane_sum(values: &[f64]) -> f64 {
    let (blocks, tail) = values.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for block in blocks {
        for (lane, value) in lanes.iter_mut().zip(block) {
            *lane += value;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    tail.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values whose sum depends on the order of addition.
    fn uneven(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7919 + 13) % 1009) as f64 / 1009.0 * [0.01, 0.1, 1.0, 10.0, 100.0][i % 5]).collect()
    }

    #[test]
    fn sums_equal_those_numpy_gives_at_every_change_of_order() {
        // Printed by numpy 2.4 for the same values.
        let cases: [(usize, f64); 13] = [
            (1, 0.0001288404360753221),
            (7, 47.02279484638255),
            (8, 47.97423191278493),
            (9, 55.97224975222993),
            (64, 652.5700991080278),
            (127, 1309.2454311199206),
            (128, 1310.0006342913775),
            (129, 1316.0363131813679),
            (136, 1440.0794251734392),
            (200, 2210.1423092170467),
            (257, 2691.998860257681),
            (300, 3279.7697621407333),
            (1000, 10966.822834489594),
        ];
        for (n, sum) in cases {
            assert_eq!(numpy_sum(&uneven(n)), sum, "{n} values");
        }
    }

    #[test]
    fn an_empty_sum_is_zero_and_has_no_mean() {
        assert_eq!(numpy_sum(&[]), 0.0);
        assert_eq!(numpy_mean(&[]), None);
    }

    proptest! {
        #[test]
        fn both_orders_agree_up_to_rounding(values in prop::collection::vec(0.0..1.0, 0..600)) {
            prop_assert!((numpy_sum(&values) - sequential_sum(&values)).abs() < 1e-9);
        }
    }
}
