//! What a model has learned of functions, kept beside an adapter: `function.json`.

use crate::Confidence;
use crate::wording::LEARNED_VERSION;
use serde::{Deserialize, Serialize};

/// How functions ask a model that has learned to answer them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    /// The version of the wording that it learned.
    pub wording: u32,
    /// How often it is right, by what it says of itself.
    #[serde(default, skip_serializing_if = "Confidence::is_default")]
    pub confidence: Confidence,
}

impl Trained {
    /// The file's name in an adapter's folder.
    pub const FILE: &'static str = "function.json";

    /// What a model learns from prompts of this version of Saydo.
    pub fn now() -> Self {
        Self { wording: LEARNED_VERSION, confidence: Confidence::default() }
    }

    /// Whether functions of this version ask in the wording that was learned.
    pub fn is_current(&self) -> bool {
        self.wording == LEARNED_VERSION
    }
}
