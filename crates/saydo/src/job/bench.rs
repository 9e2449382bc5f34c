//! Speed on this machine, beside other engines that are installed.

mod engine;
pub mod generate;
mod task;
pub mod train;

pub use engine::{Engine, Figure};
