//! The order of a layer's outputs: in llamas from GGUF files, the two halves of a head's rotary dimensions alternate.

use crate::Error;
use crate::arch::Network;
use crate::kernel::ops::RopeOrder;
use crate::weights::Weights;
use candle_core::Tensor;

/// How the outputs of a network's queries and keys are ordered, against those of Hugging Face checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputOrder {
    /// Heads of queries and of keys, where they alternate.
    heads: Option<(usize, usize)>,
}

impl OutputOrder {
    /// The order of a network.
    pub fn of(network: &Network) -> Self {
        let Network::Decoder(decoder) = network else { return Self { heads: None } };
        let alternates = decoder.ropes.iter().any(|rope| rope.order == RopeOrder::Interleaved);
        let shape = decoder.layers.first().map(|layer| &layer.attention.shape);
        Self { heads: shape.filter(|_| alternates).map(|shape| (shape.heads, shape.kv_heads)) }
    }

    /// The order of the network that these weights make: alternating in GGUF files of llamas.
    pub fn of_weights(weights: &Weights) -> Result<Self, Error> {
        let config = weights.config();
        if weights.gguf().is_none() || config.model_type()? != "llama" {
            return Ok(Self { heads: None });
        }
        let heads = config.count("num_attention_heads")?;
        Ok(Self { heads: Some((heads, config.count_if_any("num_key_value_heads")?.unwrap_or(heads))) })
    }

    /// Rows of a matrix for this layer, from Hugging Face's order to the network's.
    pub fn to_network(&self, layer: &str, rows: &Tensor) -> Result<Tensor, Error> {
        self.swapped(layer, rows, |heads, half| (heads, 2, half))
    }

    /// And back.
    pub fn to_checkpoint(&self, layer: &str, rows: &Tensor) -> Result<Tensor, Error> {
        self.swapped(layer, rows, |heads, half| (heads, half, 2))
    }

    fn swapped(
        &self,
        layer: &str,
        rows: &Tensor,
        parts: impl Fn(usize, usize) -> (usize, usize, usize),
    ) -> Result<Tensor, Error> {
        let heads = match self.heads {
            Some((heads, _)) if layer.ends_with(".q_proj") => heads,
            Some((_, heads)) if layer.ends_with(".k_proj") => heads,
            _ => return Ok(rows.clone()),
        };
        let (outputs, width) = rows.dims2()?;
        let (heads, a, b) = parts(heads, outputs / heads / 2);
        let swapped = rows.reshape((heads, a, b, width))?.transpose(1, 2)?.contiguous()?;
        Ok(swapped.reshape((outputs, width))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn halves_of_a_head_alternate_and_go_back() {
        let order = OutputOrder { heads: Some((2, 1)) };
        let rows = Tensor::arange(0_u32, 8, &Device::Cpu).unwrap().reshape((8, 1)).unwrap();
        let there = order.to_network("a.q_proj", &rows).unwrap();
        let values = |x: &Tensor| x.flatten_all().unwrap().to_vec1::<u32>().unwrap();
        assert_eq!(values(&there), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(values(&order.to_checkpoint("a.q_proj", &there).unwrap()), values(&rows));
        assert_eq!(values(&order.to_network("a.v_proj", &rows).unwrap()), values(&rows));
    }
}
