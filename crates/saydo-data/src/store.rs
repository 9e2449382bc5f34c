//! The folder pulled datasets are kept in: `<home>/data/<name>/`, beside it `<name>.partial/` while a pull is under way.
//! What stands under the final name was checked before it got there.

use crate::catalog::Entry;
use crate::error::Error;
use crate::record::{FileRecord, Record};
use saydo_file::{digest, disk};
use saydo_hub::store::size_below;
use saydo_hub::{Lock, Progress, Stage};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of pulled datasets. It need not exist yet.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// How much of a dataset is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Absent,
    /// A pull was begun.
    Partial {
        /// Bytes of the file that were fetched.
        bytes: u64,
    },
    /// Every file that was put in place, with the size it had then.
    Present {
        /// Their size.
        bytes: u64,
    },
    /// A folder that is not as a pull leaves it.
    Damaged {
        /// The first thing that is wrong.
        problem: String,
    },
}

/// What reading every byte of a dataset said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// The files that were put in place.
    Good {
        /// How many they are.
        files: usize,
    },
    /// Not there.
    Absent,
    /// Other files.
    Damaged {
        /// What is wrong, file by file.
        problems: Vec<String>,
    },
}

impl Store {
    /// The store below a home folder.
    pub fn new(home: impl AsRef<Path>) -> Self {
        Self { folder: home.as_ref().join("data") }
    }

    /// The folder of a dataset, whether it is there or not.
    pub fn path(&self, entry: &Entry) -> PathBuf {
        self.folder.join(&entry.name)
    }

    /// What to pass as `--data`: the dataset's folder, or the one file or folder in it that matters.
    pub fn data_path(&self, entry: &Entry) -> PathBuf {
        entry.pass.split('/').filter(|part| !part.is_empty()).fold(self.path(entry), |path, part| path.join(part))
    }

    /// Where a pull keeps what it has.
    pub fn partial_folder(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.partial", entry.name))
    }

    /// Where a pull puts the dataset that it replaces.
    pub(crate) fn aside(&self, entry: &Entry) -> PathBuf {
        self.partial_folder(entry).join("old")
    }

    /// Puts a dataset back that a pull had moved aside when its process ended. Gives whether it is in place.
    fn put_back(&self, entry: &Entry) -> bool {
        let (folder, aside) = (self.path(entry), self.aside(entry));
        if !aside.exists() {
            return false;
        }
        // Whoever has the lock is about to put the new one in place.
        let Ok(Some(_lock)) = self.try_lock(entry) else { return false };
        folder.exists() || disk::publish(&aside, &folder).is_ok()
    }

    /// How much of a dataset is there, by the sizes of its files alone.
    pub fn state(&self, entry: &Entry) -> Result<State, Error> {
        let folder = self.path(entry);
        if !folder.exists() && !self.put_back(entry) {
            return Ok(match crate::download::bytes_in(&self.partial_folder(entry)) {
                0 => State::Absent,
                bytes => State::Partial { bytes },
            });
        }
        let Some(record) = Record::load(&folder) else {
            return Ok(State::Damaged { problem: "it has no readable .source.json".to_owned() });
        };
        let problem = record.files.iter().find_map(|file| size_problem(&folder, file));
        Ok(match problem {
            Some(problem) => State::Damaged { problem },
            None => State::Present { bytes: record.files.iter().map(|file| file.bytes).sum() },
        })
    }

    /// What to pass as `--data`, if the dataset was pulled.
    pub fn find(&self, entry: &Entry) -> Result<PathBuf, Error> {
        let (name, path) = (entry.name.clone(), self.path(entry));
        match self.state(entry)? {
            State::Present { .. } => Ok(self.data_path(entry)),
            State::Damaged { problem } => Err(Error::Damaged { name, path, problem }),
            State::Absent | State::Partial { .. } => Err(Error::Absent { name, path }),
        }
    }

    /// Where a dataset that is there came from.
    pub fn record(&self, entry: &Entry) -> Option<Record> {
        Record::load(&self.path(entry))
    }

