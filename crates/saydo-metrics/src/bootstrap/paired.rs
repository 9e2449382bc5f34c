//! Whether one system beats another on the same items.

use super::{Interval, RESAMPLES, percentiles, resample::Groups};
use crate::mean::numpy_mean;
use saydo_random::SplitMix64;

/// The mean difference between two systems on the same items, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// Mean of left minus right.
    pub mean: f64,
    /// 95% interval of the mean difference, by paired bootstrap.
    pub interval: Interval,
    /// Two-sided p-value: how often a difference at least this large comes up when the two scores of each item are
    /// swapped at random. Never 0; the least value is one over one more than [`RESAMPLES`].
    pub p_value: f64,
}

/// Compares two score lists item by item; `None` if they are empty or differ in length.
///
/// The p-value comes from a randomization test rather than from the bootstrap, because it stays honest on few items:
/// one item can never tell two systems apart, whatever its scores.
///
/// ```
/// use saydo_metrics::bootstrap::paired_difference;
///
/// let (left, right) = ([1.0, 0.8, 0.9, 1.0, 0.7, 0.9, 1.0, 0.6], [0.4, 0.5, 0.3, 0.6, 0.5, 0.2, 0.9, 0.1]);
/// let difference = paired_difference(&left, &right, 0).expect("the lists have the same length");
/// assert!(difference.interval.low > 0.0 && difference.p_value < 0.05);
/// ```
pub fn paired_difference(left: &[f64], right: &[f64], seed: u64) -> Option<PairedDifference> {
    if left.len() != right.len() {
        return None;
    }
    let differences: Vec<f64> = left.iter().zip(right).map(|(left, right)| left - right).collect();
    let mut random = SplitMix64::seeded(seed);
    let groups = Groups::of(&differences, &mut random);
    Some(PairedDifference {
        mean: numpy_mean(&differences)?,
        interval: percentiles(groups.resampled_means(RESAMPLES, &mut random))?,
        p_value: p_value(&groups, &mut random),
    })
}

/// The share of random sign patterns that give a total as far from 0 as the real one, itself counted in.
fn p_value(groups: &Groups, random: &mut SplitMix64) -> f64 {
    // Totals equal but for rounding are equal.
    let reach = groups.total().abs() * (1.0 - 1e-9);
    let extreme = groups.flipped_totals(RESAMPLES, random).iter().filter(|total| total.abs() >= reach).count();
    (extreme + 1) as f64 / (RESAMPLES + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_systems_do_not_differ() {
        let scores = [0.2, 0.9, 0.4];
        let difference = paired_difference(&scores, &scores, 7).expect("not empty");
        assert_eq!(
            difference,
            PairedDifference { mean: 0.0, interval: Interval { low: 0.0, high: 0.0 }, p_value: 1.0 }
        );
    }

    #[test]
    fn one_item_proves_nothing() {
        let difference = paired_difference(&[1.0], &[0.25], 0).expect("not empty");
        assert_eq!((difference.mean, difference.p_value), (0.75, 1.0));
    }

    #[test]
    fn a_steady_lead_is_significant_and_noise_is_not() {
        let right: Vec<f64> = (0..60).map(|i| f64::from(i % 7) / 10.0).collect();
        let ahead: Vec<f64> = right.iter().map(|score| score + 0.2).collect();
        let noisy: Vec<f64> = right.iter().zip(0..).map(|(score, i)| score + f64::from(i % 2) * 0.2 - 0.1).collect();
        let lead = paired_difference(&ahead, &right, 1).expect("not empty");
        assert_eq!(lead.p_value, 1.0 / 1001.0);
        let even = paired_difference(&noisy, &right, 1).expect("not empty");
        assert!(even.p_value > 0.5 && even.interval.low < 0.0 && even.interval.high > 0.0, "{even:?}");
    }

    #[test]
    fn lists_that_cannot_be_paired_have_no_difference() {
        assert_eq!(paired_difference(&[], &[], 0), None);
        assert_eq!(paired_difference(&[1.0], &[1.0, 0.0], 0), None);
    }

    proptest! {
        #[test]
        fn swapping_the_systems_turns_the_sign(scores in prop::collection::vec((0.0..1.0, 0.0..1.0), 1..20)) {
            let (left, right): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
            let one = paired_difference(&left, &right, 3).expect("not empty");
            let other = paired_difference(&right, &left, 3).expect("not empty");
            prop_assert_eq!(one.mean, -other.mean);
            prop_assert_eq!(one.p_value, other.p_value);
            prop_assert!((one.interval.low + other.interval.high).abs() < 1e-12);
        }
    }
}
