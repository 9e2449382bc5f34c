//! How a function puts its questions to a model.

use crate::{Confidence, WindowSize};
use saydo_model::Decoding;

/// The settings of a function. Everything but the window's counter is part of a run's identity.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether the model is constrained to the answer's kind or replies freely. Default: constrained.
    pub way: Way,
    /// Whether the model has learned to answer functions: it is then asked in one pass, in the wording that it learned.
    /// Default: no.
    pub is_trained: bool,
    /// Whether label answers come with the passage that shows them; only models that have learned to answer functions give
    /// it. Default: no.
    pub evidence: bool,
    /// Whether prompts use the model's chat template. Default: yes; models without a chat template need no.
    pub chat: bool,
    /// How long a prompt may be. Default: 2,048 tokens, estimated.
    pub window: WindowSize,
    /// How free text is chosen and where it ends. Default: greedy, 256 tokens.
    pub decoding: Decoding,
    /// Added to the log-odds of NA: above 0 for more NA, below 0 for less. `saydo run --calibrate` finds it on labelled
    /// rows. Default: 0.
    pub na_bias: f64,
    /// What turns the model's probabilities into how often it is right. Default: nothing, they are taken as they are.
    pub confidence: Confidence,
}

/// How the model's reply becomes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Labels are scored, spans and records are generated under a constraint: only a record
    /// that is cut off for its length can be unparsable.
    Constrained,
    /// For servers, which neither score given replies nor hold them to a document. The model writes what it likes and
    /// the reply is parsed; labels are told by its first token where the server lists the likeliest ones. The task stands
    /// before the document, where a server computes it once.
    Free,
}

impl Way {
    /// The word for it in run records and keys, which never change.
    pub fn name(self) -> &'static str {
        match self {
            Way::Constrained => "held",
            Way::Free => "free",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            way: Way::Constrained,
            is_trained: false,
            evidence: false,
            chat: true,
            window: WindowSize::estimated(2048),
            decoding: Decoding::default(),
            na_bias: 0.0,
            confidence: Confidence::default(),
        }
    }
}
