//! Errors sorted by people: a seeded sample of wrong outputs, a code book, and how far two coders agree.
//!
//! ZEST sorted 100 errors (Table 6), the Turking Test 150 outputs of each crowd task, Natural Instructions 30. Rules sort all
//! errors at once ([`crate::zest::ErrorKind`], [`crate::turking::Pattern`]); people sort a sample, and what they say is kept in
//! `codes.jsonl` beside the run, whose report shows it. A model can code the same sample: its codes stand beside the people's
//! as a suggestion and are never counted among them.

mod book;
mod model;
mod tally;

pub use book::{Book, Code, NOT_AN_ERROR, book};
pub use model::code_each;
pub use tally::{CodeShare, CodingReport, tables, tally};

use crate::record::{Opened, write_lines};
use crate::score::Scores;
use crate::text::rows;
use crate::{Error, Protocol};
use saydo_metrics::python::Random;
use saydo_task::node::Node;
use saydo_task::problem::Code as ProblemCode;
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// One at a time in this process: what is kept is what was there and what is new.
static KEEPING: Mutex<()> = Mutex::new(());

/// Under ROUGE-L an output below this counts as wrong; coders can still say that it is not.
const WRONG_BELOW: f64 = 0.5;

/// A wrong output to be coded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// What it is known by: the key of its sample.
    pub id: String,
    /// The task.
    pub task: String,
    /// What was asked.
    pub prompt: String,
    /// Every acceptable output; empty where none is known.
    pub gold: Vec<String>,
    /// What was said.
    pub output: String,
}

/// What somebody said of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coded {
    /// The item's id.
    pub item: String,
    /// Who: a person's name, or a model's.
    pub coder: String,
    /// The code.
    pub code: String,
    /// What they had to add.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether the coder is a model.
    #[serde(skip_serializing_if = "is_false")]
    pub by_model: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The file in a run's folder.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("codes.jsonl")
}

/// How many errors the protocol's paper sorted: of each task for the Turking Test.
pub fn papers_size(protocol: Protocol) -> usize {
    match protocol {
        Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions => 30,
        Protocol::Zest | Protocol::Labelled | Protocol::Reading => 100,
        Protocol::Turking => 150,
    }
}

/// A sample of a run's wrong outputs, drawn by the seed, in the order of the plan; all of them if there are no more. Of the
/// Turking Test, so many outputs of each task.
pub fn sample(run: &Opened, scores: &Scores, size: usize, seed: u32) -> Vec<Item> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for number in wrong(run, scores) {
        let group = if run.plan.protocol == Protocol::Turking { run.plan.samples[number].task } else { 0 };
        groups.entry(group).or_default().push(number);
    }
    let mut random = Random::seeded(seed);
    let mut drawn = Vec::new();
    for mut numbers in groups.into_values() {
        for _ in 0..size.min(numbers.len()) {
            if let Some(place) = random.choice_index(numbers.len()) {
                drawn.push(numbers.swap_remove(place));
            }
        }
    }
    drawn.sort_unstable();
    drawn.into_iter().map(|number| item(run, scores, number)).collect()
}

/// The samples with a wrong reply.
fn wrong(run: &Opened, scores: &Scores) -> Vec<usize> {
    let is_wrong = |number: &usize| {
        let scored = &scores.samples[*number];
        let first = scored.metrics.first().copied().flatten();
        scored.reply.is_some()
            && match run.plan.protocol {
                Protocol::Turking => {
                    first.or(scored.metrics.get(1).copied().flatten()).is_some_and(|right| right < 1.0)
                }
                Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions => {
                    first.is_some_and(|score| score < WRONG_BELOW)
                }
                Protocol::Zest | Protocol::Labelled | Protocol::Reading => first.is_some_and(|score| score < 1.0),
            }
    };
    (0..run.plan.samples.len()).filter(is_wrong).collect()
}

fn item(run: &Opened, scores: &Scores, number: usize) -> Item {
    let sample = &run.plan.samples[number];
    Item {
        id: sample.key.to_string(),
        task: run.plan.task(sample).id.clone(),
        prompt: run.plan.prompt(sample),
        gold: run.plan.instance(sample).gold.clone(),
        output: scores.samples[number].reply.clone().unwrap_or_default(),
    }
}

