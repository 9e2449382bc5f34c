//! Quartiles and median of a sample, interpolated between neighbors.

/// The values that cut a sample into quarters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// A quarter lies below.
    pub first: f64,
    /// Half lies below.
    pub median: f64,
    /// Three quarters lie below.
    pub third: f64,
}

/// The quartiles of values in any order; `None` for no values.
///
/// ```
/// use saydo_metrics::quartile::quartiles;
///
/// let found = quartiles(&[4.0, 1.0, 3.0, 2.0]).expect("there are values");
/// assert_eq!((found.first, found.median, found.third), (1.75, 2.5, 3.25));
/// assert_eq!(quartiles(&[]), None);
/// ```
pub fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share| crate::bootstrap::quantile(&sorted, share);
    Some(Quartiles { first: at(0.25)?, median: at(0.5)?, third: at(0.75)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_value_is_all_three() {
        assert_eq!(quartiles(&[7.0]), Some(Quartiles { first: 7.0, median: 7.0, third: 7.0 }));
    }

    proptest! {
        #[test]
        fn they_rise_and_lie_within_the_sample(values in prop::collection::vec(-9.0..9.0, 1..30)) {
            let found = quartiles(&values).expect("not empty");
            prop_assert!(found.first <= found.median && found.median <= found.third);
            prop_assert!(values.iter().any(|x| *x <= found.first) && values.iter().any(|x| *x >= found.third));
        }
    }
}
