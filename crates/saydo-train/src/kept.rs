//! The latest checkpoints as folders to run: adapters or models.

use crate::{Error, Learner};
use std::path::Path;

/// Saves what is learned at a step under its number, and takes the oldest away beyond so many.
pub(crate) fn keep(learner: &Learner, folder: &Path, step: usize, most: usize) -> Result<(), Error> {
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
