//! A file that grows: each piece is there whole or not at all, as far as the process can see to it.

use crate::disk::{self, Handle, folder_of};
use std::io::{self, Write as _};
use std::path::Path;

/// A file that is open for writing at its end. Not for two processes at once.
#[derive(Debug)]
pub struct Appender {
    handle: Handle,
    bytes: u64,
}

impl Appender {
    /// Opens a file, or makes an empty one whose name is synced.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_new = !path.exists();
        let handle = Handle::open_to_append(path)?;
        if is_new {
            disk::sync_folder(folder_of(path))?;
        }
        let bytes = handle.file().metadata()?.len();
        Ok(Self { handle, bytes })
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Cuts off what is behind so many bytes.
    pub fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        self.handle.set_len(bytes)?;
        self.bytes = bytes;
        Ok(())
    }

    /// Adds bytes. If that fails, the part of them that arrived is cut off again; should that fail too, it stays, and
    /// whoever opens the file next must find it.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.handle.write_all(bytes);
        match written {
            Ok(()) => self.bytes += bytes.len() as u64,
            Err(_) => {
                let _ = self.handle.set_len(self.bytes);
            }
        }
        written
    }

    /// Returns when everything is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.handle.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (round, piece) in ["one\n", "two\n"].into_iter().enumerate() {
            let mut log = Appender::open(&path).unwrap();
            assert_eq!(log.bytes(), 4 * round as u64);
            log.append(piece.as_bytes()).unwrap();
            log.sync().unwrap();
        }
        let mut log = Appender::open(&path).unwrap();
        log.truncate(4).unwrap();
        log.append(b"three\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\nthree\n");
    }
}
