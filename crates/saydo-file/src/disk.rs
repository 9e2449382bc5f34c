//! The single steps of writing. Each asks [`fault`] first, so that a test can make it fail.

use crate::fault::{self, Step, Verdict};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::symlink as make_link;
use std::path::{Path, PathBuf};

/// A file that is open for writing. It does not buffer.
#[derive(Debug)]
pub struct Handle {
    file: File,
    path: PathBuf,
}

impl Handle {
    /// Makes a file that must not be there yet.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        Self::open_with(path, File::options().write(true).create_new(true))
    }

    /// Opens a file for reading and writing as it is, or makes an empty one.
    pub fn open_or_create(path: &Path) -> io::Result<Self> {
        Self::open_with(path, File::options().read(true).write(true).create(true).truncate(false))
    }

    /// Opens a file for writing at its end, or makes an empty one.
    pub fn open_to_append(path: &Path) -> io::Result<Self> {
        Self::open_with(path, File::options().append(true).create(true))
    }

    /// Opens what is there already, such as a pipe or a device.
    pub fn open_existing(path: &Path) -> io::Result<Self> {
        Self::open_with(path, File::options().write(true))
    }

    fn open_with(path: &Path, options: &fs::OpenOptions) -> io::Result<Self> {
        fault::check(Step::Create, path)?;
        let file = options.open(path)?;
        fault::created(path);
        Ok(Self { file, path: path.to_owned() })
    }

    /// The file itself, to read from or to look at.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Cuts the file off, or lengthens it with zeros.
    pub fn set_len(&self, bytes: u64) -> io::Result<()> {
        fault::check(Step::Truncate, &self.path)?;
        self.file.set_len(bytes)
    }

    /// Returns when all bytes written so far are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        fault::check(Step::Sync, &self.path)?;
        match fault::synced(&self.path) {
            true => Ok(()),
            false => where_possible(self.file.sync_all()),
        }
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match fault::verdict(Step::Write, &self.path) {
            Verdict::Go => self.file.write(bytes),
            Verdict::Fail(error) => Err(error),
            Verdict::Tear(error) => {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Handle {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Some file systems, and pipes, have nothing to put on a disk: that is no failure.
fn where_possible(synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// The folder a path stands in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts a file on the disk that somebody else has written.
pub fn sync_file(path: &Path) -> io::Result<()> {
    fault::check(Step::Sync, path)?;
    match fault::synced(path) {
        true => Ok(()),
        // Windows flushes only what is open for writing.
        false => where_possible(File::options().read(true).write(true).open(path)?.sync_all()),
    }
}

/// Puts the names in a folder on the disk. Does nothing where the system has no such call.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    fault::check(Step::SyncFolder, folder)?;
    match fault::synced_folder(folder) {
        false if cfg!(unix) => where_possible(File::open(folder)?.sync_all()),
        _ => Ok(()),
    }
}

/// Renames a file or folder, without making the new name last; [`publish`] does that too.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::check(Step::Rename, to)?;
    fs::rename(from, to)
}

/// Gives a file or folder whose content is synced its name, for good: a file that had the name is replaced.
pub fn publish(from: &Path, to: &Path) -> io::Result<()> {
    rename(from, to)?;
    sync_folder(folder_of(to))?;
    match folder_of(from) == folder_of(to) {
        true => Ok(()),
        false => sync_folder(folder_of(from)),
    }
}

/// Makes a symbolic link, for good. An error of the kind `Unsupported` where the system does not let everybody make one.
pub fn link(target: &Path, path: &Path) -> io::Result<()> {
    fault::check(Step::Create, path)?;
    make_link(target, path)?;
    fault::created(path);
    sync_folder(folder_of(path))
}

#[cfg(not(unix))]
fn make_link(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Makes a folder and those above it that are not there. The names of new ones are synced.
pub fn create_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder_of(folder);
    if parent != folder {
        create_folders(parent)?;
    }
    fault::check(Step::Create, folder)?;
    match fs::create_dir(folder) {
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    fault::created(folder);
    sync_folder(parent)
}

/// Removes a file; it need not be there.
pub fn remove_file(path: &Path) -> io::Result<()> {
    fault::check(Step::Remove, path)?;
    ignoring_absence(fs::remove_file(path))
}

/// Removes a folder with all that is in it; it need not be there.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    fault::check(Step::Remove, folder)?;
    ignoring_absence(fs::remove_dir_all(folder))
}

fn ignoring_absence(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
