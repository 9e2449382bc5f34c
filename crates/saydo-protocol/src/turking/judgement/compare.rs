//! How well another judge, such as the form rule or a model, does beside people.

use super::Entries;
use crate::turking::judge;
use saydo_metrics::agreement::{cohen_kappa, krippendorff_alpha};
use serde::Serialize;

/// How a judge's answers stand beside people's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct JudgeAgreement {
    /// How many outputs both judged.
    pub count: usize,
    /// Yes by both.
    pub both_yes: usize,
    /// Yes by the judge, no by people.
    pub judge_only: usize,
    /// Yes by people, no by the judge.
    pub people_only: usize,
    /// No by both.
    pub both_no: usize,
    /// The share of outputs on which they agree.
    pub observed: f64,
    /// Cohen's kappa; none where both always said the same.
    pub kappa: Option<f64>,
    /// Krippendorff's alpha; none where both always said the same.
    pub alpha: Option<f64>,
}

/// Compares answers that stand beside each other, people's by majority; none if there is no output that both judged.
///
/// ```
/// use saydo_protocol::turking::judgement::compare;
///
/// let people = [Some(true), Some(false), Some(false), None];
/// let rule = [Some(true), Some(true), Some(false), Some(false)];
/// let agreement = compare(&people, &rule).unwrap();
/// assert_eq!((agreement.count, agreement.judge_only), (3, 1));
/// ```
pub fn compare(people: &[Option<bool>], judge: &[Option<bool>]) -> Option<JudgeAgreement> {
    let pairs: Vec<(bool, bool)> =
        people.iter().zip(judge).filter_map(|(one, other)| Some(((*one)?, (*other)?))).collect();
    let count = |people: bool, judge: bool| pairs.iter().filter(|pair| **pair == (people, judge)).count();
    let (both_yes, both_no) = (count(true, true), count(false, false));
    let both: Vec<Vec<bool>> = pairs.iter().map(|&(people, judge)| vec![people, judge]).collect();
    (!pairs.is_empty()).then(|| JudgeAgreement {
        count: pairs.len(),
        both_yes,
        judge_only: count(false, true),
        people_only: count(true, false),
        both_no,
        observed: (both_yes + both_no) as f64 / pairs.len() as f64,
        kappa: cohen_kappa(&pairs),
        alpha: krippendorff_alpha(&both),
    })
}

/// What the automatic form rule says of each output, in the order of [`Entries::all`]; none for the tasks with gold.
pub fn form_rule(entries: &Entries<'_>) -> Vec<Option<bool>> {
    let rule = |entry: &super::Entry<'_>| judge(entry.item, entry.output).form.map(|form| form.is_consistent);
    entries.all().iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::captions;
    use super::*;

    #[test]
    fn a_rule_is_measured_where_people_judged() {
        let (gold, outputs) = captions(1, &["A boat sails. It is big. It sinks.", "No."]);
        let entries = Entries::new(&gold, &outputs, |_| true).unwrap();
        let rule = form_rule(&entries);
        assert_eq!(rule, [Some(true), Some(false), None, None]);
        let agreement = compare(&[Some(true), Some(true), Some(false), None], &rule).unwrap();
        assert_eq!((agreement.count, agreement.both_yes, agreement.people_only), (2, 1, 1));
        assert_eq!((agreement.observed, agreement.kappa, agreement.alpha), (0.5, Some(0.0), Some(0.0)));
        assert_eq!(compare(&[None, Some(true)], &[Some(true), None]), None);
    }
}
