//! The papers' protocols: how predictions become the authors' scores.
//!
//! One module per protocol. Each copies its reference scorer exactly in strict mode, oddities included, and repairs
//! them in fixed mode.

pub mod labelled;
mod mode;
pub mod natural_instructions;
pub mod reading;
pub mod super_natural_instructions;
pub mod text;
pub mod turking;
pub mod zest;

pub use mode::{Mode, Quirk};
