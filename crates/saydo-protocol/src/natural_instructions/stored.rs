//! Predictions in memory: those of published files, read for someone else to use, and those of a run, to be scored.

use super::error::Error;
use super::prediction::{self, Prediction};
use super::reference::References;
use super::report::{FileScore, Report};
use super::scorer::TaskScorer;
use super::{Options, encoding, pairing};
use rayon::prelude::*;
use std::path::Path;

/// What a prediction file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The file's name without folders and without `.gz`.
    pub file: String,
    /// The task that the name says it is for.
    pub task: String,
    /// The elements of the instruction and the number of examples, where the name tells them.
    pub encoding: Option<(Vec<String>, usize)>,
    /// The number of each instance and what was said for it.
    pub predictions: Vec<(usize, String)>,
}

/// Reads a prediction file, or every prediction file of a folder in the order of names.
pub fn stored(path: &Path) -> Result<Vec<Stored>, Error> {
    let mut files = pairing::files(path)?;
    files.sort();
    files.par_iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<Stored, Error> {
    let file = pairing::base_name(path);
    let predictions = prediction::load(path)?.into_iter().map(|one| (one.index, one.output)).collect();
    Ok(Stored { task: pairing::stem(path), encoding: encoding::parse(&file), file, predictions })
}

/// What was said for some instances of a task, under one way of writing the instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Given<'a> {
    /// The task's id.
    pub task: &'a str,
    /// The elements of the instruction and the number of examples, where known.
    pub encoding: Option<(Vec<&'a str>, usize)>,
    /// The gold outputs of each instance, at least one, and what was said for it.
    pub predictions: Vec<(&'a [String], &'a str)>,
}

impl Given<'_> {
    /// The name that the released files of such predictions have.
    fn file(&self) -> String {
        match &self.encoding {
            Some((elements, examples)) => {
                let elements: String = elements.iter().map(|element| format!("_{element}")).collect();
                format!("{}@{elements}@{examples}_{}.json", self.task, self.predictions.len())
            }
            None => format!("{}.json", self.task),
        }
    }
}

/// Scores predictions in memory as [`super::score`] scores files, one file for each. Gives the score of each in the order
/// given, and the report that lists them by name.
pub fn score_given(given: &[Given<'_>], options: &Options) -> Result<(Vec<FileScore>, Report), Error> {
    let files: Result<Vec<FileScore>, Error> = given.par_iter().map(|given| score_one(given, options)).collect();
    let files = files?;
    let report = Report::new(Path::new("the run"), files.clone(), Vec::new(), options)?;
    Ok((files, report))
}

fn score_one(given: &Given<'_>, options: &Options) -> Result<FileScore, Error> {
    let outputs = given.predictions.iter().map(|(gold, _)| gold.to_vec()).collect();
    let references = References::of_outputs(outputs);
    let said = given.predictions.iter().enumerate();
    let predictions: Vec<Prediction> =
        said.map(|(index, (_, output))| Prediction { index, output: (*output).to_owned() }).collect();
    TaskScorer::new(&references, given.task, options).score_file(Path::new(&given.file()), &predictions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_scored_as_files_of_the_released_names_are() {
        let gold = ["a blue house".to_owned()];
        let given = |examples, said| Given {
            task: "t",
            encoding: Some((vec!["Prompt", "Positive Examples Full Only"], examples)),
            predictions: vec![(&gold[..], said)],
        };
        let (_, report) = score_given(&[given(2, "a blue house"), given(40, "a house")], &Options::default()).unwrap();
        let row = &report.by_encoding[0];
        assert_eq!(row.encoding, "prompt + pos. examples");
        assert_eq!((row.small.rouge_l, row.large.map(|cell| cell.rouge_l)), (1.0, Some(0.8)));
    }
}
