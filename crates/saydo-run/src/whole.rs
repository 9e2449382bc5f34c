//! Files that appear when they are whole.

use crate::Error;
use saydo_file::Draft;
use std::path::Path;

/// Writes a file by `write`. If that fails, nothing is left, and a file that was there before stays.
pub fn write<T>(path: &Path, write: impl FnOnce(&mut Draft) -> Result<T, Error>) -> Result<T, Error> {
    let mut draft = Draft::create(path).map_err(Error::write(path))?;
    let value = write(&mut draft)?;
    draft.commit().map_err(Error::write(path))?;
    Ok(value)
}
