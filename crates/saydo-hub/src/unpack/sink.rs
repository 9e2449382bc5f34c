//! Writes the files of a dataset, never more bytes than the entry allows, and sums each up on the way.

use super::member;
use crate::catalog::Dataset;
use crate::error::Error;
use crate::store::FileRecord;
use saydo_file::digest::Sum;
use saydo_file::disk::{self, Handle};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The most files of any dataset: Super-NaturalInstructions has some 1,700.
const MAX_FILES: usize = 100_000;

/// A folder being filled.
pub(super) struct Sink<'a> {
    dataset: &'a Dataset,
    folder: &'a Path,
    report: &'a mut dyn FnMut(u64, u64),
    written: u64,
    passed: u64,
    files: Vec<FileRecord>,
    /// Those that hold files.
    folders: BTreeSet<PathBuf>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(dataset: &'a Dataset, folder: &'a Path, report: &'a mut dyn FnMut(u64, u64)) -> Self {
        Self { dataset, folder, report, written: 0, passed: 0, files: Vec::new(), folders: BTreeSet::new() }
    }

    /// Where a member goes, if it is kept.
    pub(super) fn place(&self, name: &str) -> Result<Option<String>, Error> {
        member::place(self.dataset, name).map_err(|problem| self.bad(problem))
    }

    /// An archive that cannot be unpacked.
    pub(super) fn bad(&self, problem: impl ToString) -> Error {
        Error::Archive { file: self.dataset.file.clone(), problem: problem.to_string() }
    }

    /// Counts bytes that are unpacked on the way to others, whether they are kept or not.
    pub(super) fn pass(&mut self, bytes: u64) -> Result<(), Error> {
        self.passed = self.passed.saturating_add(bytes);
        if self.passed > self.dataset.max_bytes { Err(self.too_large()) } else { Ok(()) }
    }

    /// Writes a file to a path that [`Sink::place`] gave.
    pub(super) fn write(&mut self, path: &str, reader: &mut dyn Read) -> Result<(), Error> {
        if self.files.len() == MAX_FILES {
            return Err(self.bad(format!("it has more than {MAX_FILES} files")));
        }
        let target: PathBuf = path.split('/').fold(self.folder.to_owned(), |folder, part| folder.join(part));
        let parent = target.parent().expect("a path below a folder has a parent");
        disk::create_folders(parent).map_err(Error::write(parent))?;
        // A second member of the same path, or of one that differs in case only on some systems, fails here.
        let mut file = Handle::create_new(&target).map_err(Error::write(&target))?;
        let before = self.written;
        let sha256 = self.copy(path, reader, &mut file, &target)?;
        file.sync().map_err(Error::write(&target))?;
        self.folders.insert(parent.to_owned());
        self.files.push(FileRecord { path: path.to_owned(), bytes: self.written - before, sha256 });
        Ok(())
    }

    fn copy(&mut self, path: &str, reader: &mut dyn Read, file: &mut Handle, target: &Path) -> Result<String, Error> {
        let mut buffer = vec![0; 1 << 16];
        let mut sum = Sum::default();
        loop {
            let read = reader.read(&mut buffer).map_err(|error| self.bad(format!("`{path}`: {error}")))?;
            if read == 0 {
                return Ok(sum.hex());
            }
            self.written += read as u64;
            if self.written > self.dataset.max_bytes {
                return Err(self.too_large());
            }
            sum.update(&buffer[..read]);
            file.write_all(&buffer[..read]).map_err(Error::write(target))?;
            (self.report)(self.written, 0);
        }
    }

    fn too_large(&self) -> Error {
        let what = format!("what {} unpacks to", self.dataset.file);
        Error::TooLarge { name: self.dataset.name.clone(), what, limit: self.dataset.max_bytes }
    }

    /// The files, in the order of their paths. All of them are on the disk.
    pub(super) fn finish(mut self) -> Result<Vec<FileRecord>, Error> {
        for folder in &self.folders {
            disk::sync_folder(folder).map_err(Error::write(folder))?;
        }
        self.files.sort();
        Ok(self.files)
    }
}
