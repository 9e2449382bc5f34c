//! The files of a folder and of the folders in it.

use super::Place;
use crate::{Error, Format};
use std::fs::{self, DirEntry};
use std::path::Path;

/// The files we read, sorted by name within each folder, and how many other files there are. Hidden ones do not count.
pub fn files(folder: &Path) -> Result<(Vec<Place>, u64), Error> {
    let mut found = (Vec::new(), 0);
    visit(folder, &mut found)?;
    Ok(found)
}

fn visit(folder: &Path, found: &mut (Vec<Place>, u64)) -> Result<(), Error> {
    let failed = |source| Error::Read { path: folder.display().to_string(), source };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<DirEntry>, _>>);
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        // A link to a folder is not followed, so that a circle of them ends; a link to a file is.
        if entry.file_type().map_err(failed)?.is_dir() {
            visit(&path, found)?;
            continue;
        }
        match (fs::metadata(&path), Format::of(&path)) {
            (Ok(kind), Some(format)) if kind.is_file() => found.0.push(Place::file(path, format, kind.len())),
            _ => found.1 += 1,
        }
    }
    Ok(())
}
