//! Weights below a dotted path.

use super::Weights;
use crate::Error;
use crate::nn::{Embedding, LayerNorm, Linear, Matrix, RmsNorm};
use candle_core::Tensor;
use std::fmt::Display;

/// A place in the tree of weights, like a folder: `weights.root().at("model.layers").at(3)`.
#[derive(Clone)]
pub struct Scope<'w> {
    weights: &'w Weights,
    path: String,
}

impl<'w> Scope<'w> {
    pub(super) fn new(weights: &'w Weights) -> Self {
        Self { weights, path: String::new() }
    }

    /// The place called `name` below this one.
    pub fn at(&self, name: impl Display) -> Self {
        Self { weights: self.weights, path: self.name(name) }
    }

    /// Full name of `name` below this place.
    fn name(&self, name: impl Display) -> String {
        if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) }
    }

    /// Whether there is a tensor called `name` here.
    pub fn has(&self, name: &str) -> bool {
        self.weights.has(&self.name(name))
    }

    /// The weights all scopes look into.
    pub fn weights(&self) -> &'w Weights {
        self.weights
    }

    /// The tensor called `name` as floats.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, Error> {
        self.weights.tensor(&self.name(name), shape)
    }

    /// A linear layer with `weight` and, if the file has one, `bias`.
    pub fn linear(&self, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let matrix = self.weights.matrix(&self.name("weight"), outputs, inputs, false)?;
        let bias = if self.has("bias") { Some(self.tensor("bias", &[outputs])?) } else { None };
        Ok(Linear::new(&self.path, matrix, bias))
    }

    /// A linear layer whose file holds its weights as (inputs, outputs), as GPT-2's do.
    pub fn linear_transposed(&self, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let matrix = self.weights.matrix(&self.name("weight"), outputs, inputs, true)?;
        Ok(Linear::new(&self.path, matrix, Some(self.tensor("bias", &[outputs])?)))
    }

    /// Part number `part` of `parts` equal parts of a transposed linear layer's outputs.
    pub fn linear_part(&self, part: usize, parts: usize, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let weight = self.tensor("weight", &[inputs, parts * outputs])?;
        let weight = weight.narrow(1, part * outputs, outputs)?.t()?.contiguous()?;
        let bias = self.tensor("bias", &[parts * outputs])?.narrow(0, part * outputs, outputs)?;
        Ok(Linear::new(&format!("{}.{part}", self.path), self.weights.form(&weight)?, Some(bias)))
    }

    /// A table with a row for each token or position.
    pub fn embedding(&self, rows: usize, width: usize) -> Result<Embedding, Error> {
        Ok(Embedding::new(self.weights.matrix(&self.name("weight"), rows, width, false)?))
    }

    /// A linear layer without bias over the rows of `matrix`: an output head tied to an embedding.
    pub fn tied(&self, matrix: Matrix) -> Linear {
        Linear::new(&self.path, matrix, None)
    }

    /// Root-mean-square normalization with `weight`, to each of which `offset` is added.
    pub fn rms_norm(&self, width: usize, eps: f64, offset: f64) -> Result<RmsNorm, Error> {
        let weight = self.tensor("weight", &[width])?;
        Ok(RmsNorm::new(if offset == 0.0 { weight } else { (weight + offset)? }, eps as f32))
    }

    /// Layer normalization with `weight` and `bias`.
    pub fn layer_norm(&self, width: usize, eps: f64) -> Result<LayerNorm, Error> {
        Ok(LayerNorm::new(self.tensor("weight", &[width])?, self.tensor("bias", &[width])?, eps as f32))
    }
}
