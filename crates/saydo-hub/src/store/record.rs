//! What files must be, and where the data in a folder came from. A dataset's record is kept beside the data in
//! `.source.json`: for whoever looks, and for checking. Its name begins with a dot so that readers of a folder of data do
//! not take it for data.

use crate::error::Error;
use saydo_file::digest;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The record's name in a dataset's folder.
const NAME: &str = ".source.json";

/// Where a dataset came from and what it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The dataset's name.
    pub name: String,
    /// Its license, as the catalog said.
    pub license: String,
    /// The address it was fetched from, without user, password and query.
    pub address: String,
    /// Size of the file that was fetched.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// What the server called this state of the file.
    pub etag: Option<String>,
    /// When the file changed last, in the server's words.
    pub last_modified: Option<String>,
    /// The files that were put in place, by path.
    pub files: Vec<FileRecord>,
}

/// One file of a model or dataset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its path below the folder, with `/` between folders.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

/// One thing that is wrong with a model or dataset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A dataset's folder does not say what is in it.
    #[error("it has no readable {NAME}")]
    NoRecord,
    /// There is no such file.
    #[error("{file} is missing")]
    Missing {
        /// Its path.
        file: String,
    },
    /// A file of another size.
    #[error("{file} has {found} bytes, expected {expected}")]
    Size {
        /// Its path.
        file: String,
        /// Its size.
        found: u64,
        /// The right size.
        expected: u64,
    },
    /// A file of the right size with other bytes.
    #[error("{file} has SHA-256 {found}, expected {expected}")]
    Sum {
        /// Its path.
        file: String,
        /// Its SHA-256.
        found: String,
        /// The right SHA-256.
        expected: String,
    },
    /// What was fetched at the time is not what the catalog says now.
    #[error("{file} had SHA-256 {found}, expected {expected}")]
    Source {
        /// The file that was fetched.
        file: String,
        /// Its SHA-256.
        found: String,
        /// The catalog's.
        expected: String,
    },
}

impl Record {
    /// Reads the record of a dataset's folder; nothing if there is none, or none that can be read.
    pub(super) fn load(folder: &Path) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(folder.join(NAME)).ok()?).ok()
    }

    /// Writes the record into a folder that is not in place yet.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        let mut text = serde_json::to_string_pretty(self).expect("a record has only text keys");
        text.push('\n');
        saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))
    }
}

impl FileRecord {
    /// Compares the size of the file below a folder.
    pub(super) fn check_size(&self, folder: &Path) -> Result<(), Problem> {
        let file = self.path.clone();
        match fs::metadata(folder.join(&file)) {
            Ok(found) if found.is_file() && found.len() == self.bytes => Ok(()),
            Ok(found) if found.is_file() => Err(Problem::Size { file, found: found.len(), expected: self.bytes }),
            _ => Err(Problem::Missing { file }),
        }
    }

    /// Compares size and SHA-256 of the file below a folder; `report` is told how many bytes of it were read.
    pub(super) fn check(&self, folder: &Path, report: &mut dyn FnMut(u64)) -> Result<Result<(), Problem>, Error> {
        if let Err(problem) = self.check_size(folder) {
            return Ok(Err(problem));
        }
        let path = folder.join(&self.path);
        let found = digest::of_file(&path, report).map_err(Error::read(&path))?.hex();
        let (file, expected) = (self.path.clone(), self.sha256.clone());
        Ok(if found == expected { Ok(()) } else { Err(Problem::Sum { file, found, expected }) })
    }
}
