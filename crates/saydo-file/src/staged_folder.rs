//! A folder that gets its name when it is whole, while the one before it stays under another name.

use crate::disk::{self, Handle, folder_of};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A folder that is being filled. It takes its place on [`StagedFolder::commit`]; dropped before, it leaves nothing. Not for
/// two processes at once.
#[derive(Debug)]
pub struct StagedFolder {
    path: PathBuf,
    temporary: PathBuf,
}

/// Where the folder goes that a commit replaces. A process that ends in the middle of a commit may leave it alone there, so
/// readers look here if the folder itself is missing or damaged.
pub fn previous(folder: &Path) -> PathBuf {
    folder.with_added_extension("old")
}

impl StagedFolder {
    /// Begins a folder beside the one it will replace. What an earlier process left of one is removed.
    pub fn create(path: &Path) -> io::Result<Self> {
        let staged = Self { path: path.to_owned(), temporary: path.with_added_extension("partial") };
        disk::remove_folder(&staged.temporary)?;
        disk::create_folders(&staged.temporary)?;
        Ok(staged)
    }

    /// Where the folder is until it is committed.
    pub fn staging_path(&self) -> &Path {
        &self.temporary
    }

    /// Adds a file and syncs it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = Handle::create_new(&self.temporary.join(name))?;
        file.write_all(bytes)?;
        file.sync()
    }

    /// Gives the folder its name. The one that had it becomes the [`previous`] one.
    pub fn commit(self) -> io::Result<()> {
        disk::sync_folder(&self.temporary)?;
        replace_folder(&self.temporary, &self.path, &previous(&self.path))
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        // After a commit there is nothing left to remove; what fails to go is removed by the next one.
        if self.temporary.exists() {
            let _ = disk::remove_folder(&self.temporary);
        }
    }
}

/// Puts a synced folder in the place of another, which is kept aside in place of what was there. A folder that is not empty
/// cannot be renamed over, so there is a moment without one; if the second step fails, the first is undone.
pub fn replace_folder(new: &Path, path: &Path, aside: &Path) -> io::Result<()> {
    if path.exists() {
        disk::remove_folder(aside)?;
        disk::rename(path, aside)?;
        if let Err(error) = disk::rename(new, path) {
            let _ = disk::rename(aside, path);
            return Err(error);
        }
    } else {
        disk::rename(new, path)?;
    }
    disk::sync_folder(folder_of(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn save(path: &Path, text: &str) {
        let staged = StagedFolder::create(path).unwrap();
        staged.write("a", text.as_bytes()).unwrap();
        staged.commit().unwrap();
    }

    #[test]
    fn the_folder_before_stays_as_the_previous_one() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("deep/folder");
        for text in ["one", "two", "three"] {
            save(&path, text);
        }
        let read = |folder: &Path| fs::read_to_string(folder.join("a")).unwrap();
        assert_eq!((read(&path), read(&previous(&path))), ("three".to_owned(), "two".to_owned()));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_is_dropped_leaves_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("folder");
        save(&path, "old");
        StagedFolder::create(&path).unwrap().write("a", b"new").unwrap();
        assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "old");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }
}
