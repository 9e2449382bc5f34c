//! Writing files whole: into a temporary sibling, then renamed, so that nobody ever meets half a file.

use crate::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

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
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    refuse_existing(path, overwrite)?;
    let io = |source| Error::Write { path: path.to_owned(), source };
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(io)?;
    let temporary = Temporary { path: unused_name(folder) };
    let mut file = BufWriter::new(File::create(&temporary.path).map_err(io)?);
    write(&mut file).and_then(|()| file.flush()).and_then(|()| file.get_ref().sync_all()).map_err(io)?;
    fs::rename(&temporary.path, path).map_err(io)
}

/// The folder a file stands in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A name in `folder` that no other writer uses; readers of tasks ignore it because of its dot.
pub(crate) fn unused_name(folder: &Path) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".saydo-{}-{count}.tmp", std::process::id()))
}

/// A file or folder that is gone when this is dropped, unless it was renamed before.
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and after a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.path).or_else(|_| fs::remove_dir_all(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
