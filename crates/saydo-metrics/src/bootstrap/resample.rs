//! Resampling means at a bounded cost.

use crate::mean::numpy_sum;
use saydo_random::SplitMix64;

/// More items than this are resampled in groups.
const MAX_GROUPS: usize = 10_000;

/// The items to resample: single values, or random groups of them once there are many.
///
/// Groups are drawn from shuffled values: in file order neighbors tend to be alike, which would distort the interval.
pub(super) struct Groups {
    sums: Vec<f64>,
    sizes: Vec<usize>,
}

impl Groups {
    pub(super) fn of(values: &[f64], random: &mut SplitMix64) -> Self {
        if values.len() <= MAX_GROUPS {
            return Self { sums: values.to_vec(), sizes: vec![1; values.len()] };
        }
        let mut shuffled = values.to_vec();
        for end in (1..shuffled.len()).rev() {
            shuffled.swap(end, random.below(end + 1));
        }
        let bounds = |group: usize| group * shuffled.len() / MAX_GROUPS..(group + 1) * shuffled.len() / MAX_GROUPS;
        let groups = || (0..MAX_GROUPS).map(|group| &shuffled[bounds(group)]);
        Self { sums: groups().map(numpy_sum).collect(), sizes: groups().map(<[f64]>::len).collect() }
    }

    /// The mean of each of a number of resamples; none if there is nothing to draw from.
    pub(super) fn resampled_means(&self, resamples: usize, random: &mut SplitMix64) -> Vec<f64> {
        if self.sums.is_empty() {
            return Vec::new();
        }
        let mut drawn = vec![0.0; self.sums.len()];
        let mut resampled_mean = || {
            let mut size = 0;
            drawn.fill_with(|| {
                let group = random.below(self.sums.len());
                size += self.sizes[group];
                self.sums[group]
            });
            numpy_sum(&drawn) / size as f64
        };
        (0..resamples).map(|_| resampled_mean()).collect()
    }

    /// The total with the sign of each group left or turned at random, a number of times.
    pub(super) fn flipped_totals(&self, flips: usize, random: &mut SplitMix64) -> Vec<f64> {
        let mut flipped = vec![0.0; self.sums.len()];
        let mut flipped_total = || {
            for (to, from) in flipped.chunks_mut(64).zip(self.sums.chunks(64)) {
                let signs = random.word();
                for (i, (to, from)) in to.iter_mut().zip(from).enumerate() {
                    *to = if signs >> i & 1 == 1 { -from } else { *from };
                }
            }
            numpy_sum(&flipped)
        };
        (0..flips).map(|_| flipped_total()).collect()
    }

    pub(super) fn total(&self) -> f64 {
        numpy_sum(&self.sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_become_ten_thousand_groups_that_hold_them_all() {
        let values: Vec<f64> = (0..25_003).map(f64::from).collect();
        let groups = Groups::of(&values, &mut SplitMix64::seeded(0));
        assert_eq!(groups.sums.len(), MAX_GROUPS);
        assert_eq!(groups.sizes.iter().sum::<usize>(), values.len());
        assert!(groups.sizes.iter().all(|size| (2..=3).contains(size)));
        assert_eq!(groups.total(), numpy_sum(&values));
    }

    #[test]
    fn few_values_stay_single_and_in_order() {
        let groups = Groups::of(&[3.0, 1.0], &mut SplitMix64::seeded(0));
        assert_eq!((groups.sums, groups.sizes), (vec![3.0, 1.0], vec![1, 1]));
    }
}
