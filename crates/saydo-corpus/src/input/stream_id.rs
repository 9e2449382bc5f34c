//! Which streams are the same one under two names: `-` and `/dev/stdin`, say.

use super::Origin;

/// What tells one stream from another.
pub type StreamId = (u64, u64);

/// A stream's device and file number; none where the system does not say.
#[cfg(unix)]
pub fn of(origin: &Origin) -> Option<StreamId> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let path = match origin {
        Origin::File(path) | Origin::Stream(path) => path.as_path(),
        Origin::Stdin => std::path::Path::new("/dev/stdin"),
    };
    // Only a pipe gives its bytes to one reader alone; `/dev/null` may well be named twice.
    let found = std::fs::metadata(path).ok().filter(|found| found.file_type().is_fifo())?;
    Some((found.dev(), found.ino()))
}

/// Elsewhere streams have no numbers.
#[cfg(not(unix))]
pub fn of(_: &Origin) -> Option<StreamId> {
    None
}
