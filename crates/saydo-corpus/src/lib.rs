//! Documents in, rows out: readers of every input format and writers of every output format.
//!
//! Separate because Parquet and compression are heavy. Nothing here knows models or functions: a [`Document`] is what a
//! function is applied to, a [`Row`] is what came out.
//!
//! ```
//! use saydo_corpus::{Corpus, Options};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("park.txt"), "Vernal Fall is 317 feet high.")?;
//! let corpus = Corpus::open(&[folder.path().display().to_string()], &Options::default())?;
//! let texts: Vec<String> = corpus.map(|document| document.map(|document| document.text)).collect::<Result<_, _>>()?;
//! assert_eq!(texts, ["Vernal Fall is 317 feet high."]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod corpus;
mod document;
pub mod entry;
mod error;
mod escape;
mod format;
mod input;
mod key;
mod limit;
mod options;
mod output;
mod progress;
mod read;
mod row;
mod sft;
mod shard;
mod template;

pub use corpus::{Corpus, Until};
pub use document::{Document, Unreadable};
pub use error::Error;
pub use format::Format;
pub use input::first_stream;
pub use key::{Key, Keys};
pub use limit::Limit;
pub use options::Options;
pub use output::{Batches, Column, JsonLines, Meta, Output, parquet_io_error};
pub use progress::Progress;
pub use read::{Candidate, TableRow, choose_text_column, table};
pub use row::{Cell, Row, Status};
pub use sft::{SftForm, SftRow, write_sft_jsonl, write_sft_parquet};
pub use shard::Shard;
pub use template::Templates;
