//! A set of bytes: those that may come next.

/// A set of bytes.
#[derive(Default)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// Adds the bytes from `first` to `last`, both included.
    pub fn insert_range(&mut self, first: u8, last: u8) {
        for (index, word) in self.0.iter_mut().enumerate() {
            let (low, high) = (index as u8 * 64, index as u8 * 64 + 63);
            if first <= high && last >= low {
                let from = u64::MAX << (first.max(low) - low);
                let to = u64::MAX >> (high - last.min(high));
                *word |= from & to;
            }
        }
    }

    /// Whether the byte is in the set.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// How many bytes are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The bytes in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(index as u8 * 64 + bit as u8)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_bytes_are_whole() {
        for (first, last) in [(0, 255), (0, 0), (255, 255), (63, 64), (0x20, 0xf4), (128, 191)] {
            let mut set = ByteSet::default();
            set.insert_range(first, last);
            assert!(set.iter().eq(first..=last));
        }
    }
}
