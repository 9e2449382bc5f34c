//! Many short texts in one allocation.

use super::TokenizerError;

/// Byte strings numbered from 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn with_capacity(count: usize, bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(count) }
    }

    /// Adds a text that `write` appends. All texts together must stay below 4 GiB.
    pub(super) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), TokenizerError> {
        write(&mut self.bytes);
        let bytes = self.bytes.len();
        self.ends.push(u32::try_from(bytes).map_err(|_| TokenizerError::TooLarge { bytes })?);
        Ok(())
    }

    pub(super) fn push(&mut self, text: &[u8]) -> Result<(), TokenizerError> {
        self.push_with(|bytes| bytes.extend_from_slice(text))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, id: u32) -> Option<&[u8]> {
        let id = id as usize;
        let end = *self.ends.get(id)? as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        Some(&self.bytes[start..end])
    }
}
