//! All writing to disk goes through this crate, so that one set of rules holds everywhere, and one set of tests proves it.
//!
//! | For | Use |
//! | --- | --- |
//! | a file that appears when it is whole | [`write`](fn@write), or [`Draft`] for one that is written piece by piece |
//! | a file that grows line by line | [`Appender`] |
//! | a folder that appears when it is whole | [`StagedFolder`] |
//! | anything else | the single steps in [`disk`] |
//! | SHA-256 | [`digest`] |
//!
//! Whatever returns `Ok` survives a power cut: files are synced before they get their name, and the folder that holds the
//! name is synced after. Whatever fails leaves what was there before. [`fault`] lets a test make any single step fail.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("answer.txt");
//! saydo_file::write(&path, b"yes\n")?;
//! assert_eq!(std::fs::read(&path)?, b"yes\n");
//! # Ok(())
//! # }
//! ```

mod appender;
pub mod digest;
pub mod disk;
mod draft;
pub mod fault;
mod staged_folder;

pub use appender::Appender;
pub use draft::{Draft, write};
pub use staged_folder::{StagedFolder, previous, replace_folder};
