//! How a training goes, as a user says it: what is left open, a preset fills in, or else a default.

mod plan;
mod preset;

pub use plan::Plan;
pub use preset::Preset;

use crate::{Ending, Precision, Schedule};
use serde::{Deserialize, Serialize};

/// What a user says about a training beside its data. [`Recipe::plan`] makes [`crate::Settings`] of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// A recipe below this one: what is said beside it wins. Default: none.
    pub preset: Option<Preset>,
    /// Updates. Default: 500.
    pub steps: Option<usize>,
    /// How often to go through all examples, in place of `steps`. Default: not said.
    pub epochs: Option<usize>,
    /// Examples of an update. Default: 16.
    pub batch: Option<usize>,
    /// Examples of a task that stand together behind one copy of its instruction. Default: 8.
    pub bundle: Option<usize>,
    /// Rows that go through the network together; longer examples are left out. Default: 1,024, or what an encoder needs.
    pub max_length: Option<usize>,
    /// Gigabytes that what is kept for the gradients may take, about. Default: 4.
    pub memory: Option<f64>,
    /// Precision of frozen weights and of what they are multiplied by. Default: f32.
    pub precision: Option<Precision>,
    /// Tokens of the longest prompt; longer ones lose examples, then elements of the instruction. Default: what the model
    /// reads.
    pub max_source: Option<usize>,
    /// For models with an encoder: tokens that outputs are cut to. Default: 64.
    pub max_target: Option<usize>,
    /// Longest prompt to learn from, in tokens; what is longer is left out. Default: any.
    pub max_prompt: Option<usize>,
    /// Longest input to learn from, in tokens; what is longer is left out. Default: any.
    pub max_input: Option<usize>,
    /// Whether every prompt is computed whole, without sharing instructions. Default: no.
    pub no_pack: bool,
    /// What stands behind an output, and is learned with it. Default: the end token.
    pub end: Option<Ending>,
    /// What tasks with labels teach. Default: their gold labels.
    pub labels: Option<Labels>,
    /// The layout in which the untrained model gives the probabilities to keep. Default: the training layout.
    pub hold_layout: Option<String>,
    /// How much tokens that hold the model count against those that are learned. Default: 4.
    pub hold: Option<f64>,
    /// Peak learning rates; several are trained one after the other. Default: 2e-4.
    pub lr: Vec<f64>,
    /// How the learning rate changes. Default: linear.
    pub schedule: Option<Schedule>,
    /// Updates over which the learning rate rises. Default: 20.
    pub warm_up: Option<usize>,
    /// Max norm of the gradients; 0 for any. Default: 1.
    pub clip: Option<f64>,
    /// Share of the target that is spread over the vocabulary. Default: 0.
    pub label_smoothing: Option<f32>,
    /// Share of matrices that is taken off at each update, times the learning rate. Default: 0.
    pub weight_decay: Option<f64>,
    /// The rule by which weights change. Default: AdamW.
    pub optimizer: Option<OptimizerName>,
    /// Whether all weights change instead of an adapter. Default: no.
    pub full: bool,
    /// With `full`: whether token and position embeddings stay. Default: no.
    pub freeze_embeddings: bool,
    /// Rank of the adapter. Default: 16.
    pub rank: Option<usize>,
    /// The adapter's addition is multiplied by alpha / rank. Default: 32.
    pub alpha: Option<f64>,
    /// Share of a layer's inputs that the adapter does not see in training. Default: 0.
    pub dropout: Option<f64>,
    /// Whether the dropout that the settings of T5 and BART ask for is left off. Default: no.
    pub no_model_dropout: bool,
    /// Layers that the adapter changes, by the last part of their names. Default: all but the head.
    pub targets: Vec<String>,
    /// Updates between validations; 0 for none. Default: 100.
    pub validate_every: Option<usize>,
    /// Validations without a better score after which training ends; 0 for never. Default: 0.
    pub patience: Option<usize>,
    /// Updates between checkpoints. Default: 25.
    pub checkpoint_every: Option<usize>,
    /// How many of the latest checkpoints to keep as adapters or models. Default: 0.
    pub keep: Option<usize>,
}

/// What tasks with labels teach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// Their gold labels.
    #[default]
    Gold,
    /// The labels that the model gives before the first update.
    Own,
    /// Nothing: a KL term keeps the probabilities that the model gives without the adapter.
    Held,
}

/// A rule by which weights change, its numbers left at their defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimizerName {
    /// AdamW.
    AdamW,
    /// Adafactor.
    Adafactor,
}
