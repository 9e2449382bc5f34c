//! Scores of one span against another and of span lists against each other.
//!
//! Rules Z10 and Z11 of docs/metrics.md: word-set F1 behind a number gate, the best one-to-one pairing of spans, and
//! a mean over the longer list, so that both missing and surplus spans cost.

use saydo_metrics::{assignment::assign_max, mean::numpy_mean, python::round2};

use super::normalize::{Bag, normalize};
use super::repair::{Repairs, quirk};

/// F1 of two bags. If the gold bag has numbers, none of which is predicted, it is 0; two empty bags score 1.
pub fn pair_f1(predicted: &Bag, gold: &Bag) -> f64 {
    let shares_number = |number: &String| predicted.numbers().binary_search(number).is_ok();
    if !gold.numbers().is_empty() && !gold.numbers().iter().any(shares_number) {
        return 0.0;
    }
    let overlap = predicted.overlap(gold) as f64;
    let share = |bag: &Bag| if bag.words().is_empty() { 1.0 } else { overlap / bag.words().len() as f64 };
    harmonic_mean(share(predicted), share(gold))
}

/// `2PR / (P + R)` in the order of the reference, 0 where P + R is not positive.
pub(super) fn harmonic_mean(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 { (2.0 * precision * recall) / (precision + recall) } else { 0.0 }
}

/// The mean pair score of the best pairing over the longer of the two lists; none if both are empty.
pub fn aligned_mean(predicted: &[Bag], gold: &[Bag]) -> Option<f64> {
    if let ([predicted], [gold]) = (predicted, gold) {
        return Some(pair_f1(predicted, gold));
    }
    let weights: Vec<Vec<f64>> =
        gold.iter().map(|gold| predicted.iter().map(|predicted| pair_f1(predicted, gold)).collect()).collect();
    let mut matched = vec![0.0; predicted.len().max(gold.len())];
    for (row, column) in assign_max(&weights).into_iter().enumerate() {
        matched[row] = column.map_or(0.0, |column| weights[row][column]);
    }
    numpy_mean(&matched)
}

/// The score of a list of spans, rounded to two decimals unless Q1 is repaired; none if both lists are empty.
pub fn span_f1(predicted: &[Bag], gold: &[Bag], repairs: Repairs) -> Option<f64> {
    let mean = aligned_mean(predicted, gold)?;
    Some(if repairs.has(quirk::ROUNDING) { mean } else { round2(mean) })
}

/// Whether the two lists are equally long and normalize to the same set of spans.
pub fn exact_match<S: AsRef<str>>(predicted: &[S], gold: &[S], repairs: Repairs) -> bool {
    let distinct = |spans: &[S]| {
        let mut spans: Vec<String> = spans.iter().map(|span| normalize(span.as_ref(), repairs)).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    };
    predicted.len() == gold.len() && distinct(predicted) == distinct(gold)
}

/// The bags of the spans a text lists between `|`; empty spans stay.
pub(super) fn split_bags(text: &str, repairs: Repairs) -> Vec<Bag> {
    text.split('|').map(|span| Bag::new(span, repairs)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score(predicted: &str, gold: &str) -> f64 {
        let bags = |text| split_bags(text, Repairs::NONE);
        span_f1(&bags(predicted), &bags(gold), Repairs::NONE).unwrap()
    }

    #[test]
    fn a_gold_number_must_be_predicted() {
        assert_eq!(score("about miles", "about 5 miles"), 0.0);
        assert_eq!(score("5 miles", "about 5 miles"), 0.8);
        assert_eq!(score("about 5 miles", "about miles"), 0.8);
    }

    #[test]
    fn surplus_and_missing_spans_cost() {
        assert_eq!(score("bears|elk", "elk"), 0.5);
        assert_eq!(score("elk", "bears|elk"), 0.5);
        assert_eq!(score("elk|bears", "bears|elk"), 1.0);
        assert_eq!(score("", "the"), 1.0);
    }

    #[test]
    fn the_pairing_is_the_best_one_not_the_first() {
        // Giving "red fox" its equal would leave "red" with "fox".
        assert_eq!(score("red fox|fox", "red|red fox"), 0.67);
    }

    #[test]
    fn scores_are_rounded_unless_repaired() {
        let bags = |text| split_bags(text, Repairs::NONE);
        let precise = span_f1(&bags("x y z"), &bags("x"), Repairs::NONE.with(quirk::ROUNDING));
        assert_eq!((score("x|y|z", "x"), precise), (0.33, Some(0.5)));
        assert_eq!(span_f1(&[], &[], Repairs::NONE), None);
    }

    #[test]
    fn exact_match_ignores_order_but_not_number() {
        assert!(exact_match(&["The elk", "bears"], &["Bears", "elk"], Repairs::NONE));
        assert!(!exact_match(&["elk", "elk"], &["elk"], Repairs::NONE));
    }

    proptest! {
        #[test]
        fn scores_lie_between_zero_and_one(a in "[a-d 0-9|.]{0,20}", b in "[a-d 0-9|.]{0,20}") {
            prop_assert!((0.0..=1.0).contains(&score(&a, &b)));
        }

        #[test]
        fn a_text_scores_one_against_itself(text in any::<String>()) {
            prop_assert_eq!(score(&text, &text), 1.0);
        }
    }
}
