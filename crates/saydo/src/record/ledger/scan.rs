//! Finding the entries of a ledger, by the block and without parsing.

use super::index::{Index, Place};
use crate::Error;
use saydo_corpus::entry;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;

/// What a ledger holds beside its entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Bytes from where the scan began to the end of the last whole line.
    pub(super) whole_bytes: u64,
    /// Bytes behind it.
    pub(super) torn_bytes: u64,
    /// Lines that are no entries.
    pub(super) damaged_lines: u64,
}

/// Adds the entries of a ledger from the byte `from` on to the index, as those of file number `file`. A line starts there.
pub(super) fn scan(path: &Path, from: u64, file: usize, index: &mut Index) -> Result<Found, Error> {
    let mut source = File::open(path).map_err(Error::read(path))?;
    source.seek(SeekFrom::Start(from)).map_err(Error::read(path))?;
    let mut found = Found::default();
    let mut block = Vec::with_capacity(BLOCK);
    loop {
        let before = block.len();
        let read = source.by_ref().take(BLOCK as u64).read_to_end(&mut block).map_err(Error::read(path))?;
        if read == 0 {
            found.torn_bytes = block.len() as u64;
            return Ok(found);
        }
        let whole = lines(&block, before, (file, from), index, &mut found);
        block.drain(..whole);
    }
}

/// Goes over the whole lines of a block and gives their bytes. No line ends before the byte `searched`.
fn lines(block: &[u8], searched: usize, (file, from): (usize, u64), index: &mut Index, found: &mut Found) -> usize {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', &block[searched..]).map(|end| searched + end) {
        match entry::head(&block[start..end]) {
            Some((key, status)) => index.insert(key, Place { file, offset: from + found.whole_bytes, status }),
            None => found.damaged_lines += 1,
        }
        found.whole_bytes += (end + 1 - start) as u64;
        start = end + 1;
    }
    start
}
