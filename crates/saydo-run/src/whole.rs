//! Files that appear when they are whole: written beside their place, then renamed.

use crate::Error;
use std::fs::{self, File};
use std::path::Path;

/// Writes a file by `write`. If that fails, nothing is left, and a file that was there before stays.
pub fn write<T>(path: &Path, write: impl FnOnce(&File) -> Result<T, Error>) -> Result<T, Error> {
    let temporary = path.with_added_extension("partial");
    let file = File::create(&temporary).map_err(Error::write(&temporary))?;
    let written = write(&file).and_then(|value| {
        file.sync_all().map_err(Error::write(&temporary))?;
        fs::rename(&temporary, path).map_err(Error::write(path))?;
        Ok(value)
    });
    written.inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}
