//! Stored predictions as a model: published outputs go through the same path as new ones.

use crate::Mode;
use crate::natural_instructions::{self, Stored};
use crate::zest::{PredictionFormat, Repairs, read_predictions};
use crate::{Error, Plan, Protocol, Sample};
use saydo_encode::Layout;
use saydo_task::source::Source;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Predictions that were made before.
#[derive(Debug, Clone)]
pub struct Replay {
    path: PathBuf,
    stored: Predictions,
}

#[derive(Debug, Clone)]
enum Predictions {
    /// Files of Natural Instructions, each for a task, an encoding and a number of examples.
    Files { files: Vec<Stored>, outputs: HashMap<(String, Option<Encoding>, usize), String> },
    /// One for each sample, in the order of the data.
    InOrder(Vec<String>),
    /// One for each instance, by its id.
    ById(HashMap<String, String>),
}

/// Elements and number of examples.
type Encoding = (Vec<String>, usize);

impl Replay {
    /// Reads what a protocol's predictions are stored as: for Natural Instructions a file or folder of
    /// `{"predictions": [{"index", "output"}]}`; for ZEST a prediction per line; JSON Lines of `id` and `prediction` for
    /// all but these.
    pub fn load(path: &Path, protocol: Protocol) -> Result<Self, Error> {
        let stored = match protocol {
            Protocol::NaturalInstructions => {
                let files = natural_instructions::stored(path)?;
                let outputs = files.iter().flat_map(|file| {
                    let key = move |index: usize| (file.task.clone(), file.encoding.clone(), index);
                    file.predictions.iter().map(move |(index, output)| (key(*index), output.clone()))
                });
                let outputs = outputs.collect();
                Predictions::Files { files, outputs }
            }
            Protocol::Zest | Protocol::Labelled | Protocol::Reading => in_order(path)?,
            Protocol::SuperNaturalInstructions | Protocol::Turking => by_id(path)?,
        };
        Ok(Self { path: path.to_owned(), stored })
    }

    /// The files of Natural Instructions, if it is those.
    pub fn files(&self) -> Option<&[Stored]> {
        match &self.stored {
            Predictions::Files { files, .. } => Some(files),
            Predictions::InOrder(_) | Predictions::ById(_) => None,
        }
    }

    /// These predictions, taken to be for one task whatever the file's name says.
    #[must_use]
    pub fn for_task(mut self, id: &str) -> Self {
        if let Predictions::Files { files, outputs } = &mut self.stored {
            files.iter_mut().for_each(|file| file.task = id.to_owned());
            let renamed = std::mem::take(outputs).into_iter();
            *outputs =
                renamed.map(|((_, encoding, index), output)| ((id.to_owned(), encoding, index), output)).collect();
        }
        self
    }

    /// Where they stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was said to a sample, the `number`-th of the plan; none if nothing was.
    pub fn reply(&self, plan: &Plan, sample: &Sample, number: usize) -> Option<String> {
        let task = &plan.tasks[sample.task];
        let instance = &task.instances[sample.instance];
        match &self.stored {
            Predictions::InOrder(replies) => replies.get(number).cloned(),
            Predictions::ById(replies) => {
                let unnamed = || format!("{}-{}", task.id, instance.number);
                replies.get(&instance.id.clone().unwrap_or_else(unnamed)).cloned()
            }
            Predictions::Files { outputs, .. } => {
                let index = instance.id.as_deref().and_then(|id| id.parse().ok()).unwrap_or(instance.number);
                let encoding = elements(&plan.layouts[sample.layout]).map(|elements| (elements, sample.examples));
                outputs.get(&(task.id.clone(), encoding, index)).cloned()
            }
        }
    }
}

/// The elements of a layout as file names list them.
fn elements(layout: &str) -> Option<Vec<String>> {
    match Layout::named(layout) {
        Ok(Layout::NaturalInstructions(layout)) => {
            Some(layout.elements.iter().map(|element| element.name().to_owned()).collect())
        }
        Ok(_) => None,
        Err(_) if layout == "unknown" => None,
        Err(_) => Some(layout.split(" + ").map(str::to_owned).collect()),
    }
}

fn in_order(path: &Path) -> Result<Predictions, Error> {
    let source = Source::load(path)?;
    let predictions = read_predictions(&source.text, PredictionFormat::from_path(path), Repairs::from(Mode::Fixed))?;
    Ok(Predictions::InOrder(predictions.into_iter().map(|prediction| prediction.text.unwrap_or_default()).collect()))
}

fn by_id(path: &Path) -> Result<Predictions, Error> {
    let source = Source::load(path)?;
    let mut replies = HashMap::new();
    for line in source.text.lines().filter(|line| !line.trim().is_empty()) {
        let row: Option<Value> = serde_json::from_str(line).ok();
        let text = |key: &str| row.as_ref().and_then(|row| row[key].as_str()).map(str::to_owned);
        let (Some(id), Some(prediction)) = (text("id"), text("prediction")) else {
            let expected = "JSON Lines with `id` and `prediction`".to_owned();
            return Err(Error::BadReplay { path: path.to_owned(), expected });
        };
        replies.insert(id, prediction);
    }
    Ok(Predictions::ById(replies))
}
