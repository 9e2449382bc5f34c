//! Read-only views of files in memory: the one module that maps files, so the one that needs `unsafe`.
//!
//! Weights are read where they lie on disk; nothing is copied, and several models of one process share the pages.

#![expect(unsafe_code, reason = "mapping a file is unsafe: nothing stops another process from changing it")]

use crate::Error;
use memmap2::Mmap;
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file mapped read-only. Clones share the mapping; the file is unmapped when the last one goes.
#[derive(Debug, Clone)]
pub struct Mapping {
    path: Arc<Path>,
    map: Arc<Mmap>,
}

impl Mapping {
    /// Maps the file at `path`. An empty file gives an empty mapping; a folder is refused.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let map = map(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        Ok(Self { path: path.into(), map: Arc::new(map) })
    }

    /// The file's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the memory of these bytes back, if they are part of the file: they are read from disk again when somebody looks
    /// at them. Bytes from elsewhere are left alone, and so are all on systems without such advice.
    pub fn release(&self, bytes: &[u8]) {
        let offset = (bytes.as_ptr() as usize).wrapping_sub(self.map.as_ptr() as usize);
        let is_inside = offset.checked_add(bytes.len()).is_some_and(|end| end <= self.map.len());
        if is_inside && !bytes.is_empty() {
            release(&self.map, offset, bytes.len());
        }
    }
}

#[cfg(unix)]
fn release(map: &Mmap, offset: usize, len: usize) {
    // SAFETY: the pages belong to a read-only mapping of a file, nobody can have written to them, and they are read from the
    // file again at the next look. It is advice: if the system refuses it, the pages stay.
    let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, offset, len) };
}

#[cfg(not(unix))]
fn release(_: &Mmap, _: usize, _: usize) {}

fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "is a folder, expected a file"));
    }
    // SAFETY: the mapping is read-only and private to this process, and is handed out only as bytes, for which every
    // pattern is valid. What remains is another process that cuts the file short or rewrites it while we read, which
    // no reader can prevent; weight files are written once, under a temporary name, and renamed.
    unsafe { Mmap::map(&file) }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_bytes_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.bin");
        std::fs::write(&path, b"some bytes").unwrap();
        let mapping = Mapping::open(&path).unwrap();
        let clone = mapping.clone();
        assert_eq!(&*mapping, b"some bytes");
        assert_eq!(mapping.as_ptr(), clone.as_ptr());
        assert_eq!(clone.path(), path);
    }

    #[test]
    fn released_bytes_are_read_again_and_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.bin");
        let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let mapping = Mapping::open(&path).unwrap();
        for range in [0..bytes.len(), 5_000..70_001, 99_999..100_000, 7..7] {
            mapping.release(&mapping[range]);
            assert_eq!(*mapping, bytes[..]);
        }
        let elsewhere = bytes.clone();
        mapping.release(&elsewhere);
        assert_eq!(elsewhere, bytes);
    }

    #[test]
    fn an_empty_file_is_an_empty_mapping() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty");
        std::fs::write(&path, b"").unwrap();
        assert!(Mapping::open(&path).unwrap().is_empty());
    }

    #[test]
    fn a_missing_file_and_a_folder_are_errors_that_name_the_path() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("missing"), folder.path().to_path_buf()] {
            let message = Mapping::open(&path).unwrap_err().to_string();
            assert_eq!(message, format!("cannot read {}", path.display()));
        }
    }
}
