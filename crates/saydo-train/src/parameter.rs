//! The numbers that training changes.

use candle_core::{Tensor, Var, backprop::GradStore};

/// A tensor that training changes, and its name.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The dotted path of its weights in a checkpoint.
    pub name: String,
    /// Its values.
    pub value: Var,
    /// Whether weight decay applies: to matrices, not to biases and norms.
    pub decays: bool,
}

/// All parameters, in a fixed order.
pub type Parameters = Vec<Parameter>;

/// Gradients beside their parameters, summed over the packs of a step.
#[derive(Debug, Clone)]
pub(crate) struct Gradients {
    pub values: Vec<Vec<f32>>,
}

impl Gradients {
    pub fn zeros(parameters: &[Parameter]) -> Self {
        Self { values: parameters.iter().map(|parameter| vec![0.0; parameter.value.elem_count()]).collect() }
    }

    /// Adds what a backward pass gave. A parameter that the loss does not depend on adds nothing.
    pub fn add(&mut self, parameters: &[Parameter], store: &GradStore) -> candle_core::Result<()> {
        for (sum, parameter) in self.values.iter_mut().zip(parameters) {
            let Some(gradient) = store.get(&parameter.value) else { continue };
            let values = gradient.flatten_all()?.to_vec1::<f32>()?;
            sum.iter_mut().zip(values).for_each(|(sum, x)| *sum += x);
        }
        Ok(())
    }

    /// The length of all gradients as one vector.
    pub fn norm(&self) -> f64 {
        let squares = self.values.iter().flatten().map(|x| f64::from(*x) * f64::from(*x));
        squares.sum::<f64>().sqrt()
    }

    /// Shortens them to `most` if they are longer, unless that is 0; gives the length before.
    pub fn clip(&mut self, most: f64) -> f64 {
        let norm = self.norm();
        if most > 0.0 && norm > most {
            // The small term is PyTorch's, so that results agree.
            let factor = (most / (norm + 1e-6)) as f32;
            self.values.iter_mut().flatten().for_each(|x| *x *= factor);
        }
        norm
    }
}

/// The values of a parameter.
pub(crate) fn values(parameter: &Parameter) -> candle_core::Result<Vec<f32>> {
    parameter.value.flatten_all()?.to_vec1()
}

/// Puts other values in place of a parameter's.
pub(crate) fn set(parameter: &Parameter, values: Vec<f32>) -> candle_core::Result<()> {
    parameter.value.set(&Tensor::from_vec(values, parameter.value.shape(), parameter.value.device())?)
}
