//! Scores worked out by hand, and what holds for any texts.

use super::*;
use proptest::prelude::*;

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

#[test]
fn rouge_l_keeps_order_and_rouge_1_does_not() {
    let (prediction, target) = (words("the gunman kill police"), words("police kill the gunman"));
    let longest = rouge_l(&prediction, &target);
    assert_eq!((longest.precision, longest.recall, longest.f_measure), (0.5, 0.5, 0.5));
    assert_eq!(rouge_1(&prediction, &target).f_measure, 1.0);
}

#[test]
fn rouge_1_counts_a_token_as_often_as_both_have_it() {
    let score = rouge_1(&words("the the the cat"), &words("the the dog"));
    assert_eq!((score.precision, score.recall), (0.5, 2.0 / 3.0));
}

#[test]
fn a_side_without_tokens_scores_zero_even_against_none() {
    let none: [&str; 0] = [];
    for (prediction, target) in [(&none[..], &none[..]), (&none, &["a"]), (&["a"], &none)] {
        assert_eq!(rouge_l(prediction, target), RougeScore::default());
        assert_eq!(rouge_1(prediction, target), RougeScore::default());
    }
}

#[test]
fn f_measure_is_evaluated_from_left_to_right() {
    // Four of four against four of five: (2 * 1 * 0.8) / 1.8 in this order gives the last bits below.
    let score = rouge_l(&words("a b c d"), &words("a x b c d"));
    assert_eq!(score, RougeScore { precision: 1.0, recall: 0.8, f_measure: 0.888888888888889 });
}

proptest! {
    #[test]
    fn scores_lie_between_zero_and_one(a in "[a-e ]{0,40}", b in "[a-e ]{0,40}") {
        let (a, b) = (rouge_tokens(&a), rouge_tokens(&b));
        let (longest, unigram) = (rouge_l(&a, &b), rouge_1(&a, &b));
        for value in [longest.precision, longest.recall, longest.f_measure, unigram.f_measure] {
            prop_assert!((0.0..=1.0).contains(&value));
        }
        prop_assert!(longest.precision <= unigram.precision);
    }

    #[test]
    fn a_text_with_words_scores_one_against_itself(text in any::<String>()) {
        let tokens = rouge_tokens(&text);
        let expected = if tokens.is_empty() { 0.0 } else { 1.0 };
        prop_assert_eq!(rouge_l(&tokens, &tokens).f_measure, expected);
        prop_assert_eq!(rouge_1(&tokens, &tokens).f_measure, expected);
    }
}
