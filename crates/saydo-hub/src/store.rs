//! The folder that pulled models and datasets are kept in: `<home>/models/<name>.gguf`, or `<home>/models/<name>/` for a
//! model that is converted, and `<home>/data/<name>/`, beside each `<name>.partial/` while a pull is under way. What stands under a final name was checked before it got there.

mod lock;
mod record;

pub(crate) use lock::Lock;
pub use record::{FileRecord, Problem, Record};

use crate::catalog::{Entry, Kind, Model};
use crate::download;
use crate::error::Error;
use crate::progress::{Progress, Stage};
use saydo_file::{digest, disk};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of pulled models and datasets. It need not exist yet.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
}

/// How much of a model or dataset is there, by the sizes of files alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Absent,
    /// A pull was begun.
    Partial {
        /// Bytes that were fetched.
        bytes: u64,
    },
    /// Every file that a pull puts in place.
    Present {
        /// Their size.
        bytes: u64,
    },
    /// Files that are not as a pull leaves them.
    Damaged {
        /// The size of what is there.
        bytes: u64,
        /// The first thing that is wrong.
        problem: Problem,
    },
}

/// What reading every byte of a model or dataset said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// Not there.
    Absent,
    /// The files that a pull puts in place.
    Good {
        /// How many they are.
        files: usize,
    },
    /// Other files.
    Damaged {
        /// What is wrong, file by file.
        problems: Vec<Problem>,
    },
}

