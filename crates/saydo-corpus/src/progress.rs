//! How far the reading is, for whoever watches.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How far the reading of a corpus is. Clones show the same numbers and can be looked at from any thread.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    counts: Arc<Counts>,
    bytes_total: Option<u64>,
    documents_at_most: Option<u64>,
}

#[derive(Debug, Default)]
struct Counts {
    documents: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    pub(crate) fn new(bytes_total: Option<u64>, documents_at_most: Option<u64>) -> Progress {
        Progress { counts: Arc::default(), bytes_total, documents_at_most }
    }

    /// How many documents were given out so far, unreadable ones among them.
    pub fn documents_read(&self) -> u64 {
        self.counts.documents.load(Relaxed)
    }

    /// How many bytes of the input files were read so far (compressed, if they are), with those of skipped files.
    pub fn bytes_read(&self) -> u64 {
        self.counts.bytes.load(Relaxed)
    }

    /// How many bytes the input files have; none if standard input is among them.
    pub fn bytes_total(&self) -> Option<u64> {
        self.bytes_total
    }

    /// How many documents there can be at most, by the limit, the shard and the number of files, where these say so.
    pub fn documents_at_most(&self) -> Option<u64> {
        self.documents_at_most
    }

    pub(crate) fn add_document(&self) {
        self.counts.documents.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.counts.bytes.fetch_add(bytes, Relaxed);
    }
}
