//! What can go wrong with a run as a whole. What goes wrong with one document becomes its row.

use crate::runner::{FailOnError, RowError};
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not start, or had to stop. What was recorded before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system could not read a file.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system could not write a file.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process writes the ledger.
    #[error("another process is writing {}", ledger.display())]
    Busy {
        /// The ledger.
        ledger: PathBuf,
    },
    /// The folder belongs to another run.
    #[error("{} holds a run of {found}, expected {expected}", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What it is a run of.
        found: String,
        /// What was to be run.
        expected: String,
    },
    /// A folder without a run.
    #[error("{} holds no run, expected a run.json in it", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// A file without results of a batch.
    #[error("{} holds no results of a batch that was exported here (other lines: {lines})", path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// How many lines of something else it has.
        lines: u64,
    },
    /// An output of a kind that cannot be joined.
    #[error("{} cannot be joined, expected .jsonl, .csv, .tsv, .parquet or the folder of a run", path.display())]
    Unmergeable {
        /// The file.
        path: PathBuf,
    },
    /// Outputs of several formats.
    #[error("{} has another format than {}, expected the same", part.display(), out.display())]
    MixedFormats {
        /// The file to be written.
        out: PathBuf,
        /// The file to be read.
        part: PathBuf,
    },
    /// An output with other columns.
    #[error("{} has other columns than the first file, expected outputs of the same tasks", part.display())]
    OtherColumns {
        /// The file.
        part: PathBuf,
    },
    /// An output that was not written to its end.
    #[error("{} does not end with a whole row", path.display())]
    TornOutput {
        /// The file.
        path: PathBuf,
    },
    /// A document that two outputs have.
    #[error("{} holds a row for {source_name} again, expected each document once", part.display())]
    Overlap {
        /// The file that has it again.
        part: PathBuf,
        /// The document.
        source_name: String,
    },
    /// Outputs whose lengths are not those of all shards in their order.
    #[error("the parts have {} rows or more, which are not those of all shards in their order", list(lengths))]
    Lengths {
        /// How many rows each has, as far as they were read.
        lengths: Vec<u64>,
    },
    /// Fewer outputs than shards.
    #[error("{found} parts were given, but their rows stand {expected} apart in the input, expected {expected} parts")]
    MissingParts {
        /// How many there are.
        found: u64,
        /// How many there must be.
        expected: u64,
    },
    /// Shards without a ledger.
    #[error("of {count} shards these are missing: {}", list(missing))]
    MissingShards {
        /// Those that are missing.
        missing: Vec<u64>,
        /// How many there must be.
        count: u64,
    },
    /// A shard with two ledgers.
    #[error("shard {shard} is there twice, expected each shard once")]
    RepeatedShard {
        /// The shard.
        shard: String,
    },
    /// A function could not go on.
    #[error(transparent)]
    Function(saydo_function::Error),
    /// Whoever was given a row could not take it.
    #[error("cannot hand on a row")]
    Row(#[source] RowError),
    /// More rows failed than may fail.
    #[error("{failed} of {rows} rows failed, expected at most {bound}")]
    TooManyFailed {
        /// How many failed.
        failed: u64,
        /// How many there were so far.
        rows: u64,
        /// How many may fail.
        bound: FailOnError,
    },
    /// The description of a run cannot be understood.
    #[error("{} does not describe a run: {reason}", path.display())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }

    /// The error of a file that could not be written.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }

    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "the disk is full; make space and run the same command again: what was recorded stays".to_owned()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "choose a folder that can be written to with --run DIR".to_owned()
                }
                _ => return None,
            },
            Self::Busy { .. } => "wait for it to end, give this run its own folder with --run DIR, or split the work \
                                  between processes with --shard 1/2 and --shard 2/2"
                .to_owned(),
            Self::OtherRun { .. } => "choose another folder with --run DIR, or leave --run out".to_owned(),
            Self::BadRecord { .. } => "choose another folder with --run DIR, or remove the file".to_owned(),
            Self::TooManyFailed { .. } => "the rows say what went wrong; --retry-errors tries them again, and \
                                           --fail-on-error sets how many may fail"
                .to_owned(),
            Self::NoResults { .. } => {
                "give the file of results that the server wrote, not the file of requests".to_owned()
            }
            Self::Overlap { .. } | Self::RepeatedShard { .. } => "name each shard once".to_owned(),
            Self::Lengths { .. } => {
                "name the outputs of all shards, finished, in their order: 1/3, then 2/3, then 3/3".to_owned()
            }
            Self::TornOutput { .. } | Self::MissingShards { .. } => {
                "run the shard again: it goes on where it stopped".to_owned()
            }
            Self::MissingParts { .. } => "name the outputs of all shards, in their order".to_owned(),
            Self::Unmergeable { .. } | Self::MixedFormats { .. } | Self::OtherColumns { .. } => return None,
            Self::Read { .. } | Self::NoRun { .. } | Self::Function(_) | Self::Row(_) => return None,
        })
    }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
