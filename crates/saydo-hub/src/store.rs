//! The folder pulled models are kept in: `<home>/models/<name>.gguf`, beside it `<name>.partial/` while a pull is under
//! way. What stands under the final name was checked before it got there.

mod lock;

pub use lock::Lock;

use crate::catalog::Entry;
use crate::error::Error;
use crate::progress::{Progress, Stage};
use saydo_file::{digest, disk};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder of pulled models. It need not exist yet.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// How much of a model is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Absent,
    /// A pull was begun.
    Partial {
        /// Bytes of the weights that are there.
        bytes: u64,
    },
    /// A file of the right size.
    Present,
    /// A file of another size than the catalog says.
    WrongSize {
        /// Its size.
        bytes: u64,
    },
}

/// What checking every byte of a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// The weights of the catalog.
    Good,
    /// Not there.
    Absent,
    /// A file of another size.
    WrongSize {
        /// Its size.
        found: u64,
    },
    /// A file of the right size with other bytes.
    WrongSum {
        /// Its SHA-256.
        found: String,
    },
}

impl Store {
    /// The store below a home folder.
    pub fn new(home: impl AsRef<Path>) -> Self {
        Self { folder: home.as_ref().join("models") }
    }

    /// Where the weights of an entry are, or would be.
    pub fn path(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.gguf", entry.name))
    }

    /// Where a pull keeps what it has, and takes wheels from that were put there by hand.
    pub fn partial_folder(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.partial", entry.name))
    }

    /// The file that grows while a pull is under way.
    pub(crate) fn partial_weights(&self, entry: &Entry) -> PathBuf {
        self.partial_folder(entry).join("weights")
    }

    /// How much of a model is there, by size alone.
    pub fn state(&self, entry: &Entry) -> Result<State, Error> {
        Ok(match size_of(&self.path(entry))? {
            Some(bytes) if bytes == entry.bytes => State::Present,
            Some(bytes) => State::WrongSize { bytes },
            None => match size_of(&self.partial_weights(entry))? {
                Some(0) | None => State::Absent,
                Some(bytes) => State::Partial { bytes },
            },
        })
    }

    /// The weights of an entry, if they were pulled.
    pub fn find(&self, entry: &Entry) -> Result<PathBuf, Error> {
        let path = self.path(entry);
        match self.state(entry)? {
            State::Present => Ok(path),
            State::WrongSize { bytes } => Err(Error::Size { path, found: bytes, expected: entry.bytes }),
            State::Absent | State::Partial { .. } => Err(Error::Absent { name: entry.name.clone(), path }),
        }
    }

    /// Reads every byte of a model and compares it with the catalog.
    pub fn verify(&self, entry: &Entry, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Verification, Error> {
        match self.state(entry)? {
            State::Absent | State::Partial { .. } => return Ok(Verification::Absent),
            State::WrongSize { bytes } => return Ok(Verification::WrongSize { found: bytes }),
            State::Present => (),
        }
        let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: entry.bytes });
        let path = self.path(entry);
        let found = digest::of_file(&path, &mut report).map_err(Error::read(&path))?.hex();
        Ok(if found == entry.sha256 { Verification::Good } else { Verification::WrongSum { found } })
    }

    /// Removes a model and what a pull has left of it; returns how many bytes that frees. Fails if nothing is there, or
    /// if another process is pulling it.
    pub fn remove(&self, entry: &Entry) -> Result<u64, Error> {
        let (path, partial) = (self.path(entry), self.partial_folder(entry));
        if size_of(&path)?.is_none() && !partial.exists() {
            return Err(Error::Absent { name: entry.name.clone(), path });
        }
        let _lock = self.try_lock(entry)?.ok_or_else(|| Error::Busy { name: entry.name.clone() })?;
        let freed = size_of(&path)?.unwrap_or_default() + size_below(&partial);
        disk::remove_file(&path).map_err(Error::write(&path))?;
        disk::remove_folder(&partial).map_err(Error::write(&partial))?;
        Ok(freed)
    }

    /// Makes the folder and takes a model's lock, unless another process has it.
    pub(crate) fn try_lock(&self, entry: &Entry) -> Result<Option<Lock>, Error> {
        Lock::try_take(&self.lock_path(entry)?)
    }

    /// Makes the folder and takes a model's lock, waiting for it as long as it takes.
    pub(crate) fn lock(&self, entry: &Entry) -> Result<Lock, Error> {
        Lock::take(&self.lock_path(entry)?)
    }

    fn lock_path(&self, entry: &Entry) -> Result<PathBuf, Error> {
        disk::create_folders(&self.folder).map_err(Error::write(&self.folder))?;
        Ok(self.folder.join(format!(".{}.lock", entry.name)))
    }
}

/// The size of a file, or nothing if it is not there.
pub(crate) fn size_of(path: &Path) -> Result<Option<u64>, Error> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

/// The size of all files below a folder. Files may come and go meanwhile, so what cannot be read counts nothing.
pub fn size_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size_below(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

#[cfg(test)]
mod tests;
