//! An adapter added to the weights it was learned for, so that no adapter is needed any more.

use super::{Adapter, OutputOrder};
use crate::Error;
use crate::arch::Network;
use crate::nn::with_values;
use crate::weights::{Purpose, Weights};
use candle_core::{Device, Tensor};
use std::path::Path;

impl Adapter {
    /// Writes the model at `source`, a GGUF file or a folder, with this adapter added to its weights into a folder, as
    /// floats of 32 bits.
    pub fn merge(&self, source: &Path, folder: &Path) -> Result<(), Error> {
        let mut weights = Weights::open(source, Purpose::Training(Device::Cpu))?;
        let network = Network::load(&weights).map_err(|error| error.in_file(source))?;
        weights.check_folder()?;
        let (orders, used) = (OutputOrder::of(&network), weights.used());
        drop(network);
        let is_turned = weights.config().model_type()? == "gpt2";
        for layer in &self.layers {
            let name = format!("{}.weight", layer.name);
            if !used.contains(&name) {
                return Err(self.without_weights(&layer.name));
            }
            let up = orders.to_network(&layer.name, &layer.up)?;
            let change = (up.matmul(&layer.down)? * self.config.scale())?;
            let change = if is_turned { change.t()?.contiguous()? } else { change };
            let (shape, mut values) = weights.stored(&name)?;
            if change.dims() != shape {
                return Err(Error::TensorShape { name, found: change.dims().to_vec(), expected: shape });
            }
            with_values(&change, |change| values.iter_mut().zip(change).for_each(|(x, y)| *x += y))?;
            weights.replace(&name, &Tensor::from_vec(values, shape, &Device::Cpu)?)?;
        }
        weights.save_folder(&used, folder)
    }

    /// A tied head's weights are the embedding's, which an addition to the head must not change.
    fn without_weights(&self, layer: &str) -> Error {
        match layer {
            "lm_head" => Error::Unsupported {
                what: "merging an addition to a head that is tied to the embedding".to_owned(),
                advice: "use the adapter as it is".to_owned(),
            },
            _ => Error::AdapterLayer { name: layer.to_owned() },
        }
    }
}
