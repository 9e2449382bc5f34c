//! How training goes.

use crate::{Ending, OptimizerKind, Schedule};
use candle_core::Device;
use saydo_model::weights::Purpose;
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
    /// Approximate bytes kept of a pack for the backward pass; layers beyond that are recomputed. It
    /// changes time and memory, and no number but by rounding. Default: 4 GB.
    pub memory: u64,
    /// What frozen weights, and what they are multiplied by, are rounded to. Default: nothing.
    pub precision: Precision,
    /// Whether examples of a task share the computation of what their prompts have in common. Default: yes.
    pub packed: bool,
    /// What stands behind outputs of models without an encoder. Default: the end token.
    pub ending: Ending,
    /// The peak learning rate. Default: 2e-4.
    pub rate: f64,
    /// How the rate changes. Default: linear.
    pub schedule: Schedule,
    /// Updates over which the rate rises. Default: 20.
    pub warm_up: usize,
    /// The max gradient norm; 0 = no clipping. Default: 1.
    pub clip: f64,
    /// Share of the target that is spread over the vocabulary. Default: 0.
    pub smoothing: f32,
    /// How much a token of an example that holds the network where it is counts, against one that is learned. Default: 4.
    pub hold: f64,
    /// The rule. Default: AdamW without weight decay.
    pub optimizer: OptimizerKind,
    /// Whether networks with an encoder drop values inside, as their settings say. Default: yes.
    pub model_dropout: bool,
    /// Updates between checkpoints. Default: 50.
    pub checkpoint_every: usize,
    /// How many of the latest checkpoints are also kept as folders to run. Default: 0.
    pub keep: usize,
    /// Updates between validations; 0 for none. Default: 100.
    pub validate_every: usize,
    /// Validations without a better score after which training ends; 0 for never. Default: 0.
    pub patience: usize,
    /// Seed of everything random. Default: 0.
    pub seed: u64,
}

/// How exactly products with frozen weights are computed; sums always have 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// In floats of 32 bits.
    #[default]
    F32,
    /// Rounded to 16 bits with the range of 32: faster on CPUs with AMX or AVX512-BF16, slower on others.
    Bf16,
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
        /// The share of a layer's inputs that the addition does not see in training.
        #[serde(default)]
        dropout: f64,
        /// The layers, by the last part of their names; empty for all but the head.
        targets: Vec<String>,
    },
    /// All weights.
    Full {
        /// Whether token and position embeddings stay as they are.
        frozen_embeddings: bool,
    },
}

impl Learned {
    /// What weights must be opened for, in 32 bits.
    pub fn purpose(&self) -> Purpose {
        match self {
            Self::Adapter { .. } => Purpose::Training(Device::Cpu),
            Self::Full { frozen_embeddings } => Purpose::Learning { embeddings: !frozen_embeddings },
        }
    }
}

impl Settings {
    /// What weights must be opened for.
    pub fn purpose(&self) -> Purpose {
        match (&self.learned, self.precision) {
            (Learned::Adapter { .. }, Precision::Bf16) => Purpose::Rounded,
            (learned, _) => learned.purpose(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            learned: Learned::Adapter { rank: 16, alpha: 32.0, dropout: 0.0, targets: Vec::new() },
            steps: 500,
            batch: 16,
            per_task: 8,
            max_rows: 1024,
            memory: 4_000_000_000,
            precision: Precision::F32,
            packed: true,
            ending: Ending::Token,
            rate: 2e-4,
            schedule: Schedule::Linear,
            warm_up: 20,
            clip: 1.0,
            smoothing: 0.0,
            hold: 4.0,
            optimizer: OptimizerKind::default(),
            model_dropout: true,
            checkpoint_every: 50,
            keep: 0,
            validate_every: 100,
            patience: 0,
            seed: 0,
        }
    }
}
