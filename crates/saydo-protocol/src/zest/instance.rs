//! One answer against its gold alternatives: score and buckets.
//!
//! Rules Z15, Z16, Z21 and Z22 of docs/metrics.md. The generator that draws from predicted lists (Q8) is seeded once
//! per run, so a [`Scorer`] is used for all instances of a run, in order.

use std::borrow::Cow;

use saydo_metrics::python::{Random, lower};
use saydo_task::json;
use saydo_task::node::{Node, Value};

use super::answer::{Alternative, Guess};
use super::bucket::Buckets;
use super::error::{Fault, Reason, Side};
use super::item;
use super::normalize::Bag;
use super::not_applicable::{is_na, is_na_answer};
use super::python_text::to_text;
use super::repair::{Repairs, quirk};
use super::span::{span_f1, split_bags};
use super::structure::Structure;

/// The score of one instance.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceScore {
    /// 0 to 1; the reference also gives -1 where nothing could be compared.
    pub score: f64,
    /// Whether the gold answer is a structure, whose fields are in the buckets one by one.
    pub is_structure: bool,
    /// Where the answer, or each of its fields, belongs.
    pub buckets: Buckets,
    /// What kept the prediction from being scored; only with Q2 repaired, else it stops the run.
    pub fault: Option<Fault>,
}

/// Scores instances in the order of a run.
///
/// ```
/// use saydo_protocol::zest::{Repairs, Scorer};
/// use saydo_task::node::Value;
///
/// let mut scorer = Scorer::new(Repairs::NONE);
/// let instance = scorer.score(&Value::String("black bears|elk".into()), Some("elk")).unwrap();
/// assert_eq!((instance.score, instance.buckets.tp), (0.5, vec![0.5]));
/// ```
#[derive(Debug)]
pub struct Scorer {
    pub(super) repairs: Repairs,
    random: Random,
}

/// A score and, for structures, the pairing behind it.
pub(super) struct Compared {
    pub(super) score: f64,
    structure: Option<Structure>,
}

impl Scorer {
    /// A scorer at the start of a run.
    pub fn new(repairs: Repairs) -> Self {
        Scorer { repairs, random: Random::seeded(0) }
    }

    /// Scores a prediction; none stands for one that could not be read.
    pub fn score(&mut self, answer: &Value, prediction: Option<&str>) -> Result<InstanceScore, Fault> {
        let text = prediction.ok_or(Side::Predicted.fault(Reason::Unreadable));
        self.score_alternatives(&Alternative::all(answer), text)
    }

    /// Scores a reply by the best of several gold texts. No reply is a wrong answer, and not NA.
    pub fn score_texts(&mut self, gold: &[String], reply: Option<&str>) -> Result<InstanceScore, Fault> {
        let alternatives: Vec<Alternative<'_>> = gold.iter().map(|text| Alternative::Text(text)).collect();
        match reply {
            Some(text) => self.score_alternatives(&alternatives, Ok(text)),
            None => self.wrong(&alternatives),
        }
    }

    /// Scores an answer to which there is no reply.
    pub(super) fn unanswered(&mut self, answer: &Value) -> Result<InstanceScore, Fault> {
        self.wrong(&Alternative::all(answer))
    }

