//! BART's training files: a line per passage in a source file and in a target file.
//!
//! Where an answer leaves a choice, one alternative is drawn at random. The released code seeds Python's generator with
//! 5 once and goes through train, dev and test, so the same `choose` must serve train and then dev.

use super::json;
use crate::layout::zest_bart;
use crate::{Error, Result};
use saydo_task::format::zest::Record;
use saydo_task::node::{Node, Value};

/// What stands for the answer in the lines of the test split.
const NO_ANSWER: &str = "TEST SET NO ANSWER";

/// The two files of a split, each line ended by LF.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BartLines {
    /// Questions with their contexts.
    pub source: String,
    /// Answers.
    pub target: String,
}

/// The lines of a split with answers. `choose` gives an index below its argument, or none if that is 0.
///
/// A structured answer (a text that is a JSON list) is written anew with one element for each list in its rows. The
/// released code stops at an answer that is neither a text nor a list of texts, at rows that are not objects and at
/// empty lists; here these are errors.
pub fn bart_lines(records: &[Record], choose: &mut dyn FnMut(usize) -> Option<usize>) -> Result<BartLines> {
    lines(records, |record, i| {
        let place = |(found, expected)| Error::Answer { line: record.line, example: i + 1, found, expected };
        target(record.examples[i].answer.as_ref(), choose).map_err(place)
    })
}

/// The lines of the test split, whose answers are not public.
pub fn bart_test_lines(records: &[Record]) -> BartLines {
    lines(records, |_, _| Ok(NO_ANSWER.to_owned())).expect("a constant answer is always there")
}

fn lines(records: &[Record], mut target: impl FnMut(&Record, usize) -> Result<String>) -> Result<BartLines> {
    let mut lines = BartLines::default();
    for record in records {
        let prefix = zest_bart::prefix(&record.question, &[]);
        for (i, example) in record.examples.iter().enumerate() {
            lines.source.push_str(&format!("{prefix}{}\n", zest_bart::suffix(&example.context)));
            lines.target.push_str(&(target(record, i)? + "\n"));
        }
    }
    Ok(lines)
}

/// What was found in an answer, and what was expected.
type Mismatch = (&'static str, &'static str);

fn target(answer: Option<&Value>, choose: &mut dyn FnMut(usize) -> Option<usize>) -> Result<String, Mismatch> {
    match answer {
        Some(Value::String(text)) => match saydo_task::json::parse(text).map(|parsed| parsed.root.value) {
            Ok(Value::Array(rows)) => structure(rows, choose),
            _ => Ok(text.clone()),
        },
        Some(Value::Array(alternatives)) => match chosen(alternatives, choose)? {
            Value::String(text) => Ok(text.clone()),
            other => Err((other.kind(), "a text for each alternative")),
        },
        Some(other) => Err((other.kind(), "a text or a list of texts")),
        None => Err(("no value", "a text or a list of texts")),
    }
}

/// A list of records with one element in place of each list, as JSON.
fn structure(mut rows: Vec<Node>, choose: &mut dyn FnMut(usize) -> Option<usize>) -> Result<String, Mismatch> {
    for row in &mut rows {
        let Value::Object(entries) = &mut row.value else { return Err((row.value.kind(), "an object for each row")) };
        for (_, node) in entries {
            if let Value::Array(alternatives) = &node.value {
                node.value = chosen(alternatives, choose)?.clone();
            }
        }
    }
    Ok(json::to_ascii_string(&Value::Array(rows)))
}

fn chosen<'n>(list: &'n [Node], choose: &mut dyn FnMut(usize) -> Option<usize>) -> Result<&'n Value, Mismatch> {
    let index = choose(list.len()).filter(|index| *index < list.len());
    index.map(|index| &list[index].value).ok_or(("an empty list", "something to choose from"))
}

#[cfg(test)]
mod tests;
