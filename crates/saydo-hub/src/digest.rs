//! SHA-256 as the catalog writes it: 64 lower-case hexadecimal digits.

use crate::error::Error;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A sum that grows with the bytes it is given.
#[derive(Debug, Default, Clone)]
pub struct Sum(Sha256);

impl Sum {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The sum over all bytes so far.
    pub fn hex(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The sum over a whole file; `report` is told how many bytes were read so far.
pub fn of_file(path: &Path, report: &mut dyn FnMut(u64)) -> Result<Sum, Error> {
    let mut file = File::open(path).map_err(Error::read(path))?;
    let mut sum = Sum::default();
    let mut buffer = vec![0; 1 << 20];
    let mut done = 0;
    loop {
        let read = file.read(&mut buffer).map_err(Error::read(path))?;
        if read == 0 {
            return Ok(sum);
        }
        sum.update(&buffer[..read]);
        done += read as u64;
        report(done);
    }
}

/// Whether text is a SHA-256 as this module writes it.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_sum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let sum = of_file(&path, &mut |_| ()).unwrap().hex();
        assert_eq!(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(is_sha256(&sum));
        assert!(!is_sha256(&sum.to_uppercase()));
    }
}
