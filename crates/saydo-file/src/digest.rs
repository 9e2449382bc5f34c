//! SHA-256, written as 64 lower-case hexadecimal digits.

use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// How much of a file is read at once.
const BLOCK_BYTES: usize = 1 << 20;

/// A sum that grows with the bytes it is given. It can be written to as to a file.
#[derive(Debug, Default, Clone)]
pub struct Sum(Sha256);

impl Sum {
    /// Adds bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// The 32 bytes of the sum over everything so far.
    pub fn bytes(self) -> [u8; 32] {
        self.0.finalize().into()
    }

    /// The 64 digits of the sum over everything so far.
    pub fn hex(self) -> String {
        hex(&self.bytes())
    }
}

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The sum over bytes.
pub fn of(bytes: impl AsRef<[u8]>) -> Sum {
    let mut sum = Sum::default();
    sum.update(bytes);
    sum
}

/// The sum over a whole file; `report` is told how many bytes were read so far.
pub fn of_file(path: &Path, report: &mut dyn FnMut(u64)) -> io::Result<Sum> {
    let mut sum = Sum::default();
    add_file(&mut sum, path, report)?;
    Ok(sum)
}

/// Adds a whole file to a sum; `report` is told how many bytes of it were read so far.
pub fn add_file(sum: &mut Sum, path: &Path, report: &mut dyn FnMut(u64)) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK_BYTES];
    let mut done = 0;
    loop {
        let read = match file.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        sum.update(&block[..read]);
        done += read as u64;
        report(done);
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).expect("half a byte is one digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Whether text is a SHA-256 as this module writes it.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_has_the_sum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let mut reported = Vec::new();
        assert_eq!(of_file(&path, &mut |bytes| reported.push(bytes)).unwrap().hex(), ABC);
        assert_eq!((of("abc").hex(), reported), (ABC.to_owned(), vec![3]));
    }

    #[test]
    fn only_64_lower_case_digits_are_a_sum() {
        assert!(is_sha256(ABC));
        assert!(!is_sha256(&ABC.to_uppercase()));
        assert!(!is_sha256(&ABC[1..]));
    }
}
