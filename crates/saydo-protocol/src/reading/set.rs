//! Everyday's score: the parts of an answer are a set, paired one to one with those of the gold.
//!
//! A copy of the data set's own `score.py`, its order of pairing included: the best pair first, of equal ones the pair
//! that stands last. In ZEST's files a list means alternatives instead; [`crate::zest`] scores those.

use saydo_metrics::token_f1::token_f1;
use saydo_task::gold::Gold;
use saydo_task::{AnswerKind, FieldKind};

/// How well an answer matches the gold, from 0 to 1. NA matches NA only.
pub fn match_score(kind: &AnswerKind, given: &Gold, gold: &Gold) -> f64 {
    match (given, gold) {
        (Gold::Na, Gold::Na) => 1.0,
        (Gold::Text(given), Gold::Text(gold)) => f64::from(u8::from(given == gold)),
        (Gold::Spans(given), Gold::Spans(gold)) => paired(given, gold, |given, gold| token_f1(given, gold)),
        (Gold::Records(given), Gold::Records(gold)) => paired(given, gold, |given, gold| record(kind, given, gold)),
        _ => 0.0,
    }
}

/// The F1 of a task over rows of given and gold answers, with NA as the negative class. A row that failed is given as
/// text that matches nothing, so that it counts as an answer and as wrong.
pub fn task_f1<'a>(kind: &AnswerKind, rows: impl IntoIterator<Item = (Option<&'a Gold>, &'a Gold)>) -> f64 {
    let (mut score, mut given_count, mut gold_count) = (0.0, 0_usize, 0_usize);
    for (given, gold) in rows {
        given_count += usize::from(given != Some(&Gold::Na));
        gold_count += usize::from(*gold != Gold::Na);
        if let Some(given) = given.filter(|given| **given != Gold::Na && *gold != Gold::Na) {
            score += match_score(kind, given, gold);
        }
    }
    let precision = score / given_count.max(1) as f64;
    let recall = score / gold_count.max(1) as f64;
    2.0 * precision * recall / (precision + recall).max(1e-9)
}

/// Twice the score of all pairs over the number of parts on both sides.
fn paired<T>(given: &[T], gold: &[T], similarity: impl Fn(&T, &T) -> f64) -> f64 {
    if given.is_empty() && gold.is_empty() {
        return 1.0;
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::with_capacity(given.len() * gold.len());
    for (i, one) in given.iter().enumerate() {
        pairs.extend(gold.iter().enumerate().map(|(j, other)| (similarity(one, other), i, j)));
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
    let (mut used_given, mut used_gold) = (vec![false; given.len()], vec![false; gold.len()]);
    let mut sum = 0.0;
    for (value, i, j) in pairs {
        if !used_given[i] && !used_gold[j] {
            (used_given[i], used_gold[j]) = (true, true);
            sum += value;
        }
    }
    2.0 * sum / (given.len() + gold.len()) as f64
}

type Fields = Vec<(String, Option<String>)>;

/// The mean over the fields that either record has: spans by shared words, everything else right or wrong.
fn record(kind: &AnswerKind, given: &Fields, gold: &Fields) -> f64 {
    let AnswerKind::Records(fields) = kind else { return 0.0 };
    let value = |record: &Fields, name: &str| {
        record.iter().find(|(field, _)| field == name).and_then(|(_, value)| value.clone())
    };
    let mut scores = Vec::with_capacity(fields.len());
    for field in fields {
        match (value(given, &field.name), value(gold, &field.name)) {
            (None, None) => {}
            (Some(given), Some(gold)) if field.kind == FieldKind::Span => scores.push(token_f1(&given, &gold)),
            (Some(given), Some(gold)) => scores.push(f64::from(u8::from(given == gold))),
            (Some(_), None) | (None, Some(_)) => scores.push(0.0),
        }
    }
    if scores.is_empty() { 1.0 } else { scores.iter().sum::<f64>() / scores.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(texts: &[&str]) -> Gold {
        Gold::Spans(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn every_part_of_a_set_counts() {
        let score = |given: &[&str], gold: &[&str]| match_score(&AnswerKind::Spans, &spans(given), &spans(gold));
        assert_eq!(score(&["elk"], &["black bears", "elk"]), 2.0 / 3.0);
        assert_eq!(score(&["elk", "the black bears"], &["black bears", "elk"]), 1.0);
        assert_eq!(score(&["elk", "elk"], &["elk"]), 2.0 / 3.0);
    }

    #[test]
    fn na_is_apart() {
        let (yes, no) = (Gold::Text("yes".into()), Gold::Text("no".into()));
        let rows = [(&yes, &yes), (&yes, &no), (&Gold::Na, &Gold::Na), (&Gold::Na, &yes)];
        let rows = rows.map(|(given, gold)| (Some(given), gold));
        // Two given, three there, one right.
        assert!((task_f1(&AnswerKind::YesNo, rows) - 0.4).abs() < 1e-12);
        assert_eq!(task_f1(&AnswerKind::YesNo, [(Some(&Gold::Na), &Gold::Na)]), 0.0);
    }
}
