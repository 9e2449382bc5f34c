//! Pure scoring of strings: normalization, exact match, token F1, ROUGE-L, aggregates and intervals.
//!
//! Strings and numbers go in, numbers come out: nothing here reads files, knows a task or a protocol, or rounds a score.
//! The scorers of the papers are Python programs, so [`python`] holds the text primitives they rest on, and the metrics
//! above it are built from those; protocols in other crates combine the pieces.

pub mod agreement;
pub mod assignment;
mod bag;
pub mod bootstrap;
pub mod exact;
pub mod mean;
pub mod python;
pub mod quartile;
pub mod rouge;
pub mod stem;
pub mod token_f1;
