//! How far a long job is. Jobs report through a callback; drawing is the caller's business.

/// One report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done.
    pub stage: Stage<'a>,
    /// Bytes that are there, or checked.
    pub done: u64,
    /// Bytes in all; 0 where that is not known.
    pub total: u64,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    /// Another process works on the same thing.
    Waiting,
    /// Bytes that are there are read and hashed.
    Checking,
    /// A package or a file is on its way.
    Fetching {
        /// Which one.
        what: &'a str,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A package is taken apart.
    Unpacking {
        /// Which one.
        what: &'a str,
    },
}
