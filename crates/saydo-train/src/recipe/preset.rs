//! The papers' own settings. What a user gives beside one wins; what a paper does not say is as without a preset.

use super::OptimizerName;
use crate::Schedule;
use serde::{Deserialize, Serialize};

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// BART-base of Natural Instructions: 3 epochs at 5e-5
    NaturalInstructions,
    /// BART-large of ZEST: all weights but embeddings, 15 epochs at 3e-5, updates of 32
    ZestBart,
    /// T5 of ZEST: all weights, 25,000 updates of 32 with Adafactor at 1e-3, the last 10 checkpoints kept
    ZestT5,
}

/// What a preset says; the rest is as without one.
#[derive(Default)]
pub(super) struct Values {
    pub layout: Option<&'static str>,
    pub is_full: bool,
    pub freezes_embeddings: bool,
    pub epochs: Option<usize>,
    pub steps: Option<usize>,
    pub batch: Option<usize>,
    pub max_source: Option<usize>,
    pub max_target: Option<usize>,
    pub lr: Option<f64>,
    pub schedule: Option<Schedule>,
    pub warm_up: Option<usize>,
    pub clip: Option<f64>,
    pub label_smoothing: Option<f32>,
    pub weight_decay: Option<f64>,
    pub optimizer: Option<OptimizerName>,
    pub validate_every: Option<usize>,
    pub checkpoint_every: Option<usize>,
    pub keep: Option<usize>,
}

impl Preset {
    /// What it says.
    pub(super) fn values(self) -> Values {
        match self {
            Preset::NaturalInstructions => Values { epochs: Some(3), lr: Some(5e-5), ..Values::default() },
            Preset::ZestBart => Values {
                layout: Some("zest-bart"),
                is_full: true,
                freezes_embeddings: true,
                epochs: Some(15),
                batch: Some(32),
                max_source: Some(512),
                max_target: Some(64),
                lr: Some(3e-5),
                schedule: Some(Schedule::Linear),
                warm_up: Some(100),
                clip: Some(0.1),
                label_smoothing: Some(0.1),
                weight_decay: Some(0.01),
                optimizer: Some(OptimizerName::AdamW),
                ..Values::default()
            },
            Preset::ZestT5 => Values {
                layout: Some("zest-t5"),
                is_full: true,
                steps: Some(25_000),
                batch: Some(32),
                max_source: Some(512),
                max_target: Some(512),
                lr: Some(1e-3),
                schedule: Some(Schedule::Constant),
                warm_up: Some(0),
                // Adafactor has its own bound.
                clip: Some(0.0),
                optimizer: Some(OptimizerName::Adafactor),
                validate_every: Some(2_500),
                checkpoint_every: Some(2_500),
                keep: Some(10),
                ..Values::default()
            },
        }
    }
}
