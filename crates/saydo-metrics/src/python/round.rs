//! Rounding to two decimals the way numpy does it, which some reference scorers apply to every item.

/// `numpy.round(value, 2)`: scale by 100, round half to even, scale back.
///
/// The tie is decided on the floating-point product, so this is not decimal rounding of the value itself. Only a
/// protocol whose reference rounds should call it.
///
/// ```
/// use saydo_metrics::python::round2;
///
/// assert_eq!(round2(0.015), 0.02);
/// assert_eq!(round2(0.025), 0.02);
/// ```
pub fn round2(value: f64) -> f64 {
    (value * 100.0).round_ties_even() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_those_of_the_scaled_product() {
        // 0.155 lies below its decimal text, but times 100 it is 15.5, and the even neighbor is 16.
        let cases = [(0.155, 0.16), (0.145, 0.14), (0.285, 0.28), (2.0 / 3.0, 0.67), (1.0, 1.0), (-0.015, -0.02)];
        for (value, rounded) in cases {
            assert_eq!(round2(value), rounded, "{value}");
        }
        assert!(round2(f64::NAN).is_nan());
    }
}
