//! What a model has learned of functions, kept beside an adapter: `function.json`.

use crate::learned::VERSION;
use serde::{Deserialize, Serialize};

/// How functions ask a model that has learned to answer them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    /// The version of the wording that it learned.
    pub wording: u32,
}

impl Trained {
    /// The file's name in an adapter's folder.
    pub const FILE: &'static str = "function.json";

    /// What a model learns from prompts of this version of Saydo.
    pub fn now() -> Self {
        Self { wording: VERSION }
    }

    /// Whether functions of this version ask in the wording that was learned.
    pub fn is_current(self) -> bool {
        self.wording == VERSION
    }
}
