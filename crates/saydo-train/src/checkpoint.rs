//! Everything that training needs to go on as if it had never stopped.

use crate::parameter::{set, values};
use crate::{Error, Learner, Optimizer, Settings};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use saydo_file::{StagedFolder, digest, previous};
use saydo_task::seen::FILE_NAME;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where training stands. The numbers lie beside it, as they are to the last bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Updates that are done.
    pub step: usize,
    /// The settings.
    pub settings: Settings,
    /// What tells the data from others.
    pub data: String,
    /// The best score so far and the step it was reached at.
    pub best: Option<(usize, f64)>,
    /// Validations since then.
    pub since_best: usize,
}

const STATE: &str = "state.json";
const NUMBERS: &str = "state.safetensors";

impl Checkpoint {
    /// Writes a checkpoint into a folder, which appears when it is whole and on the disk. The one before is kept beside it.
    pub fn save(&self, folder: &Path, learner: &Learner, optimizer: &Optimizer) -> Result<(), Error> {
        let mut runs: Vec<(String, Vec<f32>)> = Vec::new();
        for parameter in &learner.parameters {
            runs.push((format!("parameter.{}", parameter.name), values(parameter)?));
        }
        runs.extend(optimizer.state().into_iter().map(|(name, run)| (format!("optimizer.{name}"), run)));
        let bytes: Vec<(String, Vec<u8>, usize)> = runs
            .into_iter()
            .enumerate()
            // The number keeps them in order: files sort by name.
            .map(|(number, (name, run))| {
                let bytes = run.iter().flat_map(|x| x.to_le_bytes()).collect();
                (format!("{number:06}.{name}"), bytes, run.len())
            })
            .collect();
        let views = bytes.iter().map(|(name, bytes, len)| {
            (name, TensorView::new(Dtype::F32, vec![*len], bytes).expect("four bytes for each number"))
        });
        let numbers = safetensors::serialize(views, None).expect("names are distinct");
        let state = State { checkpoint: self.clone(), numbers_sha256: Some(digest::of(&numbers).hex()) };
        let state = serde_json::to_string_pretty(&state).expect("a checkpoint is JSON");
        let write = || {
            let staged = StagedFolder::create(folder)?;
            staged.write(NUMBERS, &numbers)?;
            staged.write(STATE, state.as_bytes())?;
            if let Some(seen) = &learner.seen {
                staged.write(FILE_NAME, &seen.bytes())?;
            }
            staged.commit()
        };
        write().map_err(Error::file("write", folder))
    }

    /// Reads a checkpoint back into a learner and an optimizer; none if there is none. If the latest cannot be read, the one
    /// before it is taken, and [`Damage`] says what is wrong with the latest.
    pub fn load(
        folder: &Path,
        settings: &Settings,
        data: &str,
        learner: &Learner,
        optimizer: &mut Optimizer,
    ) -> Result<Option<(Self, Option<Damage>)>, Error> {
        let mut damage = None;
        for folder in [folder.to_owned(), previous(folder)].into_iter().filter(|folder| folder.is_dir()) {
            match Self::read(&folder) {
                Ok((checkpoint, numbers)) => {
                    let fits = checkpoint.check(settings, data);
                    fits.and_then(|()| checkpoint.restore(numbers, learner, optimizer)).map_err(
                        |unfit| match unfit {
                            Unfit::Other(reason) => Error::OtherTraining { path: folder, reason: reason.to_owned() },
                            Unfit::Failed(error) => error,
                        },
                    )?;
                    return Ok(Some((checkpoint, damage)));
                }
                // The one that matters to whoever trains is the latest.
                Err(found) => damage = damage.or(Some(found)),
            }
        }
        damage.map_or(Ok(None), |Damage { path, reason }| Err(Error::DamagedCheckpoint { path, reason }))
    }

    /// More steps than before only lengthen a training, and memory changes none of its numbers; everything else would make
    /// it another one.
    fn check(&self, settings: &Settings, data: &str) -> Result<(), Unfit> {
        if self.data != data {
            return Err(Unfit::Other("its data differ"));
        }
        let same = Settings { steps: settings.steps, memory: settings.memory, ..self.settings.clone() };
        if same == *settings { Ok(()) } else { Err(Unfit::Other("its settings differ")) }
    }

    fn restore(&self, mut runs: Runs, learner: &Learner, optimizer: &mut Optimizer) -> Result<(), Unfit> {
        let state = runs.split_off(learner.parameters.len().min(runs.len()));
        for (parameter, (name, run)) in learner.parameters.iter().zip(runs) {
            if !name.ends_with(&parameter.name) || run.len() != parameter.value.elem_count() {
                return Err(Unfit::Other("its parameters differ"));
            }
            set(parameter, run).map_err(|error| Unfit::Failed(error.into()))?;
        }
        if optimizer.restore(state, self.step) { Ok(()) } else { Err(Unfit::Other("its optimizer differs")) }
    }

    /// Reads a whole checkpoint, before anything is changed by it.
    fn read(folder: &Path) -> Result<(Self, Runs), Damage> {
        let path = folder.join(STATE);
        let text = std::fs::read_to_string(&path).map_err(|error| damaged(&path, &error.to_string()))?;
        if text.is_empty() {
            return Err(damaged(&path, "it is empty"));
        }
        let state: State = serde_json::from_str(&text).map_err(|error| damaged(&path, &error.to_string()))?;
        Ok((state.checkpoint, numbers(&folder.join(NUMBERS), state.numbers_sha256.as_deref())?))
    }
}

/// A file that is not what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// What stands in the state file.
#[derive(Serialize, Deserialize)]
struct State {
    #[serde(flatten)]
    checkpoint: Checkpoint,
    /// Over the file of numbers; checkpoints of Saydo 0.1 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers_sha256: Option<String>,
}

/// The numbers of parameters and optimizer, by name.
type Runs = Vec<(String, Vec<f32>)>;

/// Why a checkpoint that can be read cannot be gone on from.
enum Unfit {
    Other(&'static str),
    Failed(Error),
}

fn numbers(path: &Path, sha256: Option<&str>) -> Result<Runs, Damage> {
    let bytes = std::fs::read(path).map_err(|error| damaged(path, &error.to_string()))?;
    if sha256.is_some_and(|expected| digest::of(&bytes).hex() != expected) {
        return Err(damaged(path, "its checksum is wrong"));
    }
    let file = SafeTensors::deserialize(&bytes).map_err(|error| damaged(path, &error.to_string()))?;
    let mut runs: Runs = file
        .tensors()
        .into_iter()
        .map(|(name, view)| {
            let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            (name, view.data().chunks_exact(4).map(number).collect())
        })
        .collect();
    runs.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(runs)
}

fn damaged(path: &Path, reason: &str) -> Damage {
    Damage { path: path.to_owned(), reason: reason.to_owned() }
}

/// Saves what is learned at a step under its number, and takes the oldest away beyond so many.
pub(crate) fn keep_latest(learner: &Learner, folder: &Path, step: usize, most: usize) -> Result<(), Error> {
    if most == 0 {
        return Ok(());
    }
    learner.save(&folder.join(format!("step-{step:06}")))?;
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::file("read", folder))? {
        let path = entry.map_err(Error::file("read", folder))?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("step-")) {
            all.push(path);
        }
    }
    all.sort();
    for old in &all[..all.len().saturating_sub(most)] {
        std::fs::remove_dir_all(old).map_err(Error::file("remove", old))?;
    }
    Ok(())
}
