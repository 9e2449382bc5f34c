//! What a function gives for one document.

use saydo_task::{Answer, Span};

/// An answer with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// How sure the model is, from 0 to 1; none if it does not say.
    pub confidence: Option<f64>,
    /// Into how many windows the document was split to fit the model's context; 1 if it fits whole.
    pub windows: usize,
    /// The log-odds of NA that led to the answer, the settings' bias included; none if they were not measured. Labelled
    /// rows show where the line should run.
    pub na_log_odds: Option<f64>,
    /// Pieces of the reply that were left out because the document does not hold them.
    pub ungrounded: usize,
    /// The passages that show a label answer, where they were asked for.
    pub evidence: Vec<Span>,
}
