//! Whether another wording of a task is better: chosen on one part of the rows, reported on the other.
//!
//! Of many wordings one does best on any rows by luck. The rows that a wording was chosen on therefore say nothing about
//! it; on the others, it counts as better only if the interval of its lead over the original leaves 0 out.

use super::verdict::{RowVerdict, f1_of};
use saydo_metrics::bootstrap::{Interval, RESAMPLES, interval_of};
use saydo_random::SplitMix64;
use saydo_task::AnswerKind;

/// Rows in two parts, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// A wording is chosen on these.
    pub choose: Vec<usize>,
    /// It is reported on these.
    pub report: Vec<usize>,
}

impl Parts {
    /// Half of the rows each, drawn by a seed; of an odd number the larger part is reported on.
    pub fn drawn(rows: usize, seed: u64) -> Self {
        let mut order: Vec<usize> = (0..rows).collect();
        let mut random = SplitMix64::seeded(seed);
        for last in (1..rows).rev() {
            order.swap(last, random.below_exactly(last + 1));
        }
        let mut report = order.split_off(rows / 2);
        order.sort_unstable();
        report.sort_unstable();
        Self { choose: order, report }
    }
}

/// The F1 of one wording minus that of another on the same rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lead {
    /// The difference, as a fraction.
    pub f1: f64,
    /// Its 95% interval over other samples of documents.
    pub interval: Interval,
}

impl Lead {
    /// The lead of `one` over `other`, whose rows are those of the same documents; none without rows.
    pub fn of(kind: &AnswerKind, one: &[RowVerdict], other: &[RowVerdict], seed: u64) -> Option<Self> {
        let difference = |drawn: &[usize]| f1_of(kind, one, drawn) - f1_of(kind, other, drawn);
        let every: Vec<usize> = (0..one.len().min(other.len())).collect();
        let interval = interval_of(every.len(), RESAMPLES, seed, difference)?;
        Some(Self { f1: difference(&every), interval })
    }

    /// Whether the lead is no matter of luck: its interval lies above 0.
    pub fn is_significant(&self) -> bool {
        self.interval.low > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labelled::row_verdict;

    #[test]
    fn every_row_is_in_one_part_and_the_seed_gives_the_parts() {
        let parts = Parts::drawn(9, 1);
        assert_eq!((parts.choose.len(), parts.report.len()), (4, 5));
        let mut all = [&parts.choose[..], &parts.report].concat();
        all.sort_unstable();
        assert_eq!(all, (0..9).collect::<Vec<_>>());
        assert_eq!(parts, Parts::drawn(9, 1));
        assert_ne!(parts, Parts::drawn(9, 2));
        assert_eq!(Parts::drawn(0, 0), Parts { choose: Vec::new(), report: Vec::new() });
    }

    fn rows(right: impl Iterator<Item = bool>) -> Vec<RowVerdict> {
        let gold = ["yes".to_owned()];
        right.map(|right| row_verdict(&AnswerKind::YesNo, &gold, Some(if right { "yes" } else { "no" }))).collect()
    }

    #[test]
    fn a_lead_counts_only_where_it_is_no_matter_of_luck() {
        let lead = |one: &[RowVerdict], other: &[RowVerdict]| Lead::of(&AnswerKind::YesNo, one, other, 0).unwrap();
        let (all, none) = (rows((0..30).map(|_| true)), rows((0..30).map(|_| false)));
        assert!(lead(&all, &none).is_significant());
        assert!(!lead(&none, &all).is_significant());
        let (most, one_more) = (rows((0..30).map(|row| row % 3 > 0)), rows((0..30).map(|row| row % 3 > 0 || row == 0)));
        let small = lead(&one_more, &most);
        assert!(small.f1 > 0.0 && !small.is_significant(), "{small:?}");
        assert_eq!(lead(&most, &most).f1, 0.0);
        assert_eq!(Lead::of(&AnswerKind::YesNo, &[], &[], 0), None);
    }
}
