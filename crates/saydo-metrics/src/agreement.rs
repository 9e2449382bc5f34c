//! How far several raters agree on labels, beyond what chance would give.
//!
//! Labels are nominal: two are the same or they are not. An item is the list of labels it was given; who gave which does
//! not matter here, save for [`cohen_kappa`], and a rater who gave none is simply not in the list. Counts are whole
//! numbers until the last division, so the order of items, raters and labels cannot change a result.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The share of pairs of raters who gave an item the same label, averaged over the items with two labels or more; `None`
/// if there is no such item.
///
/// This is the observed agreement of [`fleiss_kappa`]. For two raters it is the share of items on which they agree.
///
/// ```
/// use saydo_metrics::agreement::percent_agreement;
///
/// assert_eq!(percent_agreement(&[vec!["yes", "yes", "no"], vec!["no", "no"], vec!["no"]]), Some((1.0 / 3.0 + 1.0) / 2.0));
/// assert_eq!(percent_agreement(&[vec!["yes"]]), None);
/// ```
pub fn percent_agreement<L: Eq + Hash>(items: &[Vec<L>]) -> Option<f64> {
    let shares: Vec<f64> = items.iter().filter_map(|labels| agreeing_share(labels)).collect();
    crate::mean::numpy_mean(&shares)
}

/// Cohen's kappa (1960) of two raters who both labeled every item: `(observed - expected) / (1 - expected)`, where
/// each rater's own shares of labels give the expected agreement.
///
/// `None` for no items, and where the expected agreement is 1: both gave every item one and the same label, so that
/// chance alone explains the agreement and there is nothing to divide by.
///
/// ```
/// use saydo_metrics::agreement::cohen_kappa;
///
/// assert_eq!(cohen_kappa(&[("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")]), Some(0.5));
/// ```
pub fn cohen_kappa<L: Eq + Hash>(pairs: &[(L, L)]) -> Option<f64> {
    let first = counts(pairs.iter().map(|(first, _)| first));
    let second = counts(pairs.iter().map(|(_, second)| second));
    let same = pairs.iter().filter(|(first, second)| first == second).count() as u64;
    let by_chance: u64 = first.iter().map(|(label, count)| count * second.get(label).unwrap_or(&0)).sum();
    let n = pairs.len() as u64;
    // Both shares over n * n.
    beyond_chance((same * n) as f64, by_chance as f64, (n * n) as f64)
}

/// Fleiss' kappa (1971): as [`cohen_kappa`] for any fixed number of raters per item, who need not be the same ones. The
/// shares of labels over all items give the expected agreement.
///
/// `None` unless every item has the same number of labels, at least two, and where all labels are the same.
///
/// ```
/// use saydo_metrics::agreement::fleiss_kappa;
///
/// assert_eq!(fleiss_kappa(&[vec![1, 1], vec![2, 2]]), Some(1.0));
/// assert_eq!(fleiss_kappa(&[vec![1, 1], vec![2, 2, 2]]), None);
/// ```
pub fn fleiss_kappa<L: Eq + Hash>(items: &[Vec<L>]) -> Option<f64> {
    let raters = items.first()?.len() as u64;
    if raters < 2 || items.iter().any(|labels| labels.len() as u64 != raters) {
        return None;
    }
    let agreeing: u64 = items.iter().map(|labels| agreeing_pairs(labels)).sum();
    let n = items.len() as u64 * raters;
    let by_chance: u64 = counts(items.iter().flatten()).values().map(|count| count * count).sum();
    beyond_chance(agreeing as f64 / (n * (raters - 1)) as f64, by_chance as f64 / (n * n) as f64, 1.0)
}

/// Krippendorff's alpha for nominal data, any number of raters and any gaps: one less the ratio of observed to expected
/// disagreement (Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011).
///
/// Items with fewer than two labels have nothing to compare and do not count. `None` if no item is left, and where all
/// labels that count are the same: without variation nothing was put to the test, and alpha is not defined. Read it
/// together with [`percent_agreement`], which is 1 there.
///
/// ```
/// use saydo_metrics::agreement::krippendorff_alpha;
///
/// let labels = [vec!["yes", "yes"], vec!["no", "no", "no"], vec!["yes"], vec!["yes", "no"]];
/// assert_eq!(krippendorff_alpha(&labels), Some(0.5));
/// assert_eq!(krippendorff_alpha(&[vec!["no", "no"]]), None);
/// ```
pub fn krippendorff_alpha<L: Eq + Hash>(items: &[Vec<L>]) -> Option<f64> {
    let pairable = || items.iter().filter(|labels| labels.len() >= 2);
    let n: u64 = pairable().map(|labels| labels.len() as u64).sum();
    let squares: u64 = counts(pairable().flatten()).values().map(|count| count * count).sum();
    // Ordered pairs of unlike labels: among all labels, and within an item, where each label has m - 1 partners.
    let expected = (n * n - squares) as f64 / n.checked_sub(1).filter(|&others| others > 0)? as f64;
    let unlike = |labels: &Vec<L>| {
        let m = labels.len() as u64;
        (m * (m - 1) - agreeing_pairs(labels)) as f64 / (m - 1) as f64
    };
    let observed: Vec<f64> = pairable().map(unlike).collect();
    (expected > 0.0).then(|| 1.0 - crate::mean::numpy_sum(&observed) / expected)
}

/// `(observed - expected) / (whole - expected)`; none if there is no room above the expected.
fn beyond_chance(observed: f64, expected: f64, whole: f64) -> Option<f64> {
    (expected < whole).then(|| (observed - expected) / (whole - expected))
}

fn counts<L: Eq + Hash>(labels: impl Iterator<Item = L>) -> FxHashMap<L, u64> {
    let mut counts = FxHashMap::default();
    labels.for_each(|label| *counts.entry(label).or_default() += 1);
    counts
}

/// Ordered pairs of raters with the same label.
fn agreeing_pairs<L: Eq + Hash>(labels: &[L]) -> u64 {
    counts(labels.iter()).values().map(|count| count * (count - 1)).sum()
}

fn agreeing_share<L: Eq + Hash>(labels: &[L]) -> Option<f64> {
    let m = labels.len() as u64;
    (m >= 2).then(|| agreeing_pairs(labels) as f64 / (m * (m - 1)) as f64)
}

#[cfg(test)]
mod tests;
