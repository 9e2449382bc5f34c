//! The fields of paired objects, each scored and put into its bucket.
//!
//! Rule Z22 of docs/metrics.md. The reference compares the first key with the first key and so
//! on (Q12), never looks at what was predicted beyond the gold fields, and takes a field that was left out for a wrong
//! answer even where the right one is NA (Q13).

use saydo_metrics::{assignment::assign_max, python::lower};
use saydo_task::node::{Node, Value};

use super::answer::{Alternative, Guess};
use super::bucket::Buckets;
use super::error::{Fault, Side};
use super::instance::Scorer;
use super::not_applicable::{is_na, is_na_text};
use super::repair::{Repairs, quirk};
use super::span::{span_f1, split_bags};
use super::structure::{Object, Structure};

const NA: &str = "n/a";

/// The buckets of all fields of a structure, in order.
pub(super) fn buckets(scorer: &mut Scorer, structure: &Structure) -> Result<Buckets, Fault> {
    let mut buckets = Buckets::default();
    for (gold, predicted) in structure.gold.iter().zip(&structure.predicted) {
        let partners = partners(gold, predicted, scorer.repairs);
        for ((key, value), partner) in gold.iter().zip(&partners) {
            let gold_alternatives = alternatives(&value.value, scorer.repairs)?;
            match partner {
                Some(index) => field(scorer, (key, &gold_alternatives), &predicted[*index], &mut buckets)?,
                None => {
                    let gold_is_na = first_is_na(&gold_alternatives, scorer.repairs)?;
                    buckets.add(0.0, structure.absent_is_na, gold_is_na);
                }
            }
        }
        if scorer.repairs.has(quirk::EXTRAS) {
            extras(predicted, &partners, scorer.repairs, &mut buckets)?;
        }
    }
    Ok(buckets)
}

/// Scores a predicted field against its gold field: value score times key score.
fn field(
    scorer: &mut Scorer,
    (gold_key, gold_values): (&str, &[Alternative<'_>]),
    (key, value): &(String, Node),
    buckets: &mut Buckets,
) -> Result<(), Fault> {
    let key_score = key_score(scorer, gold_key, key)?;
    let guess_is_na = is_na(&value.value, Side::Predicted, scorer.repairs)?;
    let guess = match &value.value {
        Value::String(text) if !guess_is_na => Guess::Text(text),
        Value::Array(items) if !guess_is_na => Guess::List(items),
        _ => Guess::Text(NA),
    };
    let score = scorer.compare(gold_values, guess)?.score * key_score;
    buckets.add(score, guess_is_na, first_is_na(gold_values, scorer.repairs)?);
    Ok(())
}

/// Keys are scored like answers, underscores as spaces. With Q12 repaired they are never taken for JSON.
fn key_score(scorer: &mut Scorer, gold: &str, predicted: &str) -> Result<f64, Fault> {
    if scorer.repairs.has(quirk::KEY_ORDER) {
        return Ok(name_score(gold, predicted, scorer.repairs));
    }
    let (gold, predicted) = (gold.replace('_', " "), predicted.replace('_', " "));
    Ok(scorer.compare(&[Alternative::Text(&gold)], Guess::Text(&predicted))?.score)
}

fn name_score(gold: &str, predicted: &str, repairs: Repairs) -> f64 {
    let bags = |key: &str| split_bags(&key.replace('_', " "), repairs);
    span_f1(&bags(predicted), &bags(gold), repairs).unwrap_or(0.0)
}

/// The gold alternatives of a field, NA written in one way.
fn alternatives(value: &Value, repairs: Repairs) -> Result<Vec<Alternative<'_>>, Fault> {
    Ok(if is_na(value, Side::Gold, repairs)? { vec![Alternative::Text(NA)] } else { Alternative::all(value) })
}

fn first_is_na(alternatives: &[Alternative<'_>], repairs: Repairs) -> Result<bool, Fault> {
    is_na_text(&lower(Alternative::first_text(alternatives)?), Side::Gold, repairs)
}

/// For each gold field the index of the predicted field it is compared with: the one in the same place, or with Q12
/// repaired the one of the same name, or else of the most similar name.
fn partners(gold: &Object, predicted: &Object, repairs: Repairs) -> Vec<Option<usize>> {
    if !repairs.has(quirk::KEY_ORDER) {
        return (0..gold.len()).map(|index| (index < predicted.len()).then_some(index)).collect();
    }
    let mut partners: Vec<Option<usize>> =
        gold.iter().map(|(key, _)| predicted.iter().position(|(other, _)| other == key)).collect();
    let open: Vec<usize> = (0..gold.len()).filter(|&index| partners[index].is_none()).collect();
    let free: Vec<usize> = (0..predicted.len()).filter(|index| !partners.contains(&Some(*index))).collect();
    let weights: Vec<Vec<f64>> = open
        .iter()
        .map(|&row| free.iter().map(|&column| name_score(&gold[row].0, &predicted[column].0, repairs)).collect())
        .collect();
    for (row, column) in assign_max(&weights).into_iter().enumerate() {
        partners[open[row]] = column.filter(|&column| weights[row][column] > 0.0).map(|column| free[column]);
    }
    partners
}

/// The repair of Q13: what was predicted without being asked for is a false positive unless it is NA.
fn extras(
    predicted: &Object,
    partners: &[Option<usize>],
    repairs: Repairs,
    buckets: &mut Buckets,
) -> Result<(), Fault> {
    for (index, (_, value)) in predicted.iter().enumerate() {
        if !partners.contains(&Some(index)) && !is_na(&value.value, Side::Predicted, repairs)? {
            buckets.fp.push(0.0);
        }
    }
    Ok(())
}
