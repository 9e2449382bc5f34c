//! Who replies: a model, a baseline that needs no weights, or predictions that are stored.

mod baseline;
mod replay;

pub use baseline::Baseline;
pub use replay::Replay;

use saydo_function::Settings;
use saydo_model::Model;
use std::sync::Arc;

/// Who replies to a plan's samples.
pub enum Answerer {
    /// A model.
    Model {
        /// The model.
        model: Arc<dyn Model>,
        /// How functions ask it, and whether prompts use its chat template.
        settings: Settings,
    },
    /// A rule.
    Baseline(Baseline),
    /// What was said before.
    Replay(Replay),
}
