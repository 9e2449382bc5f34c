//! Strict and fixed scoring, and the names of the quirks that tell them apart.

use serde::{Deserialize, Serialize, Serializer};

/// Whether a scorer copies its reference, oddities included, or repairs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Equal to the reference program, bit for bit.
    #[default]
    Strict,
    /// The reference's known quirks repaired.
    Fixed,
}

/// An oddity of a reference scorer, by its number (Q1 to Q19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Quirk(pub u8);

impl std::fmt::Display for Quirk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Q{}", self.0)
    }
}

impl Serialize for Quirk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
