//! Everything that training needs to go on as if it had never stopped.

use crate::parameter::{set, values};
use crate::{Error, Learner, Optimizer, Settings};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
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
    /// Writes a checkpoint into a folder. The folder's own name appears when it is whole; an earlier one is replaced.
    pub fn save(&self, folder: &Path, learner: &Learner, optimizer: &Optimizer) -> Result<(), Error> {
        let temporary = folder.with_added_extension("partial");
        let _ = std::fs::remove_dir_all(&temporary);
        std::fs::create_dir_all(&temporary).map_err(Error::file("write", &temporary))?;
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
        let write = |name: &str, bytes: &[u8]| {
            let path = temporary.join(name);
            std::fs::write(&path, bytes).map_err(Error::file("write", &path))
        };
        if let Some(seen) = &learner.seen {
            seen.save(&temporary)?;
        }
        write(NUMBERS, &numbers)?;
        write(STATE, serde_json::to_string_pretty(self).expect("a checkpoint is JSON").as_bytes())?;
        let old = folder.with_added_extension("old");
        let _ = std::fs::remove_dir_all(&old);
        if folder.exists() {
            std::fs::rename(folder, &old).map_err(Error::file("write", folder))?;
        }
        std::fs::rename(&temporary, folder).map_err(Error::file("write", folder))?;
        let _ = std::fs::remove_dir_all(&old);
        Ok(())
    }

    /// Reads a checkpoint back into a learner and an optimizer; none if there is none. One that was being replaced when
    /// the process ended is found under the name it was put aside with.
    pub fn load(
        folder: &Path,
        settings: &Settings,
        data: &str,
        learner: &Learner,
        optimizer: &mut Optimizer,
    ) -> Result<Option<Self>, Error> {
        let old = folder.with_added_extension("old");
        let Some(folder) = [folder.to_owned(), old].into_iter().find(|folder| folder.join(STATE).is_file()) else {
            return Ok(None);
        };
        let checkpoint = Self::read(&folder)?;
        let other = |reason: &str| Error::OtherTraining { path: folder.clone(), reason: reason.to_owned() };
        if checkpoint.data != data {
            return Err(other("its data differ"));
        }
        // More steps than before only lengthen a training, and memory changes none of its numbers; everything else would make it
        // another one.
        let same = Settings { steps: settings.steps, memory: settings.memory, ..checkpoint.settings.clone() };
        if same != *settings {
            return Err(other("its settings differ"));
        }
        let mut runs = numbers(&folder.join(NUMBERS))?;
        let state = runs.split_off(learner.parameters.len().min(runs.len()));
        for (parameter, (name, run)) in learner.parameters.iter().zip(runs) {
            if !name.ends_with(&parameter.name) || run.len() != parameter.value.elem_count() {
                return Err(other("its parameters differ"));
            }
            set(parameter, run)?;
        }
        if !optimizer.restore(state, checkpoint.step) {
            return Err(other("its optimizer differs"));
        }
        Ok(Some(checkpoint))
    }

    fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(STATE);
        let text = std::fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        serde_json::from_str(&text).map_err(|error| bad(path, &error.to_string()))
    }
}

fn numbers(path: &Path) -> Result<Vec<(String, Vec<f32>)>, Error> {
    let bytes = std::fs::read(path).map_err(Error::file("read", path))?;
    let file = SafeTensors::deserialize(&bytes).map_err(|error| bad(path.to_owned(), &error.to_string()))?;
    let mut runs: Vec<(String, Vec<f32>)> = file
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

fn bad(path: PathBuf, reason: &str) -> Error {
    Error::OtherTraining { path, reason: reason.to_owned() }
}
