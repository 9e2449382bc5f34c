//! Gradients within a memory budget: the last layers keep what their way back needs, those before them only what they are
//! given, and are computed again when their turn comes.

use super::Learner;
use crate::parameter::Gradients;
use crate::{Error, Pack};
use candle_core::{Tensor, Var};
use saydo_model::nn::{Decoder, Pass};

/// Numbers that a layer keeps of a row for each number that its linear layers give out, as measured.
const KEPT_PER_OUTPUT: f64 = 2.5;
const NUMBER_BYTES: f64 = 4.0;

impl Learner {
    /// How many of the first layers are computed again for a pack of so many rows, so that no more than `memory` bytes are
    /// kept. Networks with an encoder keep everything.
    pub(super) fn layers_again(&self, rows: usize, memory: u64) -> usize {
        let Some(decoder) = self.network.decoder() else { return 0 };
        let layers = decoder.layers.len();
        let layer = rows as f64 * self.outputs as f64 / layers as f64 * KEPT_PER_OUTPUT * NUMBER_BYTES;
        // The layer whose turn it is needs room, too, unless it is one of those that keep everything.
        let kept = (memory as f64 / layer) as usize;
        if kept >= layers { 0 } else { layers - kept.saturating_sub(1) }
    }

    /// Adds the gradients of a pack's loss, times `scale`, to others, with the first layers computed again on the way back.
    /// Gives the loss, times `scale`.
    pub(super) fn learn_again(
        &self,
        (decoder, again): (&Decoder, usize),
        pack: &Pack,
        (smoothing, scale): (f32, f64),
        gradients: &mut Gradients,
    ) -> Result<f32, Error> {
        let mut pass = Pass::whole(&self.pool, pack.spans.clone(), None);
        let mut given = Vec::with_capacity(again);
        let embedded = decoder.embed(&pack.tokens, &pass)?;
        let mut x = embedded.detach();
        for layer in 0..again {
            let input = Var::from_tensor(&x)?;
            x = decoder.through(layer..layer + 1, input.as_tensor().clone(), &mut pass)?.detach();
            given.push(input);
        }
        let top = Var::from_tensor(&x)?;
        let hidden = decoder.through(again..decoder.layers.len(), top.as_tensor().clone(), &mut pass)?;
        let loss = (self.loss_of(&hidden, pack, smoothing)? * scale)?;
        let value = loss.to_scalar::<f32>()?;
        drop(hidden);
        let mut gradient = self.back(&loss, &top, gradients)?;
        drop(loss);
        for (layer, input) in given.iter().enumerate().rev() {
            let output = decoder.through(layer..layer + 1, input.as_tensor().clone(), &mut pass)?;
            gradient = self.back(&(output * gradient)?.sum_all()?, input, gradients)?;
        }
        if embedded.track_op() {
            gradients.add(&self.parameters, &(embedded * gradient)?.sum_all()?.backward()?)?;
        }
        Ok(value)
    }

    /// Adds what a backward pass says of the parameters; gives what it says of the input.
    fn back(&self, loss: &Tensor, input: &Var, gradients: &mut Gradients) -> Result<Tensor, Error> {
        let store = loss.backward()?;
        gradients.add(&self.parameters, &store)?;
        Ok(store.get(input).map_or_else(|| input.zeros_like(), |gradient| Ok(gradient.detach()))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Learned;
    use saydo_model::weights::Weights;
    use std::path::Path;

    #[test]
    fn less_memory_means_more_layers_again() {
        let learner = |name: &str| {
            let learned = Learned::Adapter { rank: 4, alpha: 8.0, dropout: 0.0, targets: Vec::new() };
            let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints")).join(name);
            let weights = Weights::open(&folder, learned.purpose()).expect("opens");
            Learner::new(&weights, &learned, 0, 1).expect("a learner")
        };
        let llama = learner("llama");
        let layers = llama.network.decoder().expect("a decoder").layers.len();
        let all = (llama.outputs as f64 * 100.0 * KEPT_PER_OUTPUT * NUMBER_BYTES) as u64;
        assert_eq!((llama.layers_again(100, 0), llama.layers_again(100, all + 1)), (layers, 0));
        assert!(llama.layers_again(100, all - 1) > 0 && llama.layers_again(101, all + 1) > 0);
        assert_eq!(learner("bart").layers_again(100, 0), 0, "what stands behind an encoder keeps everything");
    }
}