    /// Reads every byte of a dataset and compares it with what was put in place, and the fetched file's SHA-256 with the
    /// catalog's where it has one. Files that were added are left alone.
    pub fn verify(&self, entry: &Entry, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Verification, Error> {
        let problem = match self.state(entry)? {
            State::Absent | State::Partial { .. } => return Ok(Verification::Absent),
            State::Damaged { problem } => Some(problem),
            State::Present { .. } => None,
        };
        let Some(record) = self.record(entry) else {
            return Ok(Verification::Damaged { problems: problem.into_iter().collect() });
        };
        let mut problems = self.sum_problems(entry, &record, progress)?;
        if let Some(expected) = entry.sha256.as_ref().filter(|sum| **sum != record.sha256) {
            problems.push(format!("{} had SHA-256 {}, expected {expected}", entry.file, record.sha256));
        }
        Ok(match problems.is_empty() {
            true => Verification::Good { files: record.files.len() },
            false => Verification::Damaged { problems },
        })
    }

    fn sum_problems(
        &self,
        entry: &Entry,
        record: &Record,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<String>, Error> {
        let folder = self.path(entry);
        let total = record.files.iter().map(|file| file.bytes).sum();
        let (mut before, mut problems) = (0, Vec::new());
        for file in &record.files {
            if let Some(problem) = size_problem(&folder, file) {
                problems.push(problem);
                continue;
            }
            let mut report = |done| progress(Progress { stage: Stage::Checking, done: before + done, total });
            let path = folder.join(&file.path);
            let found = digest::of_file(&path, &mut report).map_err(Error::read(&path))?.hex();
            if found != file.sha256 {
                problems.push(format!("{} has SHA-256 {found}, expected {}", file.path, file.sha256));
            }
            before += file.bytes;
        }
        Ok(problems)
    }

    /// Removes a dataset and what a pull has left of it; returns how many bytes that frees. Fails if nothing is there,
    /// or if another process is pulling it.
    pub fn remove(&self, entry: &Entry) -> Result<u64, Error> {
        let (path, partial) = (self.path(entry), self.partial_folder(entry));
        if !path.exists() && !partial.exists() {
            return Err(Error::Absent { name: entry.name.clone(), path });
        }
        let _lock = self.try_lock(entry)?.ok_or_else(|| Error::Busy { name: entry.name.clone() })?;
        let freed = size_below(&path) + size_below(&partial);
        remove_folder(&path)?;
        remove_folder(&partial)?;
        Ok(freed)
    }

    /// Makes the folder and takes a dataset's lock, unless another process has it.
    pub(crate) fn try_lock(&self, entry: &Entry) -> Result<Option<Lock>, Error> {
        Ok(Lock::try_take(&self.lock_path(entry)?)?)
    }

    /// Makes the folder and takes a dataset's lock, waiting for it as long as it takes.
    pub(crate) fn lock(&self, entry: &Entry) -> Result<Lock, Error> {
        Ok(Lock::take(&self.lock_path(entry)?)?)
    }

    fn lock_path(&self, entry: &Entry) -> Result<PathBuf, Error> {
        disk::create_folders(&self.folder).map_err(Error::write(&self.folder))?;
        Ok(self.folder.join(format!(".{}.lock", entry.name)))
    }
}

/// Says what is wrong with a file by its size alone.
fn size_problem(folder: &Path, file: &FileRecord) -> Option<String> {
    match fs::metadata(folder.join(&file.path)) {
        Ok(found) if found.is_file() && found.len() == file.bytes => None,
        Ok(found) if found.is_file() => {
            Some(format!("{} has {} bytes, expected {}", file.path, found.len(), file.bytes))
        }
        _ => Some(format!("{} is missing", file.path)),
    }
}

/// Removes a folder with all that is in it; it need not be there.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Error> {
    disk::remove_folder(folder).map_err(Error::write(folder))
}

#[cfg(test)]
mod tests;
