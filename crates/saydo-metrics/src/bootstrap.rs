//! How far a score can be trusted: intervals by resampling (Efron and Tibshirani, 1993).
//!
//! A resample draws as many items as there are, with replacement; the spread of the statistic over many resamples stands
//! for its spread over other test sets. The seed fixes the result for good: the generator is part of this crate.

mod paired;
mod resample;
mod unpaired;

pub use paired::{PairedDifference, paired_difference};
pub use unpaired::{UnpairedDifference, groups_p_value, unpaired_difference};

use resample::Groups;
use saydo_random::SplitMix64;

/// The number of resamples behind [`mean_interval`] and [`paired_difference`].
pub const RESAMPLES: usize = 1000;

/// The ends of a 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The 2.5th percentile.
    pub low: f64,
    /// The 97.5th percentile.
    pub high: f64,
}

/// The 95% interval of the mean of `values`, or `None` for no values.
///
/// A share is the mean of zeros and ones. One value, or values that are all the same, give an interval of no width:
/// resampling cannot see what it has no sample of. More than 10,000 values are first shuffled into 10,000 groups, and
/// groups are resampled, which leaves the width as it is and bounds the work.
///
/// ```
/// use saydo_metrics::bootstrap::mean_interval;
///
/// let scores = [1.0, 0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 1.0];
/// let interval = mean_interval(&scores, 0).expect("there are scores");
/// assert!(interval.low < 0.6875 && 0.6875 < interval.high);
/// assert_eq!(mean_interval(&[], 0), None);
/// ```
pub fn mean_interval(values: &[f64], seed: u64) -> Option<Interval> {
    let mut random = SplitMix64::seeded(seed);
    percentiles(Groups::of(values, &mut random).resampled_means(RESAMPLES, &mut random))
}

/// The 95% interval of any statistic of `n` items, or `None` for no items or no resamples.
///
/// The statistic is called once per resample with the `n` indices drawn, each below `n`. The work is `n` times
/// `resamples`; the caller decides how much of it is worth while.
///
/// ```
/// use saydo_metrics::bootstrap::interval_of;
///
/// let tasks = [0.9, 0.95, 0.4, 0.8];
/// let competent = |drawn: &[usize]| drawn.iter().filter(|&&i| tasks[i] >= 0.9).count() as f64 / drawn.len() as f64;
/// let interval = interval_of(tasks.len(), 1000, 0, competent).expect("there are tasks");
/// assert_eq!((interval.low, interval.high), (0.0, 1.0));
/// ```
pub fn interval_of(
    n: usize,
    resamples: usize,
    seed: u64,
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let mut random = SplitMix64::seeded(seed);
    let mut drawn = vec![0; n];
    let mut draw = || {
        drawn.fill_with(|| random.below(n));
        statistic(&drawn)
    };
    percentiles((0..resamples).map(|_| draw()).collect())
}

/// The 2.5th and 97.5th percentiles.
fn percentiles(mut statistics: Vec<f64>) -> Option<Interval> {
    statistics.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&statistics, 0.025)?, high: quantile(&statistics, 0.975)? })
}

/// The quantile of sorted values, interpolated between neighbors.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * position.fract())
}

#[cfg(test)]
mod tests;
