//! What can be wrong with a GGUF file, each case with the field it was found in.

/// Why bytes are not a GGUF file we can use, or why a file lacks what was asked of it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// The bytes end within a field.
    #[error("{field} needs {needed} bytes at offset {offset}, found {left}")]
    Truncated {
        /// The field, such as `metadata key 3`.
        field: String,
        /// Where the missing bytes should start.
        offset: usize,
        /// How many bytes the field needs.
        needed: u64,
        /// How many bytes there are.
        left: usize,
    },
    /// A field holds something that no valid file holds.
    #[error("{field} is {found}, expected {expected}")]
    Invalid {
        /// The field, such as `dimension 1 of tensor "output.weight"`.
        field: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// A metadata key that is needed is not there.
    #[error("metadata key {key:?} is missing, expected {expected}")]
    MissingKey {
        /// The key.
        key: String,
        /// The type its value should have.
        expected: &'static str,
    },
    /// A metadata value has another type than is needed.
    #[error("metadata key {key:?} holds {found}, expected {expected}")]
    WrongType {
        /// The key.
        key: String,
        /// The value's type, or the value itself if only its size is wrong.
        found: String,
        /// The type it should have.
        expected: &'static str,
    },
    /// A tensor that is needed is not there.
    #[error("tensor {name:?} is missing")]
    MissingTensor {
        /// The tensor.
        name: String,
    },
}

impl GgufError {
    pub(super) fn invalid(field: impl Into<String>, found: impl ToString, expected: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), found: found.to_string(), expected: expected.into() }
    }
}