    fn score_alternatives(
        &mut self,
        alternatives: &[Alternative<'_>],
        text: Result<&str, Fault>,
    ) -> Result<InstanceScore, Fault> {
        match text.and_then(|text| self.score_text(alternatives, text)) {
            // The repair of Q2: a wrong answer, whatever was predicted.
            Err(fault) if fault.side == Side::Predicted && self.repairs.has(quirk::ABORTS) => {
                Ok(InstanceScore { fault: Some(fault), ..self.wrong(alternatives)? })
            }
            scored => scored,
        }
    }

    fn score_text(&mut self, alternatives: &[Alternative<'_>], text: &str) -> Result<InstanceScore, Fault> {
        let Compared { score, structure } = self.compare(alternatives, Guess::Text(text))?;
        let is_structure = structure.is_some();
        let buckets = match structure {
            Some(structure) => item::buckets(self, &structure)?,
            None => {
                let mut buckets = Buckets::default();
                let is_na = is_na_answer(text, Side::Predicted, self.repairs)?;
                buckets.add(score, is_na, self.gold_is_na(alternatives)?);
                buckets
            }
        };
        Ok(InstanceScore { score, is_structure, buckets, fault: None })
    }

    /// A wrong answer that is not NA; of a structure every field is.
    fn wrong(&mut self, alternatives: &[Alternative<'_>]) -> Result<InstanceScore, Fault> {
        let is_structure = Alternative::any_structure(alternatives);
        let buckets = if is_structure {
            item::buckets(self, &Structure::unanswered(Alternative::only_text(alternatives)?)?)?
        } else {
            let mut buckets = Buckets::default();
            buckets.add(0.0, false, self.gold_is_na(alternatives)?);
            buckets
        };
        Ok(InstanceScore { score: 0.0, is_structure, buckets, fault: None })
    }

    fn gold_is_na(&self, alternatives: &[Alternative<'_>]) -> Result<bool, Fault> {
        is_na_answer(&lower(Alternative::first_text(alternatives)?), Side::Gold, self.repairs)
    }

    /// Compares an answer, a key or a value.
    pub(super) fn compare(&mut self, gold: &[Alternative<'_>], guess: Guess<'_>) -> Result<Compared, Fault> {
        if !Alternative::any_structure(gold) {
            return Ok(Compared { score: self.compare_plain(gold, guess)?, structure: None });
        }
        let gold = Alternative::only_text(gold)?;
        let Guess::Text(text) = guess else {
            return Err(Side::Predicted.fault(Reason::NotText { found: "a list" }));
        };
        let structure = Structure::compare(gold, text, self.repairs)?;
        Ok(Compared { score: structure.score, structure: Some(structure) })
    }

    fn compare_plain(&mut self, gold: &[Alternative<'_>], guess: Guess<'_>) -> Result<f64, Fault> {
        if self.repairs.has(quirk::RANDOM_ELEMENT) && is_the_gold_itself(gold, guess) {
            return Ok(1.0);
        }
        let Some(spans) = self.spans(guess)? else { return Ok(0.0) };
        let mut predicted = None;
        let mut best = 0.0;
        for alternative in gold {
            let text = alternative.text()?;
            // Equal texts score 1 whatever they normalize to. Alternatives after a perfect one are not looked at.
            if spans == [text] {
                return Ok(1.0);
            }
            let predicted = predicted.get_or_insert_with(|| bags(&spans, self.repairs));
            let score = span_f1(predicted, &split_bags(text, self.repairs), self.repairs).unwrap_or(0.0);
            if score == 1.0 {
                return Ok(1.0);
            }
            best = f64::max(best, score);
        }
        Ok(best)
    }

    /// The predicted texts, each of which may list several spans; none if the prediction is not text.
    fn spans<'a>(&mut self, guess: Guess<'a>) -> Result<Option<Vec<Cow<'a, str>>>, Fault> {
        let parsed = match guess {
            Guess::Text(text) if text.contains('[') => json::parse(text).ok().map(|parsed| parsed.root.value),
            _ => None,
        };
        match (parsed, guess) {
            (None, Guess::Text(text)) => Ok(Some(vec![text.into()])),
            (None, Guess::List(items)) => self.list_spans(items),
            (Some(Value::String(text)), _) => Ok(Some(vec![text.into()])),
            (Some(Value::Array(items)), _) => self.list_spans(&items),
            (Some(_), _) => Ok(None),
        }
    }

    /// The reference draws one element of a list (Q8); repaired, all of them are spans.
    fn list_spans<'a>(&mut self, items: &[Node]) -> Result<Option<Vec<Cow<'a, str>>>, Fault> {
        if self.repairs.has(quirk::RANDOM_ELEMENT) {
            return Ok(all_texts(items, self.repairs));
        }
        let index = self.random.choice_index(items.len()).ok_or(Side::Predicted.fault(Reason::EmptyList))?;
        Ok(items[index].as_str().map(|text| vec![text.to_owned().into()]))
    }
}

fn bags(texts: &[Cow<'_, str>], repairs: Repairs) -> Vec<Bag> {
    texts.iter().flat_map(|text| split_bags(text, repairs)).collect()
}

/// A text or list that equals the gold answer is right before anything in it is taken for JSON.
fn is_the_gold_itself(gold: &[Alternative<'_>], guess: Guess<'_>) -> bool {
    match guess {
        Guess::Text(text) => gold.contains(&Alternative::Text(text)),
        Guess::List(items) => {
            let texts = items.iter().map(|item| item.as_str().map(Alternative::Text));
            texts.eq(gold.iter().map(|alternative| Some(*alternative)))
        }
    }
}

/// The elements of a list and of the lists in it as texts; `n/a` if all are NA, none if one is an object.
fn all_texts<'a>(items: &[Node], repairs: Repairs) -> Option<Vec<Cow<'a, str>>> {
    if items.iter().all(|item| is_na(&item.value, Side::Predicted, repairs).unwrap_or(false)) {
        return Some(vec!["n/a".into()]);
    }
    let mut texts = Vec::new();
    for item in items {
        match &item.value {
            Value::Object(_) => return None,
            Value::Array(items) => texts.extend(all_texts(items, repairs)?),
            scalar => texts.push(to_text(scalar).into()),
        }
    }
    Some(texts)
}

#[cfg(test)]
mod tests;
