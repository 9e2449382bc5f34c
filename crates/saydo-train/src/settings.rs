//! How training goes.

use crate::{OptimizerKind, Packer, Schedule};
use serde::{Deserialize, Serialize};

/// The settings of a training; kept with its checkpoints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What changes. Default: an adapter of rank 16 on all linear layers but the head.
    pub learned: Learned,
    /// Updates. Default: 500.
    pub steps: usize,
    /// Examples of an update. Default: 16.
    pub batch: usize,
    /// Examples of a task that stand together. Default: 8.
    pub per_task: usize,
    /// Rows that go through the network together, which bounds memory; longer examples are left out. Default: 1,024.
    pub max_rows: usize,
    /// Whether examples of a task share the computation of what their prompts have in common. Default: yes.
    pub packed: bool,
    /// The greatest learning rate. Default: 2e-4.
    pub rate: f64,
    /// How the rate changes. Default: linear.
    pub schedule: Schedule,
    /// Updates over which the rate rises. Default: 20.
    pub warm_up: usize,
    /// The greatest length of the gradients. Default: 1.
    pub clip: f64,
    /// Share of the target that is spread over the vocabulary. Default: 0.
    pub smoothing: f32,
    /// The rule. Default: AdamW without weight decay.
    pub optimizer: OptimizerKind,
    /// Updates between checkpoints. Default: 50.
    pub checkpoint_every: usize,
    /// Updates between validations; 0 for none. Default: 100.
    pub validate_every: usize,
    /// Validations without a better score after which training ends; 0 for never. Default: 0.
    pub patience: usize,
    /// Seed of everything random. Default: 0.
    pub seed: u64,
}

/// What changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learned {
    /// A low-rank addition to linear layers.
    Adapter {
        /// The rank.
        rank: usize,
        /// The addition is multiplied by alpha / rank.
        alpha: f64,
        /// The layers, by the last part of their names; empty for all but the head.
        targets: Vec<String>,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            learned: Learned::Adapter { rank: 16, alpha: 32.0, targets: Vec::new() },
            steps: 500,
            batch: 16,
            per_task: 8,
            max_rows: 1024,
            packed: true,
            rate: 2e-4,
            schedule: Schedule::Linear,
            warm_up: 20,
            clip: 1.0,
            smoothing: 0.0,
            optimizer: OptimizerKind::default(),
            checkpoint_every: 50,
            validate_every: 100,
            patience: 0,
            seed: 0,
        }
    }
}

impl Settings {
    /// How examples are packed.
    pub fn packer(&self) -> Packer {
        Packer { max_rows: self.max_rows, is_shared: self.packed }
    }
}
