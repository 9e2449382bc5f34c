//! What can be wrong with a vocabulary, or with the description of how to use it.

/// Why a tokenizer cannot be built, or cannot encode a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenizerError {
    /// A kind of tokenizer that is not implemented.
    #[error("{field} is {found:?}, expected {expected}")]
    Unsupported {
        /// What names the kind, such as a metadata key.
        field: &'static str,
        /// The kind.
        found: String,
        /// The kinds we know.
        expected: &'static str,
    },
    /// Two tokens have the same text.
    #[error("token {id} is {text:?}, as token {first} is, expected a new text")]
    RepeatedToken {
        /// The second one.
        id: u32,
        /// The first one.
        first: u32,
        /// Their text.
        text: String,
    },
    /// Two lists that belong together have different lengths.
    #[error("{field} has {found} entries, expected {expected}, one for each token")]
    WrongLength {
        /// The list.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The number of tokens.
        expected: usize,
    },
    /// A merge that cannot be done with this vocabulary.
    #[error("merge {index} is {merge:?}, expected two tokens with a space between that together make a token")]
    Merge {
        /// Its place in the list.
        index: usize,
        /// Its text.
        merge: String,
    },
    /// A number that names no token.
    #[error("{field} is {id}, expected less than {size}, the size of the vocabulary")]
    OutOfVocabulary {
        /// What holds the number.
        field: &'static str,
        /// The number.
        id: u32,
        /// The size of the vocabulary.
        size: usize,
    },
    /// There are more tokens than a vocabulary can have.
    #[error("the vocabulary takes {bytes} bytes, expected less than 4 GiB")]
    TooLarge {
        /// The bytes of all tokens.
        bytes: usize,
    },
    /// A `tokenizer.json` is malformed.
    #[error("the tokenizer's JSON cannot be read")]
    Json(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A text that cannot be encoded.
    #[error("the tokenizer cannot encode the text")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
}
