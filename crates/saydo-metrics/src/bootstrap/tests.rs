//! Intervals against theory, and what holds for any values.

use super::*;
use proptest::prelude::*;

#[test]
fn one_value_or_equal_values_give_no_width() {
    assert_eq!(mean_interval(&[0.3], 5), Some(Interval { low: 0.3, high: 0.3 }));
    let tenths = [0.1; 37];
    let mean = crate::mean::numpy_mean(&tenths).expect("not empty");
    assert_eq!(mean_interval(&tenths, 5), Some(Interval { low: mean, high: mean }));
}

#[test]
fn nothing_to_draw_from_gives_no_interval() {
    assert_eq!(mean_interval(&[], 0), None);
    assert_eq!(interval_of(0, 1000, 0, |_| 1.0), None);
    assert_eq!(interval_of(3, 0, 0, |_| 1.0), None);
}

/// Half zeros, half ones: the mean is 0.5 and its standard error half over the root of n.
fn assert_width_of_a_fair_coin(n: usize) {
    let flips: Vec<f64> = (0..n).map(|i| (i % 2) as f64).collect();
    let interval = mean_interval(&flips, 11).expect("not empty");
    let expected = 1.96 * 0.5 / (n as f64).sqrt();
    for half in [0.5 - interval.low, interval.high - 0.5] {
        assert!((half / expected - 1.0).abs() < 0.15, "{n}: {half} against {expected}");
    }
}

#[test]
fn the_width_is_that_of_the_normal_approximation() {
    assert_width_of_a_fair_coin(400);
    assert_width_of_a_fair_coin(2500);
}

#[test]
fn grouping_many_values_leaves_the_width_as_it_is() {
    assert_width_of_a_fair_coin(200_000);
}

#[test]
fn sorted_values_get_the_same_width_as_mixed_ones() {
    let sorted: Vec<f64> = (0..40_000).map(|i| f64::from(u8::from(i >= 20_000))).collect();
    let interval = mean_interval(&sorted, 3).expect("not empty");
    let expected = 1.96 * 0.5 / 200.0;
    assert!(((interval.high - interval.low) / (2.0 * expected) - 1.0).abs() < 0.15, "{interval:?}");
}

#[test]
fn a_seed_gives_the_same_interval_for_good() {
    let values = [0.0, 0.21, 0.52, 0.83, 1.0, 0.97, 0.44];
    assert_eq!(mean_interval(&values, 42), Some(Interval { low: 0.29000000000000004, high: 0.8200714285714285 }));
}

#[test]
fn the_general_form_agrees_with_the_mean() {
    let values = [0.1, 0.9, 0.4, 0.4, 0.7, 1.0];
    let mean = |drawn: &[usize]| drawn.iter().map(|&i| values[i]).sum::<f64>() / drawn.len() as f64;
    let (general, direct) = (interval_of(values.len(), RESAMPLES, 9, mean), mean_interval(&values, 9));
    let (general, direct) = (general.expect("not empty"), direct.expect("not empty"));
    assert!((general.low - direct.low).abs() < 1e-12 && (general.high - direct.high).abs() < 1e-12);
}

proptest! {
    #[test]
    fn ends_are_in_order_and_within_the_values(values in prop::collection::vec(0.0..1.0, 1..30), seed in any::<u64>()) {
        let interval = mean_interval(&values, seed).expect("not empty");
        let (min, max) = values.iter().fold((1.0_f64, 0.0_f64), |(min, max), &v| (min.min(v), max.max(v)));
        prop_assert!(min - 1e-12 <= interval.low && interval.low <= interval.high && interval.high <= max + 1e-12);
    }

    #[test]
    fn any_values_are_answered(values in prop::collection::vec(any::<f64>(), 0..5)) {
        prop_assert_eq!(mean_interval(&values, 0).is_some(), !values.is_empty());
    }
}