impl Store {
    /// The store in a home folder.
    pub fn new(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into() }
    }

    fn folder(&self, kind: Kind) -> PathBuf {
        self.home.join(kind.command())
    }

    /// The file of a model, or the folder of a converted model or of a dataset, whether it is there or not.
    pub fn path<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        match entry.into() {
            Entry::Model(model) if model.conversion.is_some() => self.folder(Kind::Model).join(&model.name),
            Entry::Model(model) => self.folder(Kind::Model).join(format!("{}.gguf", model.name)),
            Entry::Dataset(dataset) => self.folder(Kind::Dataset).join(&dataset.name),
        }
    }

    /// What to pass to a command: the same path, or the one file or folder in a dataset's folder that matters.
    pub fn path_to_pass<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        let entry = entry.into();
        let inside = if let Entry::Dataset(dataset) = entry { dataset.pass.as_str() } else { "" };
        inside.split('/').filter(|part| !part.is_empty()).fold(self.path(entry), |path, part| path.join(part))
    }

    /// Where a pull keeps what it has, and takes wheels from that were put there by hand.
    pub fn partial_folder<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        let entry = entry.into();
        self.folder(entry.kind()).join(format!("{}.partial", entry.name()))
    }

    /// The file that a model grows in while its parts are joined.
    pub(crate) fn partial_weights<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        self.partial_folder(entry).join("weights")
    }

    /// The folder that a model is converted into.
    pub(crate) fn converted<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        self.partial_folder(entry).join("converted")
    }

    /// Where a pull puts the folder that it replaces.
    pub(crate) fn aside<'a>(&self, entry: impl Into<Entry<'a>>) -> PathBuf {
        self.partial_folder(entry).join("old")
    }

    /// Puts a folder back that a pull had moved aside when its process ended. Gives whether it is in place.
    fn put_back(&self, entry: Entry<'_>) -> bool {
        let (path, aside) = (self.path(entry), self.aside(entry));
        if !aside.exists() {
            return false;
        }
        // Whoever has the lock is about to put the new one in place.
        let Ok(Some(_lock)) = self.try_lock(entry) else { return false };
        path.exists() || disk::publish(&aside, &path).is_ok()
    }

    /// The files that a pull puts in place, and the folder their paths count from: of a model as the catalog says, of a
    /// dataset as the pull recorded.
    fn files(&self, entry: Entry<'_>) -> Result<(PathBuf, Vec<FileRecord>), Problem> {
        match entry {
            Entry::Model(model) if model.conversion.is_some() => {
                let path = "model.safetensors".to_owned();
                let weights = FileRecord { path, bytes: model.bytes, sha256: model.sha256.clone() };
                Ok((self.path(entry), [vec![weights], model.files.clone()].concat()))
            }
            Entry::Model(model) => {
                let path = format!("{}.gguf", model.name);
                let file = FileRecord { path, bytes: model.bytes, sha256: model.sha256.clone() };
                Ok((self.folder(Kind::Model), vec![file]))
            }
            Entry::Dataset(_) => {
                let record = self.record(entry).ok_or(Problem::NoRecord)?;
                Ok((self.path(entry), record.files))
            }
        }
    }

    /// How much of a model or dataset is there, by the sizes of its files alone.
    pub fn state<'a>(&self, entry: impl Into<Entry<'a>>) -> Result<State, Error> {
        let entry = entry.into();
        let path = self.path(entry);
        if !path.try_exists().map_err(Error::read(&path))? && !self.put_back(entry) {
            let partial = [self.partial_weights(entry), download::file_in(&self.partial_folder(entry))];
            return Ok(match partial.iter().map(|path| size(path)).max().unwrap_or_default() {
                0 => State::Absent,
                bytes => State::Partial { bytes },
            });
        }
        let checked = self.files(entry).and_then(|(folder, files)| {
            files.iter().try_for_each(|file| file.check_size(&folder))?;
            Ok(files.iter().map(|file| file.bytes).sum())
        });
        Ok(match checked {
            Ok(bytes) => State::Present { bytes },
            Err(problem) => State::Damaged { bytes: size(&path), problem },
        })
    }

    /// What to pass to a command, if it was pulled.
    pub fn find<'a>(&self, entry: impl Into<Entry<'a>>) -> Result<PathBuf, Error> {
        let entry = entry.into();
        let (kind, name, path) = (entry.kind(), entry.name().to_owned(), self.path(entry));
        match self.state(entry)? {
            State::Present { .. } => Ok(self.path_to_pass(entry)),
            State::Damaged { problem, .. } => Err(Error::Damaged { kind, name, path, problem: Box::new(problem) }),
            State::Absent | State::Partial { .. } => Err(Error::Absent { kind, name, path }),
        }
    }

    /// Where a dataset that is there came from; nothing for a model.
    pub fn record<'a>(&self, entry: impl Into<Entry<'a>>) -> Option<Record> {
        Record::load(&self.path(entry))
    }

    /// Compares the files of a folder that a model was converted into with the catalog's.
    pub(crate) fn check_converted(&self, model: &Model, folder: &Path) -> Result<(), Error> {
        let (_, files) = self.files(Entry::Model(model)).unwrap_or_default();
        for file in files {
            let path = folder.join(&file.path);
            let found = digest::of_file(&path, &mut |_| ()).map_err(Error::read(&path))?.hex();
            if found != file.sha256 {
                let what = format!("`{}` was converted to a {} with", model.name, file.path);
                return Err(Error::Checksum { what, found, expected: file.sha256 });
            }
        }
        Ok(())
    }

    /// Reads every byte and compares it with what a pull puts in place, and the SHA-256 of what a dataset was fetched as
    /// with the catalog's where it has one. Files that were added to a dataset are left alone.
    pub fn verify<'a>(
        &self,
        entry: impl Into<Entry<'a>>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Verification, Error> {
        let entry = entry.into();
        if matches!(self.state(entry)?, State::Absent | State::Partial { .. }) {
            return Ok(Verification::Absent);
        }
        let (folder, files) = match self.files(entry) {
            Ok(files) => files,
            Err(problem) => return Ok(Verification::Damaged { problems: vec![problem] }),
        };
        let total = files.iter().map(|file| file.bytes).sum();
        let (mut before, mut problems) = (0, Vec::new());
        for file in &files {
            let mut report = |done| progress(Progress { stage: Stage::Checking, done: before + done, total });
            problems.extend(file.check(&folder, &mut report)?.err());
            before += file.bytes;
        }
        if let (Entry::Dataset(dataset), Some(record)) = (entry, self.record(entry))
            && let Some(expected) = dataset.sha256.clone().filter(|sum| *sum != record.sha256)
        {
            problems.push(Problem::Source { file: dataset.file.clone(), found: record.sha256, expected });
        }
        Ok(if problems.is_empty() {
            Verification::Good { files: files.len() }
        } else {
            Verification::Damaged { problems }
        })
    }

    /// Removes a model or dataset and what a pull has left of it; returns how many bytes that frees. Fails if nothing is
    /// there, or if another process is pulling it.
    pub fn remove<'a>(&self, entry: impl Into<Entry<'a>>) -> Result<u64, Error> {
        let entry = entry.into();
        let (path, partial) = (self.path(entry), self.partial_folder(entry));
        if !path.exists() && !partial.exists() {
            return Err(Error::Absent { kind: entry.kind(), name: entry.name().to_owned(), path });
        }
        let _lock = self.try_lock(entry)?.ok_or_else(|| Error::Busy { name: entry.name().to_owned() })?;
        let freed = size(&path) + size(&partial);
        match entry {
            Entry::Model(model) if model.conversion.is_none() => {
                disk::remove_file(&path).map_err(Error::write(&path))?;
            }
            Entry::Model(_) | Entry::Dataset(_) => remove_folder(&path)?,
        }
        remove_folder(&partial)?;
        Ok(freed)
    }

    /// Makes the folder and takes an entry's lock, unless another process has it.
    pub(crate) fn try_lock<'a>(&self, entry: impl Into<Entry<'a>>) -> Result<Option<Lock>, Error> {
        Lock::try_take(&self.lock_path(entry.into())?)
    }

    /// Makes the folder and takes an entry's lock, waiting for it as long as it takes.
    pub(crate) fn lock<'a>(&self, entry: impl Into<Entry<'a>>) -> Result<Lock, Error> {
        Lock::take(&self.lock_path(entry.into())?)
    }

    fn lock_path(&self, entry: Entry<'_>) -> Result<PathBuf, Error> {
        let folder = self.folder(entry.kind());
        disk::create_folders(&folder).map_err(Error::write(&folder))?;
        Ok(folder.join(format!(".{}.lock", entry.name())))
    }
}

/// The size of a file, or of all files below a folder. Files may come and go meanwhile, so what cannot be read counts
/// nothing.
pub(crate) fn size(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| size(&entry.path())).sum()
        }
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    }
}

/// Removes a folder with all that is in it; it need not be there.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Error> {
    disk::remove_folder(folder).map_err(Error::write(folder))
}

#[cfg(test)]
mod tests {
    mod datasets;
    mod models;
}
