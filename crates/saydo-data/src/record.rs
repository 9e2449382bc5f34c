//! Where the data in a folder came from, kept beside them in `.source.json`: for whoever looks, and for `verify`. Its name
//! begins with a dot so that readers of a folder of data do not take it for data.

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The record's name in a dataset's folder.
pub(crate) const NAME: &str = ".source.json";

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

/// One file of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its path below the dataset's folder, with `/` between folders.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

impl Record {
    /// Reads the record of a dataset's folder; nothing if there is none, or none that can be read.
    pub(crate) fn load(folder: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(folder.join(NAME)).ok()?).ok()
    }

    /// Writes the record into a folder that is not in place yet.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        let mut text = serde_json::to_string_pretty(self).expect("a record has only text keys");
        text.push('\n');
        saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))
    }
}
