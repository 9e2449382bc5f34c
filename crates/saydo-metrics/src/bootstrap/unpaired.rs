//! Whether groups of different items differ: two of them, or any number at once.
//!
//! Both tests are randomization tests: items are dealt out anew among the groups, and the p-value says how often the groups
//! are then at least as far apart. They assume nothing of the values and stay honest on few items.

use super::{Interval, RESAMPLES, percentiles};
use crate::mean::numpy_mean;
use saydo_random::SplitMix64;

/// Totals equal but for rounding are equal.
const ROUNDING: f64 = 1e-9;

/// The difference of two groups' means, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnpairedDifference {
    /// Mean of left minus mean of right.
    pub mean: f64,
    /// Its 95% interval: each group is resampled by itself.
    pub interval: Interval,
    /// Two-sided p-value. Never 0; the least value is one over one more than [`RESAMPLES`].
    pub p_value: f64,
}

/// Compares two groups of different items; `None` if one is empty.
///
/// ```
/// use saydo_metrics::bootstrap::unpaired_difference;
///
/// let difference = unpaired_difference(&[1.0; 12], &[0.0; 15], 0).expect("neither is empty");
/// assert!(difference.mean == 1.0 && difference.p_value < 0.05);
/// assert_eq!(unpaired_difference(&[1.0], &[], 0), None);
/// ```
pub fn unpaired_difference(left: &[f64], right: &[f64], seed: u64) -> Option<UnpairedDifference> {
    let mean = numpy_mean(left)? - numpy_mean(right)?;
    let mut random = SplitMix64::seeded(seed);
    let mut resampled = || drawn_mean(left, &mut random) - drawn_mean(right, &mut random);
    let interval = percentiles((0..RESAMPLES).map(|_| resampled()).collect())?;
    let mut all = [left, right].concat();
    let apart = |all: &[f64]| {
        let (left, right) = all.split_at(left.len());
        (plain_mean(left) - plain_mean(right)).abs()
    };
    let p_value = p_value(&mut all, apart, &mut random);
    Some(UnpairedDifference { mean, interval, p_value })
}

/// The p-value of all groups having one mean; `None` for fewer than two groups that hold something.
///
/// The statistic is the spread of the groups' means, each weighted by its size: that of an analysis of variance.
///
/// ```
/// use saydo_metrics::bootstrap::groups_p_value;
///
/// assert!(groups_p_value(&[vec![1.0; 9], vec![0.0; 9], vec![0.5; 9]], 0).is_some_and(|p| p < 0.05));
/// assert_eq!(groups_p_value(&[vec![0.5; 4], vec![0.5; 3]], 0), Some(1.0));
/// assert_eq!(groups_p_value(&[vec![0.5; 4]], 0), None);
/// ```
pub fn groups_p_value(groups: &[Vec<f64>], seed: u64) -> Option<f64> {
    let sizes: Vec<usize> = groups.iter().map(Vec::len).filter(|size| *size > 0).collect();
    if sizes.len() < 2 {
        return None;
    }
    let mut all = groups.concat();
    let mean = plain_mean(&all);
    let spread = |all: &[f64]| {
        let mut rest = all;
        let mut sum = 0.0;
        for size in &sizes {
            let (own, others) = rest.split_at(*size);
            rest = others;
            sum += *size as f64 * (plain_mean(own) - mean).powi(2);
        }
        sum
    };
    Some(p_value(&mut all, spread, &mut SplitMix64::seeded(seed)))
}

/// How often a statistic of shuffled values is at least that of the values as they are, which itself counts.
fn p_value(all: &mut [f64], statistic: impl Fn(&[f64]) -> f64, random: &mut SplitMix64) -> f64 {
    let reach = statistic(all) * (1.0 - ROUNDING) - ROUNDING * ROUNDING;
    let mut extreme = 0;
    for _ in 0..RESAMPLES {
        for end in (1..all.len()).rev() {
            all.swap(end, random.below(end + 1));
        }
        extreme += usize::from(statistic(all) >= reach);
    }
    (extreme + 1) as f64 / (RESAMPLES + 1) as f64
}

fn drawn_mean(values: &[f64], random: &mut SplitMix64) -> f64 {
    (0..values.len()).map(|_| values[random.below(values.len())]).sum::<f64>() / values.len() as f64
}

fn plain_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groups_do_not_differ() {
        let found = unpaired_difference(&[0.5; 5], &[0.5; 9], 3).expect("neither is empty");
        assert_eq!((found.mean, found.interval.low, found.interval.high, found.p_value), (0.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn one_item_against_one_proves_nothing() {
        let found = unpaired_difference(&[1.0], &[0.0], 0).expect("neither is empty");
        assert_eq!((found.mean, found.p_value), (1.0, 1.0));
    }

    #[test]
    fn a_group_that_stands_out_is_found_and_noise_is_not() {
        let share = |right: usize, of: usize| (0..of).map(|i| f64::from(u8::from(i < right))).collect::<Vec<f64>>();
        let apart = groups_p_value(&[share(1, 40), share(20, 40), share(2, 40)], 0).expect("three groups");
        let alike = groups_p_value(&[share(5, 40), share(6, 40), share(5, 40)], 0).expect("three groups");
        assert!(apart < 0.01 && alike > 0.5, "{apart} {alike}");
    }
}
