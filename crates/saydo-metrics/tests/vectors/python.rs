//! Rounding and random choice.

use crate::{json, list, number, rows};
use saydo_metrics::python::{Random, round2};

#[test]
fn rounding_to_two_decimals_equals_the_reference() {
    for row in rows("zest/rounding_rows.jsonl").unwrap_or_default() {
        assert_eq!(round2(number(&row["x"])), number(&row["rounded2"]), "{row}");
    }
}

#[test]
fn random_choices_equal_the_reference() {
    let Some(vectors) = json("zest/random_choice.json") else { return };
    let mut random = Random::seeded(0);
    for (i, pair) in list(&vectors["choices"]).iter().enumerate() {
        let [length, chosen] = [0, 1].map(|side| pair[side].as_u64().expect("a count") as usize);
        assert_eq!(random.choice_index(length), Some(chosen), "choice {i}");
    }
}
