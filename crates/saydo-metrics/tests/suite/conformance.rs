//! Vectors of `fixtures/conformance`: stems, ROUGE, exact match, rounding and random choice.

use crate::super_natural_instructions::{Instance, check_exact_match, check_rouge_l, instances};
use crate::{check_rouge_pair, list, number, text};
use saydo_conformance::{Protocol, compare, json, json_lines, path};
use saydo_metrics::exact::normalize_exact;
use saydo_metrics::python::{Random, round2};
use saydo_metrics::rouge::RougeScorer;
use saydo_metrics::stem::stem;

#[test]
fn every_stem_equals_the_reference() {
    let stems = json("rouge/stems.json");
    compare(Protocol::NaturalInstructions, stems.as_object().expect("words and stems"), |(word, expected)| {
        assert_eq!(stem(word), text(expected), "{word}");
    });
}

#[test]
fn tokens_and_scores_of_every_pair_equal_the_reference() {
    compare(Protocol::NaturalInstructions, json_lines("rouge/pairs.jsonl"), |row| check_rouge_pair(&row));
}

#[test]
fn exact_match_normalization_equals_the_reference() {
    compare(Protocol::SuperNaturalInstructions, json_lines("super-natural-instructions/normalize_rows.jsonl"), |row| {
        assert_eq!(normalize_exact(text(&row["text"])), text(&row["normalized"]), "{row}");
    });
}

fn sets() -> Vec<Instance> {
    ["plain", "odd"].iter().flat_map(|set| instances(&path(&format!("super-natural-instructions/{set}")))).collect()
}

#[test]
fn exact_match_of_every_instance_equals_the_reference() {
    compare(Protocol::SuperNaturalInstructions, sets(), |instance| check_exact_match(&instance));
}

#[test]
fn rouge_l_of_every_instance_equals_the_reference() {
    let mut scorer = RougeScorer::new();
    compare(Protocol::SuperNaturalInstructions, sets(), |instance| check_rouge_l(&mut scorer, &instance));
}

#[test]
fn rounding_to_two_decimals_equals_the_reference() {
    compare(Protocol::Zest, json_lines("zest/rounding_rows.jsonl"), |row| {
        assert_eq!(round2(number(&row["x"])), number(&row["rounded2"]), "{row}");
    });
}

#[test]
fn random_choices_equal_the_reference() {
    let mut random = Random::seeded(0);
    compare(Protocol::Zest, list(&json("zest/random_choice.json")["choices"]), |pair| {
        let [length, chosen] = [0, 1].map(|side| pair[side].as_u64().expect("a count") as usize);
        assert_eq!(random.choice_index(length), Some(chosen), "{pair}");
    });
}
