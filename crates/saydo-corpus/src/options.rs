//! What to read of the inputs.

use crate::{Format, Limit, Shard};

/// How large a document may be: 1 GiB.
pub const MAX_DOCUMENT_BYTES: u64 = 1 << 30;

/// What to read of the inputs, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The column (or field) that holds the text. None: it is found by its name, or is the only text.
    pub column: Option<String>,
    /// The column (or field) that holds a question about the text of its row. None: rows have no questions.
    pub question: Option<String>,
    /// The format of standard input, and of named files whose extension says nothing. None: it is found.
    pub format: Option<Format>,
    /// Which documents, by their number. None: all.
    pub limit: Option<Limit>,
    /// Which part of those. None: all.
    pub shard: Option<Shard>,
    /// How large one document (or one line, row or value with a document in it) may be, in bytes; 1 GiB by default.
    pub max_document_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            column: None,
            question: None,
            format: None,
            limit: None,
            shard: None,
            max_document_bytes: MAX_DOCUMENT_BYTES,
        }
    }
}
