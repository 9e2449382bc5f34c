//! Documents in, rows out: readers of every input format and writers of every output format.
//!
//! Separate because Parquet and compression are heavy. Nothing here knows models or functions: a [`Document`] is what a
//! function is applied to, a [`Row`] is what came out.

mod document;
mod row;

pub use document::Document;
pub use row::{Cell, Row, Status};
