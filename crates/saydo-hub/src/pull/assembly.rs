//! The growing file of weights: whole parts, one after the other, and the SHA-256 over them. A part that broke off in
//! the middle is cut off again, when it happens or when the file is opened the next time.

use crate::catalog::Part;
use crate::error::Error;
use saydo_file::digest::{self, Sum};
use saydo_file::disk::{self, Handle, folder_of};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a part is not appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It cannot be read, or has another size.
    Unreadable(String),
    /// It has another SHA-256.
    Sum { found: String, expected: String },
}

/// Weights being put together.
pub(super) struct Assembly {
    path: PathBuf,
    file: Handle,
    sum: Sum,
    parts: usize,
    bytes: u64,
}

impl Assembly {
    /// Opens what an earlier pull has left, or begins. `report` is told how many bytes of it were read.
    pub(super) fn open(path: &Path, parts: &[Part], report: &mut dyn FnMut(u64)) -> Result<Self, Error> {
        let mut file = Handle::open_or_create(path).map_err(Error::write(path))?;
        disk::sync_folder(folder_of(path)).map_err(Error::write(path))?;
        let length = file.file().metadata().map_err(Error::read(path))?.len();
        let (count, bytes) = whole_parts(parts, length);
        file.set_len(bytes).map_err(Error::write(path))?;
        let sum = digest::of_file(path, report).map_err(Error::read(path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::read(path))?;
        Ok(Self { path: path.to_owned(), file, sum, parts: count, bytes })
    }

    /// How many whole parts are there.
    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    /// How many bytes they have.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends a part from a reader that must give exactly its bytes; nothing is appended otherwise. The inner result
    /// says what is wrong with them.
    pub(super) fn append(&mut self, reader: &mut dyn Read, part: &Part) -> Result<Result<(), Refusal>, Error> {
        let (mut sum, mut own, bytes) = (self.sum.clone(), Sum::default(), part.bytes);
        let copied = self.copy(reader, bytes, [&mut sum, &mut own])?;
        let copied = copied.map_err(Refusal::Unreadable).and_then(|()| match (own.hex(), &part.sha256) {
            (found, Some(expected)) if found != *expected => Err(Refusal::Sum { found, expected: expected.clone() }),
            _ => Ok(()),
        });
        if copied.is_ok() {
            self.file.sync().map_err(Error::write(&self.path))?;
            (self.sum, self.parts, self.bytes) = (sum, self.parts + 1, self.bytes + bytes);
        } else {
            self.file.set_len(self.bytes).map_err(Error::write(&self.path))?;
            self.file.seek(SeekFrom::End(0)).map_err(Error::write(&self.path))?;
        }
        Ok(copied)
    }

    fn copy(
        &mut self,
        reader: &mut dyn Read,
        bytes: u64,
        mut sums: [&mut Sum; 2],
    ) -> Result<Result<(), String>, Error> {
        let mut buffer = vec![0; 1 << 18];
        let mut copied = 0;
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) if copied == bytes => return Ok(Ok(())),
                Ok(0) => return Ok(Err(format!("it ends after {copied} bytes, expected {bytes}"))),
                Ok(read) => read,
                Err(error) => return Ok(Err(error.to_string())),
            };
            copied += read as u64;
            if copied > bytes {
                return Ok(Err(format!("it has more than the expected {bytes} bytes")));
            }
            sums.iter_mut().for_each(|sum| sum.update(&buffer[..read]));
            self.file.write_all(&buffer[..read]).map_err(Error::write(&self.path))?;
        }
    }

    /// The file and the SHA-256 of all its bytes, which are on the disk by now.
    pub(super) fn finish(self) -> Result<(PathBuf, String), Error> {
        self.file.sync().map_err(Error::write(&self.path))?;
        Ok((self.path, self.sum.hex()))
    }
}

/// How many parts fit whole into a length, and their size.
fn whole_parts(parts: &[Part], length: u64) -> (usize, u64) {
    let ends = parts.iter().scan(0, |end, part| {
        *end += part.bytes;
        Some(*end)
    });
    ends.take_while(|end| *end <= length).enumerate().last().map_or((0, 0), |(i, end)| (i + 1, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(bytes: u64, sha256: Option<String>) -> Part {
        Part { package: "p".to_owned(), version: "1".to_owned(), member: "m".to_owned(), bytes, sha256 }
    }

    fn parts() -> Vec<Part> {
        vec![part(3, None), part(2, None)]
    }

    fn open(path: &Path) -> Assembly {
        Assembly::open(path, &parts(), &mut |_| ()).unwrap()
    }

    #[test]
    fn a_part_that_is_too_short_or_too_long_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        let mut assembly = open(&path);
        assembly.append(&mut &b"abc"[..], &part(3, None)).unwrap().unwrap();
        let mut refusal = |mut bytes: &[u8], part: &Part| match assembly.append(&mut bytes, part).unwrap() {
            Err(Refusal::Unreadable(problem)) => problem,
            Err(Refusal::Sum { found, expected }) => format!("{found}, expected {expected}"),
            Ok(()) => panic!("it was appended"),
        };
        insta::assert_snapshot!(refusal(b"d", &part(2, None)), @"it ends after 1 bytes, expected 2");
        insta::assert_snapshot!(refusal(b"def", &part(2, None)), @"it has more than the expected 2 bytes");
        let sum = digest::of("xy").hex();
        assert_eq!(refusal(b"de", &part(2, Some(sum.clone()))), format!("{}, expected {sum}", digest::of("de").hex()));
        assert_eq!((assembly.parts(), assembly.bytes()), (1, 3));
        assembly.append(&mut &b"de"[..], &part(2, Some(digest::of("de").hex()))).unwrap().unwrap();
        let (_, sum) = assembly.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"abcde");
        assert_eq!(sum, digest::of_file(&path, &mut |_| ()).unwrap().hex());
    }

    #[test]
    fn opening_again_cuts_back_to_whole_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        for (left, expected) in [("", (0, 0)), ("ab", (0, 0)), ("abc", (1, 3)), ("abcd", (1, 3)), ("abcdefg", (2, 5))] {
            std::fs::write(&path, left).unwrap();
            let assembly = open(&path);
            assert_eq!((assembly.parts(), assembly.bytes()), expected, "{left}");
            assert_eq!(std::fs::metadata(&path).unwrap().len(), expected.1);
        }
    }
}
