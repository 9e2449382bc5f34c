//! A reader over untrusted bytes: every step is checked against what is left and says which field it was reading.

use super::GgufError;

/// A position in a file's bytes.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes lie before the position.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// All bytes after the position.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next `count` bytes. `field` is only called for an error.
    pub(super) fn take(&mut self, count: u64, field: impl Fn() -> String) -> Result<&'a [u8], GgufError> {
        let rest = self.rest();
        match usize::try_from(count).ok().and_then(|count| rest.get(..count)) {
            Some(taken) => {
                self.at += taken.len();
                Ok(taken)
            }
            None => Err(GgufError::Truncated { field: field(), offset: self.at, needed: count, left: rest.len() }),
        }
    }

    /// The next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self, field: impl Fn() -> String) -> Result<[u8; N], GgufError> {
        let taken = self.take(N as u64, field)?;
        Ok(taken.try_into().expect("exactly N bytes were taken"))
    }

    pub(super) fn u32(&mut self, field: impl Fn() -> String) -> Result<u32, GgufError> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, field: impl Fn() -> String) -> Result<u64, GgufError> {
        self.array(field).map(u64::from_le_bytes)
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self, field: impl Fn() -> String) -> Result<&'a str, GgufError> {
        let length = self.u64(|| format!("the length of {}", field()))?;
        let bytes = self.take(length, &field)?;
        std::str::from_utf8(bytes).map_err(|error| {
            let found = format!("not UTF-8 after {} of {} bytes", error.valid_up_to(), bytes.len());
            GgufError::invalid(field(), found, "UTF-8 text")
        })
    }

    /// A number of things that take at least `least_bytes` each: refused if the file cannot hold that many.
    pub(super) fn count(&mut self, least_bytes: usize, field: impl Fn() -> String) -> Result<usize, GgufError> {
        let count = self.u64(&field)?;
        let most = self.rest().len() / least_bytes;
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(GgufError::invalid(field(), count, format!("at most {most}, which is what the file can hold"))),
        }
    }
}
