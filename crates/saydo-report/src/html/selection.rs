//! Which samples a page holds: all of them, or, of very large runs, some that are spread evenly.

use super::data::texts_of;
use super::strings::Strings;
use crate::Report;
use saydo_protocol::compare::pairs;

/// About what the numbers of a sample take.
const ROW_BYTES: usize = 64;

/// The chosen samples.
#[derive(Debug, PartialEq)]
pub(super) struct Selection {
    /// Of each run, its samples by their places in the plan.
    pub samples: Vec<Vec<usize>>,
    /// Of two runs, which of the chosen samples of the first belongs to which of the second.
    pub pairs: Vec<(usize, usize)>,
}

/// Samples that are chosen together: the run and the place of each.
type Unit = Vec<(usize, usize)>;

impl Selection {
    /// A limited number of samples and of bytes of text. A pair of samples is chosen whole or not at all.
    pub fn new(report: &Report, most_samples: usize, most_bytes: usize) -> Self {
        let pairs = match report.runs.as_slice() {
            [a, b] if !report.comparison.is_empty() => pairs(&a.opened, &b.opened),
            _ => Vec::new(),
        };
        let units = units(report, &pairs);
        let samples: usize = units.iter().map(Vec::len).sum();
        let mut keep = if samples <= most_samples { units.len() } else { units.len() * most_samples / samples };
        loop {
            let chosen = Self::of(report, &units, keep, &pairs);
            if keep <= 1 || chosen.bytes(report) <= most_bytes {
                return chosen;
            }
            keep = keep * 3 / 4;
        }
    }

    /// How many samples are chosen.
    pub fn count(&self) -> usize {
        self.samples.iter().map(Vec::len).sum()
    }

    fn of(report: &Report, units: &[Unit], keep: usize, pairs: &[(usize, usize)]) -> Self {
        let mut samples = vec![Vec::new(); report.runs.len()];
        for number in 0..keep {
            for (run, sample) in &units[number * units.len() / keep] {
                samples[*run].push(*sample);
            }
        }
        for samples in &mut samples {
            samples.sort_unstable();
            samples.dedup();
        }
        let find = |run: usize, sample: usize| {
            samples.get(run).and_then(|samples: &Vec<usize>| samples.binary_search(&sample).ok())
        };
        let pairs = pairs.iter().filter_map(|(a, b)| Some((find(0, *a)?, find(1, *b)?))).collect();
        Self { pairs, samples }
    }

    fn bytes(&self, report: &Report) -> usize {
        let mut strings = Strings::default();
        for (run, samples) in report.runs.iter().zip(&self.samples) {
            samples.iter().for_each(|sample| texts_of(run, *sample, &mut strings));
        }
        strings.bytes() + ROW_BYTES * self.count()
    }
}

fn units(report: &Report, pairs: &[(usize, usize)]) -> Vec<Unit> {
    let mut is_paired: Vec<Vec<bool>> =
        report.runs.iter().map(|run| vec![false; run.opened.plan.samples.len()]).collect();
    let mut units: Vec<Unit> = Vec::new();
    for (a, b) in pairs {
        is_paired[0][*a] = true;
        is_paired[1][*b] = true;
        units.push(vec![(0, *a), (1, *b)]);
    }
    for (run, is_paired) in is_paired.iter().enumerate() {
        units.extend((0..is_paired.len()).filter(|sample| !is_paired[*sample]).map(|sample| vec![(run, sample)]));
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn two() -> Report {
        Report::new(vec![fixture::zest(&[]), fixture::zest(&[(0, "wrong")])], 0).unwrap()
    }

    #[test]
    fn a_small_run_is_there_whole() {
        let selection = Selection::new(&two(), 100, 1_000_000);
        assert_eq!(selection.samples, [(0..8).collect::<Vec<_>>(), (0..8).collect()]);
        assert_eq!(selection.pairs, (0..8).map(|place| (place, place)).collect::<Vec<_>>());
    }

    #[test]
    fn too_many_samples_are_thinned_out_evenly_and_by_pairs() {
        let selection = Selection::new(&two(), 8, 1_000_000);
        assert_eq!(selection.samples, [[0, 2, 4, 6], [0, 2, 4, 6]]);
        assert_eq!(selection.pairs, [(0, 0), (1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn too_many_bytes_leave_fewer_but_at_least_one() {
        let report = Report::new(vec![fixture::zest(&[])], 0).unwrap();
        assert!(Selection::new(&report, 100, 700).count() < 8);
        assert_eq!(Selection::new(&report, 100, 0).count(), 1);
    }
}
