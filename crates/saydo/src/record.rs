//! What a run leaves on disk: its folder, the ledger of its answers, batch files, and what joins those of shards.

pub mod batch;
pub mod cell;
mod folder;
mod ledger;
pub mod merge;

pub use folder::{Folder, Record, TaskRecord};
pub use ledger::{Ledger, Repair};
pub use saydo_corpus::entry::parse as parse_line;
pub use saydo_corpus::{Key, Keys};

use crate::Error;
use saydo_file::Draft;
use std::path::Path;

/// Writes a file by `write`; it appears when it is whole. If that fails, nothing is left, and a file that was there before
/// stays.
pub fn write_whole<T>(path: &Path, write: impl FnOnce(&mut Draft) -> Result<T, Error>) -> Result<T, Error> {
    let mut draft = Draft::create(path).map_err(Error::write(path))?;
    let value = write(&mut draft)?;
    draft.commit().map_err(Error::write(path))?;
    Ok(value)
}
