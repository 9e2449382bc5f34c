//! Weights below a dotted path.

use super::{Form, Purpose, Weights};
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

    /// The tensor called `name` as floats; it is no parameter and never changes.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, Error> {
        self.weights.tensor(&self.name(name), shape)
    }

    /// The parameter called `name` as floats, to which `offset` is added: a bias, a norm's weights, a table.
    pub fn parameter(&self, name: &str, shape: &[usize], offset: f64) -> Result<Tensor, Error> {
        let value = self.tensor(name, shape)?;
        let (value, form) = if offset == 0.0 { (value, Form::Same) } else { ((value + offset)?, Form::Less(offset)) };
        self.weights.learned(&self.name(name), value, form)
    }

    /// A linear layer with `weight` and, if the file has one, `bias`.
    pub fn linear(&self, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let matrix = self.weights.matrix(&self.name("weight"), outputs, inputs, Form::Same)?;
        let bias = if self.has("bias") { Some(self.parameter("bias", &[outputs], 0.0)?) } else { None };
        Ok(Linear::new(&self.path, matrix, bias))
    }

    /// A linear layer whose file holds its weights as (inputs, outputs), as GPT-2's do.
    pub fn linear_transposed(&self, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let matrix = self.weights.matrix(&self.name("weight"), outputs, inputs, Form::Turned)?;
        Ok(Linear::new(&self.path, matrix, Some(self.parameter("bias", &[outputs], 0.0)?)))
    }

    /// Part number `part` of `parts` equal parts of a transposed linear layer's outputs.
    pub fn linear_part(&self, part: usize, parts: usize, outputs: usize, inputs: usize) -> Result<Linear, Error> {
        let weight = self.tensor("weight", &[inputs, parts * outputs])?;
        let weight = weight.narrow(1, part * outputs, outputs)?.t()?.contiguous()?;
        let matrix = self.weights.form(&self.name("weight"), &weight, Form::Part(part))?;
        let bias = self.tensor("bias", &[parts * outputs])?.narrow(0, part * outputs, outputs)?;
        let bias = self.weights.learned(&self.name("bias"), bias, Form::Part(part))?;
        Ok(Linear::new(&format!("{}.{part}", self.path), matrix, Some(bias)))
    }

    /// A table with a row for each token or position.
    pub fn embedding(&self, rows: usize, width: usize) -> Result<Embedding, Error> {
        if let Purpose::Learning { embeddings: false } = self.weights.purpose {
            return Ok(Embedding::new(Matrix::Plain(self.tensor("weight", &[rows, width])?)));
        }
        Ok(Embedding::new(self.weights.matrix(&self.name("weight"), rows, width, Form::Same)?))
    }

    /// A linear layer without bias over the rows of `matrix`: an output head tied to an embedding.
    pub fn tied(&self, matrix: Matrix) -> Linear {
        Linear::new(&self.path, matrix, None)
    }

    /// Root-mean-square normalization with `weight`, to each of which `offset` is added.
    pub fn rms_norm(&self, width: usize, eps: f64, offset: f64) -> Result<RmsNorm, Error> {
        Ok(RmsNorm::new(self.parameter("weight", &[width], offset)?, eps as f32))
    }

    /// Layer normalization with `weight` and `bias`.
    pub fn layer_norm(&self, width: usize, eps: f64) -> Result<LayerNorm, Error> {
        let (weight, bias) = (self.parameter("weight", &[width], 0.0)?, self.parameter("bias", &[width], 0.0)?);
        Ok(LayerNorm::new(weight, bias, eps as f32))
    }
}
