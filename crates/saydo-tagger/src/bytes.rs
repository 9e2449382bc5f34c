//! Reads and writes the fields of the weights file, least significant byte first. The input is treated as hostile: every
//! read is checked, and no length is trusted before the bytes behind it are known to exist.

use crate::Error;

/// What is left of the bytes, and where it begins.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, at: 0 }
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize, field: &'static str) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            let end = self.at + self.rest.len();
            return Err(Error::Truncated { field, at: end, wanted: count - self.rest.len() });
        };
        self.rest = rest;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self, field: &'static str) -> Result<u8, Error> {
        Ok(self.take(1, field)?[0])
    }

    /// A count of items that need at least `item_bytes` each; refused if the rest cannot hold them.
    pub(crate) fn count(&mut self, item_bytes: usize, field: &'static str) -> Result<usize, Error> {
        let bytes: [u8; 4] = self.take(4, field)?.try_into().expect("take gives the four bytes asked for");
        let count = u32::from_le_bytes(bytes) as usize;
        let wanted = count.saturating_mul(item_bytes);
        match wanted.checked_sub(self.rest.len()) {
            Some(missing) if missing > 0 => {
                Err(Error::Truncated { field, at: self.at + self.rest.len(), wanted: missing })
            }
            _ => Ok(count),
        }
    }

    /// Refuses bytes behind the last field.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let found = format!("{} bytes after the end", self.rest.len());
        Err(Error::Malformed { field: "file", found, expected: "none" })
    }
}

/// Appends a count of items.
pub(crate) fn put_count(out: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).expect("tables of the tagger hold fewer than 2^32 items");
    out.extend(count.to_le_bytes());
}
