//! Scores the prediction files of one task.

use super::Options;
use super::error::Error;
use super::prediction::{Prediction, place_of};
use super::reference::References;
use super::report::FileScore;
use crate::Mode;
use rustc_hash::{FxHashMap, FxHashSet};
use saydo_metrics::bootstrap::mean_interval;
use saydo_metrics::mean::sequential_sum;
use saydo_metrics::python::is_space;
use saydo_metrics::rouge::{RougeScorer, rouge_l};
use std::path::Path;

/// Keeps what the files of a task share: its references, split into tokens when they are first needed.
pub(super) struct TaskScorer<'r> {
    references: &'r References,
    task: &'r str,
    options: &'r Options,
    rouge: RougeScorer,
    encoded: FxHashMap<usize, Vec<Vec<u32>>>,
}

impl<'r> TaskScorer<'r> {
    pub(super) fn new(references: &'r References, task: &'r str, options: &'r Options) -> Self {
        TaskScorer { references, task, options, rouge: RougeScorer::new(), encoded: FxHashMap::default() }
    }

    /// The score of one file: the mean over its predictions.
    pub(super) fn score_file(&mut self, path: &Path, predictions: &[Prediction]) -> Result<FileScore, Error> {
        if predictions.is_empty() {
            return Err(Error::NoPredictions { path: path.to_owned() });
        }
        let mut scores = Vec::with_capacity(predictions.len());
        let mut strict = Vec::new();
        for (item, prediction) in predictions.iter().enumerate() {
            if !self.is_scorable(path, item, prediction.index)? {
                continue;
            }
            if self.options.mode == Mode::Fixed {
                strict.push(self.best(prediction.index, &prediction.output));
                scores.push(self.best(prediction.index, first_line(&prediction.output)));
            } else {
                scores.push(self.best(prediction.index, &prediction.output));
            }
        }
        if scores.is_empty() {
            return Err(Error::NothingScorable {
                path: path.to_owned(),
                found: predictions.len(),
                task: self.task.to_owned(),
            });
        }
        let mean = |scores: &[f64]| sequential_sum(scores) / scores.len() as f64;
        let distinct: FxHashSet<usize> = predictions.iter().map(|prediction| prediction.index).collect();
        Ok(FileScore {
            file: super::pairing::base_name(path),
            task: self.task.to_owned(),
            n: scores.len(),
            rouge_l: mean(&scores),
            interval: mean_interval(&scores, self.options.seed).map(|interval| [interval.low, interval.high]),
            unscorable: predictions.len() - scores.len(),
            repeated: predictions.len() - distinct.len(),
            strict: (self.options.mode == Mode::Fixed).then(|| mean(&strict)),
            scores,
        })
    }

    /// Whether there is gold for an instance. Where the task is known in part only, a gap is no error.
    fn is_scorable(&self, path: &Path, item: usize, index: usize) -> Result<bool, Error> {
        match self.references.of(index) {
            Some([_, ..]) => Ok(true),
            _ if self.references.is_partial() => Ok(false),
            Some([]) => {
                Err(Error::NoReference { place: place_of(path, item), item, index, task: self.task.to_owned() })
            }
            None => Err(Error::UnknownIndex {
                place: place_of(path, item),
                item,
                index,
                task: self.task.to_owned(),
                instances: self.references.len(),
            }),
        }
    }

    /// The best F-measure against the references of an instance.
    fn best(&mut self, index: usize, output: &str) -> f64 {
        let rouge = &mut self.rouge;
        let prediction = rouge.encode(output);
        let targets = self.encoded.entry(index).or_insert_with(|| {
            let outputs = self.references.of(index).unwrap_or_default();
            outputs.iter().map(|output| rouge.encode(output)).collect()
        });
        targets.iter().map(|target| rouge_l(&prediction, target).f_measure).fold(0.0, f64::max)
    }
}

/// The first line that holds something: a model that was not stopped goes on with the next example (Q17).
fn first_line(output: &str) -> &str {
    let output = output.trim_start_matches(is_space);
    output.split('\n').next().unwrap_or(output)
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn a_continuation_is_cut_after_its_first_line() {
        assert_eq!(first_line("\n\n yes \ninput: more"), "yes ");
        assert_eq!(first_line("no"), "no");
        assert_eq!(first_line(" \n"), "");
    }
}
