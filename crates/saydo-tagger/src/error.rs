//! What can go wrong: weights that are not weights, and treebanks that are not treebanks.

/// Why weights or a treebank could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin as tagger weights of this version do.
    #[error("tagger weights begin with {found:02x?}, expected {expected:02x?}")]
    NotWeights {
        /// The first bytes.
        found: Vec<u8>,
        /// What they should be.
        expected: Vec<u8>,
    },
    /// The bytes end inside a field.
    #[error("tagger weights end at byte {at}, expected {wanted} more for {field}")]
    Truncated {
        /// What was being read.
        field: &'static str,
        /// Where the bytes end.
        at: usize,
        /// How many are missing.
        wanted: usize,
    },
    /// A field holds a value that no writer produces.
    #[error("tagger weights hold {found} for {field}, expected {expected}")]
    Malformed {
        /// What was being read.
        field: &'static str,
        /// The value there.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A line of a treebank does not follow CoNLL-U.
    #[error("line {line} of the treebank has {found}, expected {expected}")]
    Treebank {
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
}