/// Reads codes: JSON Lines with `item`, `coder`, `code` and a `note`. Rows without a code are blank and left out. A coder that
/// is not named has the file's name. Every item and code must be known.
pub fn read(source: &Source, items: &HashSet<String>, book: &Book) -> Result<Vec<Coded>, saydo_task::Error> {
    let stem = source.path.file_stem().map_or_else(|| "coder".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let row = |reader: &mut Reader<'_>, node: &Node, _: usize| {
        let mut text = |key| match node.get(key) {
            Some(node) if node.value == saydo_task::node::Value::Null => None,
            _ => reader.text(node, At::Root, key, Need::Optional).filter(|text| !text.trim().is_empty()),
        };
        let (item, coder, code, note) = (text("item"), text("coder"), text("code"), text("note"));
        let by_model = node.get("by_model").is_some_and(|flag| flag.value == saydo_task::node::Value::Bool(true));
        let code = code?;
        let place = |key: &str| node.get(key).map_or(node.offset, |node| node.offset);
        let Some(item) = item.filter(|item| items.contains(item)) else {
            reader.report(
                ProblemCode::UnknownWord,
                place("item"),
                At::Root.key("item"),
                "an output that the run does not have",
                "an item of its sheets",
            );
            return None;
        };
        let Some(known) = book.codes.iter().find(|known| known.name.eq_ignore_ascii_case(code.trim())) else {
            let names: Vec<&str> = book.codes.iter().map(|code| code.name).collect();
            let (found, expected) = (format!("`{code}`"), format!("one of {}", names.join(", ")));
            reader.report(ProblemCode::UnknownWord, place("code"), At::Root.key("code"), found, expected);
            return None;
        };
        Some(Coded {
            item,
            coder: coder.unwrap_or_else(|| stem.clone()),
            code: known.name.to_owned(),
            note: note.unwrap_or_default(),
            by_model,
        })
    };
    rows::read(source, row)
}

/// Keeps codes in the run's folder and gives how many there are now. What a coder said earlier of the same item is replaced;
/// what others said stays. The file appears when it is whole.
pub fn keep(run: &Opened, new: Vec<Coded>) -> Result<usize, Error> {
    let _one = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all: BTreeMap<(String, String), Coded> = BTreeMap::new();
    for coded in kept(run)?.into_iter().chain(new) {
        all.insert((coded.coder.clone(), coded.item.clone()), coded);
    }
    write_lines(&path(&run.folder), all.values())?;
    Ok(all.len())
}

/// The codes kept with a run; none if nobody coded it.
pub fn kept(run: &Opened) -> Result<Vec<Coded>, Error> {
    let path = path(&run.folder);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let known: HashSet<String> = run.plan.samples.iter().map(|sample| sample.key.to_string()).collect();
    Ok(read(&Source::load(&path)?, &known, &book(run.plan.protocol))?)
}

/// What people and models said of a run's errors; none if nobody coded them.
pub fn report(run: &Opened, seed: u64) -> Result<Option<CodingReport>, Error> {
    let codes = kept(run)?;
    let tasks: HashMap<String, String> =
        run.plan.samples.iter().map(|sample| (sample.key.to_string(), run.plan.task(sample).id.clone())).collect();
    Ok((!codes.is_empty()).then(|| tally(&book(run.plan.protocol), &codes, &tasks, seed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn sheets_are_read_and_checked() {
        let items = HashSet::from(["a".to_owned(), "b".to_owned()]);
        let book = book(Protocol::Zest);
        let sheet = "{\"item\": \"a\", \"code\": \"Recall\", \"note\": \"x\"}\n{\"item\": \"b\", \"code\": null}\n";
        let codes = read(&source("ada.jsonl", sheet), &items, &book).unwrap();
        assert_eq!(codes.len(), 1);
        assert_eq!((codes[0].coder.as_str(), codes[0].code.as_str(), codes[0].by_model), ("ada", "recall", false));
        let error = |text| read(&source("s.jsonl", text), &items, &book).unwrap_err().to_string();
        insta::assert_snapshot!(error("{\"item\": \"a\", \"code\": \"odd\"}\n"), @"s.jsonl:1:23: code: `odd`, expected one of recall, precision, partial, other, not-an-error");
        insta::assert_snapshot!(error("{\"item\": \"z\", \"code\": \"other\"}\n"), @"s.jsonl:1:10: item: an output that the run does not have, expected an item of its sheets");
    }
}
