//! What people said of the Turking Test's outputs, kept beside the run it is about.
//!
//! `judgements.jsonl` in a run's folder holds a judgement a line, in the columns of a sheet. `saydo judge` and the judging
//! projects of `saydo serve` write it, reports show it; nothing else of the run changes. It is apart from the record
//! because people judge when the run is long over.

mod table;

pub use table::tables;

use crate::record::{Opened, write_lines};
use crate::score::Scores;
use crate::turking::judgement::{Entries, Given, JudgementReport, Judgements, tally};
use crate::turking::score::gold_and_outputs;
use crate::turking::{Gold, Outputs};
use crate::{Error, Protocol};
use saydo_task::source::Source;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// One at a time in this process: what is kept is what was there and what is new.
static KEEPING: Mutex<()> = Mutex::new(());

/// The file in a run's folder.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("judgements.jsonl")
}

/// What can be judged of a run: the outputs of its first layout, whose instructions are those of the test.
pub fn outputs(run: &Opened, scores: &Scores) -> Result<(Gold, Outputs), Error> {
    gold_and_outputs(&run.plan, 0, |number| scores.samples[number].reply.clone())
}

/// Keeps the judgements of filled sheets in the run's folder and gives how many there are now. What a judge said earlier of
/// the same output is replaced; what others said stays. The file appears when it is whole.
pub fn keep(folder: &Path, gold: &Gold, outputs: &Outputs, sheets: &[Source]) -> Result<usize, Error> {
    let _one = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let entries = &Entries::new(gold, outputs, |_| true)?;
    let new = Judgements::read(sheets, entries)?;
    let earlier = read(folder, entries)?.map(|earlier| earlier.given).unwrap_or_default();
    let said: HashSet<(usize, &str)> = new.given.iter().map(|given| (given.entry, given.judge.as_str())).collect();
    let stays = earlier.iter().filter(|given| !said.contains(&(given.entry, given.judge.as_str())));
    let mut all: Vec<&Given> = stays.chain(&new.given).collect();
    all.sort_by(|a, b| (&a.judge, a.entry).cmp(&(&b.judge, b.entry)));
    write_lines(&path(folder), all.iter().map(|given| Line::new(given, entries)))?;
    Ok(all.len())
}

/// What people said of a run; none if nobody was asked.
pub fn report(run: &Opened, scores: &Scores, seed: u64) -> Result<Option<JudgementReport>, Error> {
    if run.record.protocol != Protocol::Turking || !path(&run.folder).is_file() {
        return Ok(None);
    }
    let (gold, outputs) = outputs(run, scores)?;
    let entries = Entries::new(&gold, &outputs, |_| true)?;
    Ok(read(&run.folder, &entries)?.map(|judgements| tally(&entries, &judgements, seed)))
}

fn read(folder: &Path, entries: &Entries<'_>) -> Result<Option<Judgements>, Error> {
    let path = path(folder);
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(Judgements::read(&[Source::load(&path)?], entries)?))
}

/// A judgement under the names of a sheet's columns.
#[derive(Serialize)]
struct Line<'a> {
    item: &'a str,
    task: &'a str,
    output: &'a str,
    judge: &'a str,
    accurate: Option<bool>,
    form_consistent: Option<bool>,
    patterns: String,
    note: &'a str,
}

impl<'a> Line<'a> {
    fn new(given: &'a Given, entries: &'a Entries<'_>) -> Self {
        let entry = &entries.all()[given.entry];
        Self {
            item: &entry.id,
            task: entry.kind().id(),
            output: entry.output,
            judge: &given.judge,
            accurate: given.accurate,
            form_consistent: given.form_consistent,
            patterns: given.patterns.join(", "),
            note: &given.note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turking::Output;
    use saydo_task::turking::{Ask, Instruction, Ordinal};
    use saydo_task::{Instance, Task};

    fn captions() -> (Gold, Outputs) {
        let input = Instruction { ask: Ask::Snli, resource: "A boat.".to_owned() }.text(Ordinal::Words);
        let instance = Instance { id: Some("r0".to_owned()), ..Instance::unlabelled(input) };
        let gold = Gold::new(&[Task { instances: vec![instance], ..Task::default() }]).unwrap();
        let mut outputs = Outputs::new(&gold);
        for text in ["It floats.", "- It\nsinks."] {
            outputs.add(0, Output { decoding: "greedy".to_owned(), text: Some(text.to_owned()) });
        }
        (gold, outputs)
    }

    fn keep_rows(folder: &Path, rows: &[(&str, usize, &str)]) -> Result<usize, String> {
        let row = |(judge, sample, accurate): &(&str, usize, &str)| {
            format!(
                r#"{{"item": "r0/greedy/{sample}", "judge": "{judge}", "accurate": "{accurate}", "form_consistent": "yes", "patterns": "repeats"}}"#
            )
        };
        let text = rows.iter().map(row).collect::<Vec<_>>().join("\n");
        let sheet = Source::from_bytes(Path::new("s.jsonl"), text.into_bytes()).unwrap();
        let (gold, outputs) = captions();
        keep(folder, &gold, &outputs, &[sheet]).map_err(|error| error.to_string())
    }

    #[test]
    fn judgements_add_up_and_later_ones_of_a_judge_replace_earlier_ones() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(keep_rows(folder.path(), &[("Ada", 1, "yes"), ("Ada", 2, "no")]), Ok(2));
        assert_eq!(keep_rows(folder.path(), &[("Bea", 1, "yes"), ("Ada", 2, "yes")]), Ok(3));
        let (gold, outputs) = captions();
        let entries = Entries::open(&gold, &outputs).unwrap();
        let kept = read(folder.path(), &entries).unwrap().unwrap();
        let said: Vec<_> = kept.given.iter().map(|given| (given.judge.as_str(), given.entry, given.accurate)).collect();
        assert_eq!(said, [("Ada", 0, Some(true)), ("Ada", 1, Some(true)), ("Bea", 0, Some(true))]);
        assert_eq!(kept.given[0].patterns, ["repeats"]);
    }

    #[test]
    fn judgements_of_other_outputs_are_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let other = "{\"item\": \"r9/greedy/1\", \"accurate\": \"yes\", \"form_consistent\": \"yes\"}\n";
        std::fs::write(path(folder.path()), other).unwrap();
        let error = keep_rows(folder.path(), &[("Ada", 1, "yes")]).unwrap_err();
        assert!(error.contains("judgements.jsonl:1:1: item: `r9/greedy/1`"), "{error}");
        assert_eq!(std::fs::read_to_string(path(folder.path())).unwrap(), other);
    }
}
