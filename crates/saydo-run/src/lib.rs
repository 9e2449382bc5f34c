//! Functions over a corpus: the ledger, resuming, shards and batch files.

pub mod batch;
pub mod cell;
mod column;
mod error;
pub mod folder;
pub mod key;
mod ledger;
pub mod merge;
pub mod questions;
pub mod runner;
pub mod whole;

pub use column::Column;
pub use error::Error;
pub use folder::Folder;
pub use key::{Key, Keys};
pub use ledger::line::parse as parse_line;
pub use ledger::{Ledger, Repair};
