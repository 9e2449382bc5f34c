//! Low-rank adapters in PEFT's layout: `adapter_config.json` and `adapter_model.safetensors` in a folder.
//!
//! Values are kept in the order of Hugging Face checkpoints. GGUF files of llamas hold the outputs of queries and keys in
//! another order, so an adapter's outputs are reordered when it meets such a network, and back when it leaves.

mod file;
mod mean;
mod merge;
mod order;

pub use order::OutputOrder;

use crate::Error;
use crate::arch::Network;
use crate::nn::{LowRank, Matrix};
use candle_core::Tensor;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// An adapter.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// Its settings.
    pub config: AdapterConfig,
    /// What is added to each layer.
    pub layers: Vec<AdapterLayer>,
}

/// The settings that matter here; PEFT's others have their defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdapterConfig {
    /// The rank.
    #[serde(rename = "r")]
    pub rank: usize,
    /// The addition is multiplied by alpha / rank.
    #[serde(rename = "lora_alpha")]
    pub alpha: f64,
    /// The share of a layer's inputs that training drops.
    #[serde(rename = "lora_dropout", default)]
    pub dropout: f64,
    /// The layers it is attached to, by the last part of their names.
    pub target_modules: Vec<String>,
    /// Divides by √rank instead of the rank.
    #[serde(default)]
    pub use_rslora: bool,
    /// Whether the layers hold their weights as (inputs, outputs), as GPT-2's do; A and B are the same either way.
    #[serde(default)]
    pub fan_in_fan_out: bool,
    /// The model it was learned for.
    #[serde(rename = "base_model_name_or_path", default)]
    pub base_model: Option<String>,
    /// Always `LORA`.
    #[serde(default = "lora")]
    pub peft_type: String,
    /// What the model is for, in Hugging Face's words.
    #[serde(default)]
    pub task_type: Option<String>,
}

fn lora() -> String {
    "LORA".to_owned()
}

impl AdapterConfig {
    /// The factor of the addition.
    pub fn scale(&self) -> f64 {
        let divisor = if self.use_rslora { (self.rank as f64).sqrt() } else { self.rank as f64 };
        self.alpha / divisor
    }
}

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Floats of 16 bits, which PEFT reads.
    F16,
    /// Integers of 8 bits with a factor for each of the adapter's dimensions: half the size, for Saydo alone.
    Int8,
}

/// What is added to one linear layer.
#[derive(Debug, Clone)]
pub struct AdapterLayer {
    /// The layer's name, such as `model.layers.0.self_attn.q_proj`.
    pub name: String,
    /// A, shape (rank, inputs).
    pub down: Tensor,
    /// B, shape (outputs, rank), outputs in the order of Hugging Face checkpoints.
    pub up: Tensor,
}

impl Adapter {
    /// Reads an adapter from its folder.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        file::load(folder)
    }

    /// Reads an adapter from the bytes of its two files.
    pub fn parse(config: &[u8], weights: &[u8]) -> Result<Self, Error> {
        file::parse(config, weights)
    }

    /// Writes the adapter into a folder, which is made if it is not there; each file appears when it is whole.
    pub fn save(&self, folder: &Path) -> Result<(), Error> {
        self.save_as(folder, Precision::F16)
    }

    /// The same in another precision.
    pub fn save_as(&self, folder: &Path, precision: Precision) -> Result<(), Error> {
        file::save(self, folder, precision)
    }

    /// Attaches the adapter to a network that runs here. Every layer of it must be there.
    pub fn attach(&self, network: &mut Network) -> Result<(), Error> {
        let orders = OutputOrder::of(network);
        let scale = self.config.scale();
        let mut linears = network.linears_mut();
        for layer in &self.layers {
            let parts: Vec<_> = linears.iter_mut().filter(|linear| layer_of(linear.name()).0 == layer.name).collect();
            if parts.is_empty() {
                return Err(Error::AdapterLayer { name: layer.name.clone() });
            }
            let (outputs, rank) = layer.up.dims2()?;
            let expected = [parts.iter().map(|part| part.matrix().outputs()).sum(), self.config.rank];
            if [outputs, rank] != expected || layer.down.dims2()?.0 != rank {
                return Err(Error::TensorShape {
                    name: format!("{}.lora_B", layer.name),
                    found: vec![outputs, rank],
                    expected: expected.to_vec(),
                });
            }
            let up = orders.to_network(&layer.name, &layer.up)?;
            let mut first = 0;
            for part in parts {
                let own = up.narrow(0, first, part.matrix().outputs())?.contiguous()?;
                first += part.matrix().outputs();
                let (down, up) = (Matrix::pack(&layer.down)?, Matrix::pack(&own)?);
                part.set_low_rank(Some(LowRank { down, up, scale, dropout: None }));
            }
        }
        Ok(())
    }
}

/// The layer of a checkpoint that a linear layer is, and which part of it, if the network computes it in parts:
/// `h.0.attn.c_attn.1` is part 1 of `h.0.attn.c_attn`.
pub fn layer_of(name: &str) -> (&str, Option<usize>) {
    let part = name.rsplit_once('.').and_then(|(layer, part)| Some((layer, part.parse().ok()?)));
    part.map_or((name, None), |(layer, part)| (layer, Some(part)))
}
