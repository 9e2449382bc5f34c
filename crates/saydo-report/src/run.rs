//! One run of a report: what was asked and said, and what it scores.

use crate::Error;
use saydo_protocol::Scores;
use saydo_protocol::coding::{self, CodingReport};
use saydo_protocol::natural_instructions::survey::Survey;
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score, variants};
use saydo_protocol::table::{self, Table};
use saydo_protocol::turking::judged;
use saydo_protocol::turking::judgement::JudgementReport;
use std::path::Path;

/// A run that is read and scored.
#[derive(Debug, Clone)]
pub struct Run {
    /// What it is called in the report.
    pub name: String,
    /// What was asked and what was said.
    pub opened: Opened,
    /// What that scores.
    pub scores: Scores,
    /// Each sample's layout, with few or many examples where both were run.
    pub variants: Vec<String>,
    /// What people said of its outputs, where they were asked.
    pub judged: Option<JudgementReport>,
    /// What people said of its errors, where they were asked.
    pub coding: Option<CodingReport>,
    /// What people said of the elements of instructions, where they were asked.
    pub survey: Option<Survey>,
}

impl Run {
    /// Reads the run in a folder and scores it.
    pub fn load(folder: &Path, options: &Options) -> Result<Self, Error> {
        let opened = Opened::load(folder)?;
        let mut scores = score(&opened.plan, &opened.cells, options)?;
        // Judgements of other outputs than the run has now are no reason to show nothing.
        let judged = judged::report(&opened, &scores, options.seed).unwrap_or_else(|error| {
            scores.notes.push(format!("what people said of the outputs is left out: {error}"));
            None
        });
        let coding = coding::report(&opened, options.seed).unwrap_or_else(|error| {
            scores.notes.push(format!("what people said of the errors is left out: {error}"));
            None
        });
        Ok(Self { judged, coding, ..Self::new(opened, scores) })
    }

    /// A run that is read and scored already.
    pub fn new(opened: Opened, scores: Scores) -> Self {
        let variants = variants(&opened.plan);
        Self { name: short(&opened.record.model), opened, scores, variants, judged: None, coding: None, survey: None }
    }

    /// The tables of its scores and of what people said, those without rows left out.
    pub fn tables(&self) -> Vec<Table> {
        let said = self.judged.iter().flat_map(judged::tables);
        let coded = self.coding.iter().flat_map(coding::tables);
        let survey = self.survey.iter().map(|survey| survey.table(&self.scores.elements.gains));
        table::tables(&self.scores)
            .into_iter()
            .chain(said)
            .chain(coded)
            .chain(survey)
            .filter(|table| !table.rows.is_empty())
            .collect()
    }

    /// The headline metric.
    pub(crate) fn metric(&self) -> &'static str {
        self.scores.protocol.metrics()[0]
    }
}

/// Gives runs whose models have the same name that of their folder, and a number if those are the same too.
pub(crate) fn tell_apart(runs: &mut [Run]) {
    let folder = |run: &Run| run.opened.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let repeated = repeated(runs);
    for (run, is_repeated) in runs.iter_mut().zip(repeated) {
        if is_repeated && let Some(folder) = folder(run) {
            run.name = folder;
        }
    }
    let repeated = self::repeated(runs);
    for (place, run) in runs.iter_mut().enumerate().filter(|(place, _)| repeated[*place]) {
        run.name = format!("{} {}", run.name, place + 1);
    }
}

fn repeated(runs: &[Run]) -> Vec<bool> {
    runs.iter().map(|run| runs.iter().filter(|other| other.name == run.name).count() > 1).collect()
}

/// A model's name without the folders of a path.
fn short(model: &str) -> String {
    let path = model.split_once(':').map_or(model, |(_, path)| path);
    let kind = &model[..model.len() - path.len()];
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    format!("{kind}{last}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn models_are_called_by_the_last_part_of_their_path() {
        assert_eq!(short("smollm2-135m"), "smollm2-135m");
        assert_eq!(short("replay:data/gpt3_predictions/"), "replay:gpt3_predictions");
        assert_eq!(short("hf:owner/repo"), "hf:repo");
    }

    #[test]
    fn runs_of_one_model_are_told_apart() {
        let mut runs = [fixture::zest(&[]), fixture::zest(&[])];
        tell_apart(&mut runs);
        assert_ne!(runs[0].name, runs[1].name);
    }
}
