//! What is left out of inputs, in evaluation and in training (ZEST's Table 5).

use saydo_protocol::plan::Ablation;

/// Which part of an input is kept.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum AblationArg {
    QuestionOnly,
    ContextOnly,
}

impl AblationArg {
    /// What it stands for.
    pub fn ablation(self) -> Ablation {
        match self {
            Self::QuestionOnly => Ablation::QuestionOnly,
            Self::ContextOnly => Ablation::ContextOnly,
        }
    }
}
