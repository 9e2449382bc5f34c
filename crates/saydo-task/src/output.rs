//! Writing files of tasks: nothing is overwritten by accident, and nobody ever meets half a file.

use crate::Error;
use saydo_file::Draft;
use saydo_file::disk::{self, folder_of};
use std::fs;
use std::io;
use std::path::Path;

/// Refuses a path at which something stands, unless it may be overwritten.
pub(crate) fn refuse_existing(path: &Path, overwrite: bool) -> Result<(), Error> {
    // Not `exists`, which says no for a link that leads nowhere.
    match fs::symlink_metadata(path) {
        Ok(_) if !overwrite => Err(Error::Exists { path: path.to_owned() }),
        _ => Ok(()),
    }
}

/// Writes a file whole. Folders on the way to it are created.
pub(crate) fn write_whole(
    path: &Path,
    overwrite: bool,
    write: impl FnOnce(&mut Draft) -> io::Result<()>,
) -> Result<(), Error> {
    refuse_existing(path, overwrite)?;
    let write = || {
        disk::create_folders(folder_of(path))?;
        let mut draft = Draft::create(path)?;
        write(&mut draft)?;
        draft.commit()
    };
    write().map_err(|source| Error::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/a.txt");
        let failed = write_whole(&path, false, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err());
        assert!(names(path.parent().unwrap()).is_empty());
        write_whole(&path, false, |file| file.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
    }

    #[test]
    fn nothing_is_overwritten_unless_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let error = write_whole(&path, false, |file| file.write_all(b"new")).unwrap_err();
        assert!(error.to_string().ends_with("a.txt exists already, expected a new name or leave to overwrite"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write_whole(&path, true, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }
}
