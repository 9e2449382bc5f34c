//! The file that grows while a transfer is under way, and what is known about where its bytes came from. Both survive
//! the process, so that another can go on.

use super::{Download, Resume};
use crate::error::Error;
use saydo_file::disk::{self, Handle};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FILE: &str = "download";
const ORIGIN: &str = "download.json";

/// Where the bytes came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    address: String,
    etag: Option<String>,
    last_modified: Option<String>,
    /// The size of the file, once all of it was there.
    whole: Option<u64>,
}

/// A file being fetched.
pub(super) struct Partial {
    path: PathBuf,
    origin_path: PathBuf,
    file: Handle,
    bytes: u64,
    address: String,
    /// Of the bytes that are there.
    origin: Origin,
}

impl Partial {
    /// Opens what an earlier transfer has left in a folder, or begins. Nothing is thrown away before an answer arrives.
    pub(super) fn open(folder: &Path, address: &str) -> Result<Self, Error> {
        let (path, origin_path) = (file_in(folder), folder.join(ORIGIN));
        let mut file = Handle::open_or_create(&path).map_err(Error::write(&path))?;
        disk::sync_folder(folder).map_err(Error::write(folder))?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(Error::read(&path))?;
        let origin = fs::read(&origin_path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        Ok(Self { path, origin_path, file, bytes, address: address.to_owned(), origin: origin.unwrap_or_default() })
    }

    /// How many bytes are there.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What to ask for, if the partial file can be resumed: they came from this address, and the server said
    /// what state of the file they are of, or (`is_sum_known`) a wrong mixture would be found out.
    pub(super) fn resume(&self, is_sum_known: bool) -> Option<Resume> {
        if self.bytes == 0 || self.origin.address != self.address {
            return None;
        }
        // A weak tag stands for files that only mean the same, which is not enough to join bytes.
        let strong = self.origin.etag.clone().filter(|etag| !etag.starts_with("W/"));
        let unless_changed = strong.or_else(|| self.origin.last_modified.clone());
        (unless_changed.is_some() || is_sum_known).then_some(Resume { from: self.bytes, unless_changed })
    }

    /// Throws away what is there.
    pub(super) fn restart(&mut self) -> Result<(), Error> {
        self.file.set_len(0).map_err(Error::write(&self.path))?;
        self.file.seek(SeekFrom::Start(0)).map_err(Error::write(&self.path))?;
        self.bytes = 0;
        Ok(())
    }

    /// Notes what the bytes to come are of, before the first of them arrives.
    pub(super) fn remember(&mut self, etag: &Option<String>, last_modified: &Option<String>) -> Result<(), Error> {
        if self.bytes > 0 && etag.is_none() && last_modified.is_none() {
            return Ok(());
        }
        let (address, etag, last_modified) = (self.address.clone(), etag.clone(), last_modified.clone());
        self.origin = Origin { address, etag, last_modified, whole: None };
        self.save_origin()
    }

    fn save_origin(&self) -> Result<(), Error> {
        let text = serde_json::to_vec(&self.origin).expect("it has only text keys");
        saydo_file::write(&self.origin_path, &text).map_err(Error::write(&self.origin_path))
    }

    /// Adds bytes.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(Error::write(&self.path))?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Whether an earlier transfer from this address came to its end. Its process was killed before it used the file.
    pub(super) fn is_whole(&self) -> bool {
        self.bytes > 0 && self.origin.address == self.address && self.origin.whole == Some(self.bytes)
    }

    /// The file, all of whose bytes are on the disk.
    pub(super) fn finish(mut self) -> Result<Download, Error> {
        self.file.sync().map_err(Error::write(&self.path))?;
        self.origin.whole = Some(self.bytes);
        self.save_origin()?;
        let Origin { etag, last_modified, .. } = self.origin;
        Ok(Download { path: self.path, bytes: self.bytes, address: self.address, etag, last_modified })
    }
}

/// The file that an earlier transfer has left in a folder, if there was one.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial(folder: &Path, etag: Option<&str>, last_modified: Option<&str>) -> Partial {
        let mut partial = Partial::open(folder, "http://a/x").unwrap();
        partial.restart().unwrap();
        partial.remember(&etag.map(str::to_owned), &last_modified.map(str::to_owned)).unwrap();
        partial.append(b"abc").unwrap();
        partial
    }

    #[test]
    fn another_process_goes_on_where_one_stopped_if_the_file_can_be_told() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [
            (Some("\"1\""), None, Some(Some("\"1\""))),
            (Some("W/\"1\""), Some("Monday"), Some(Some("Monday"))),
            (Some("W/\"1\""), None, None),
            (None, None, None),
        ];
        for (etag, last_modified, expected) in cases {
            drop(partial(folder.path(), etag, last_modified));
            let reopened = Partial::open(folder.path(), "http://a/x").unwrap();
            let resume = reopened.resume(false);
            assert_eq!(resume.as_ref().map(|resume| resume.unless_changed.as_deref()), expected, "{etag:?}");
            assert!(resume.is_none_or(|resume| resume.from == 3));
            assert!(reopened.resume(true).is_some(), "a known sum would find out");
            assert!(Partial::open(folder.path(), "http://b/x").unwrap().resume(true).is_none(), "another address");
        }
        assert_eq!(fs::metadata(file_in(folder.path())).unwrap().len(), 3);
    }

    #[test]
    fn what_the_server_said_first_stays_known_when_it_says_nothing_later() {
        let folder = tempfile::tempdir().unwrap();
        let mut partial = partial(folder.path(), Some("\"1\""), None);
        partial.remember(&None, &None).unwrap();
        assert_eq!(partial.finish().unwrap().etag.unwrap(), "\"1\"");
    }
}
